import type { Check } from './check.ts';

export const paymentChecks: readonly Check[] = [
  {
    name: 'received payments that neither paid their order nor are unexpected payments',
    differences: `
      select p.id from payment_sessions p
       where p.status = 'paid' and p.booked_at is null
         and not exists (select from unexpected_payments u where u.session_id = p.id)`,
  },
  {
    name: 'payments of orders that were not received',
    differences: `select id from payment_sessions where booked_at is not null and status <> 'paid'`,
  },
  {
    name: 'orders that wait for a payment that was received',
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
    name: 'received payments without an order, a refund or an unexpected payment',
    differences: `
      select p.id from payment_sessions p join orders o on o.id = p.order_id
       where p.booked_at is distinct from o.paid_at and p.booked_at is not null
         and not exists (select from refunds r
                          where r.order_id = o.id and r.created_at >= p.booked_at)
         and not exists (select from provider_refunds r where r.session_id = p.id)
         and p.paid_amount is distinct from 0
         and not exists (select from unexpected_payments u
                          where u.session_id = p.id and u.reason = 'reversed'
                            and u.resolved_by_type is distinct from 'system')`,
  },
  {
    name: 'refunds at providers against refunds',
    differences: `
      select r.id from refunds r join provider_refunds p on p.refund_id = r.id
       where p.amount <> r.amount`,
  },
  {
    name: 'refunds at providers above the received amount',
    differences: `
      select p.id from payment_sessions p
        join provider_refunds r on r.session_id = p.id and r.state <> 'failed'
       where p.paid_currency = p.currency and p.paid_amount > 0
       group by p.id having sum(r.amount) > p.paid_amount`,
  },
  {
    name: 'unexpected payments marked as refunded without a refund',
    differences: `
      select u.id from unexpected_payments u
       where u.status = 'refunded' and not exists (
         select from provider_refunds p where p.unexpected_id = u.id)`,
  },
];
