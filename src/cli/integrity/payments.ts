import type { Check } from './check.ts';

/** Compares the money that came through providers with its effects. */
export const paymentChecks: readonly Check[] = [
  {
    name: 'money that came and neither paid its order nor is kept as unexpected',
    differences: `
      select p.id from payment_sessions p
       where p.status = 'paid' and p.booked_at is null
         and not exists (select from unexpected_payments u where u.session_id = p.id)`,
  },
  {
    name: 'money that pays an order and has not come',
    differences: `select id from payment_sessions where booked_at is not null and status <> 'paid'`,
  },
  {
    name: 'orders that wait for their payment although it paid them',
    differences: `
      select o.id from orders o
        join lateral (
          select p.booked_at from payment_sessions p
           where p.order_id = o.id and p.booked_at is not null order by p.booked_at desc limit 1
        ) paid on true
       where o.paid_at is null and o.status <> 'cancelled' and not exists (
         select from order_history h
          where h.order_id = o.id and h.to = 'on-hold' and h.from is not null)`,
  },
  {
    name: 'money at providers that no order has, no refund gives back and no list shows',
    differences: `
      select p.id from payment_sessions p join orders o on o.id = p.order_id
       where p.booked_at is distinct from o.paid_at and p.booked_at is not null
         and not exists (select from refunds r
                          where r.order_id = o.id and r.created_at >= p.booked_at)
         and not exists (select from provider_refunds r where r.session_id = p.id)
         and not exists (select from unexpected_payments u
                          where u.session_id = p.id and u.reason = 'reversed')`,
  },
  {
    name: 'refunds at providers against refunds',
    differences: `
      select r.id from refunds r join provider_refunds p on p.refund_id = r.id
       where p.amount <> r.amount`,
  },
  {
    name: 'providers that are to give back more than came',
    differences: `
      select p.id from payment_sessions p
        join provider_refunds r on r.session_id = p.id and r.state <> 'failed'
       where p.paid_currency = p.currency
       group by p.id having sum(r.amount) > p.paid_amount`,
  },
  {
    name: 'unexpected payments that are refunded without a refund',
    differences: `
      select u.id from unexpected_payments u
       where u.status = 'refunded' and not exists (
         select from provider_refunds p where p.unexpected_id = u.id)`,
  },
];
