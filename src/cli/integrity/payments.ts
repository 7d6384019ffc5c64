import { type Check, statuses } from './check.ts';

/**
 * Payments that pay no order, and whose money was neither refunded in full nor taken back. A recorded reversal counts as
 * taken back before the provider confirms it. Amounts are in the order's currency. Refunds by hand count as well, until
 * the next payment of the order.
 */
const held = `
  select p.id, p.order_id from payment_sessions p join orders o on o.id = p.order_id
   where p.booked_at is not null and p.booked_at is distinct from o.paid_at
     and case when p.paid_currency <> p.currency and p.paid_amount <> 0 then p.amount
           else coalesce(p.paid_amount, p.amount) end > (
       select coalesce(sum(r.amount), 0) from refunds r
        where r.order_id = o.id and r.created_at >= p.booked_at
          and r.created_at < coalesce((
            select min(n.booked_at) from payment_sessions n
             where n.order_id = o.id and n.booked_at > p.booked_at), 'infinity')
     ) + (
       select coalesce(sum(r.amount), 0) from provider_refunds r
        where r.session_id = p.id and r.refund_id is null and r.state <> 'failed')
     and not exists (select from unexpected_payments u
                      where u.session_id = p.id and u.reason = 'reversed'
                        and u.resolved_by_type is distinct from 'system')`;

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
    // Version 0.0.0 let paid orders wait for payment again.
    name: 'orders that wait for a payment although a provider has one of them: refund it there',
    differences: `
      select distinct o.id from (${held}) p join orders o on o.id = p.order_id
       where o.paid_at is null and o.status not in (${statuses.closed})`,
  },
  {
    name: 'received payments without an order, a refund or an unexpected payment',
    differences: held,
  },
  {
    // Version 0.0.0 left orders so if the money was refunded at the provider.
    name: 'orders in review of a wrong amount that was refunded: set them to on-hold',
    differences: `
      select o.id from orders o
        join lateral (
          select h.actor_type from order_history h
           where h.order_id = o.id and h.from is distinct from h.to order by h.id desc limit 1
        ) last on true
       where o.status = 'payment-confirm' and last.actor_type = 'system'
         and exists (select from unexpected_payments u
                      where u.order_id = o.id and u.reason in ('amount', 'currency'))
         and not exists (select from unexpected_payments u
                          where u.order_id = o.id and u.reason in ('amount', 'currency')
                            and u.status = 'open')
         and not exists (select from confirmations c
                          where c.order_id = o.id and c.status = 'pending')`,
  },
  {
    // Versions up to 0.1.0 left orders on delivery unpaid.
    name: 'orders on delivery that were paid by transfer: collect nothing, and complete them',
    differences: `
      select o.id from orders o
        join lateral (
          select h.at, h.note from order_history h
           where h.order_id = o.id and h.from in (${statuses.unpaid}) order by h.id desc limit 1
        ) last on true
       where o.paid_at is null and o.status in (${statuses.processing})
         and (last.note like 'Transfer found by %'
           or exists (select from confirmations c
                       where c.order_id = o.id and c.status = 'approved' and c.reviewed_at = last.at))`,
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
         and (r.payment_ref is null or r.payment_ref = p.payment_ref)
         and not exists (
           select from refunds f where f.id = r.refund_id and f.reopened_at <= p.booked_at)
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
