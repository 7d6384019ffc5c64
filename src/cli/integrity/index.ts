import type { Client } from 'pg';
import { listed } from '../../kernel/database/columns.ts';
import { shopManagerId } from '../../schema/staff.ts';
import { storeTableNames } from '../support/store-tables.ts';
import { type Check, difference, statuses } from './check.ts';
import { commissionChecks } from './commissions.ts';
import { couponChecks } from './coupons.ts';
import { accessEnds, orderRollups, productDays } from './facts.ts';
import { messageChecks } from './messages.ts';
import { orderChecks } from './orders.ts';
import { paymentChecks } from './payments.ts';
import { licenseEnds, subscriptionSpans } from './terms.ts';

const { unpaid, processing, closed } = statuses;

const keptTotals = (list: string) => `
  select list, sum(total) from list_totals where list like '${list}:%'
   group by 1 having sum(total) <> 0`;

const listTotal = (list: string, condition: string) =>
  difference(
    `select '${list}', count(*) from ${list} where ${condition}`,
    `select '${list}', coalesce(sum(total), 0) from list_totals where list = '${list}'`,
  );

/** Only the orders of an import bring an end of their own. */
const isImported = 'o.created_at <= (select max(started_at) from imports)';

/**
 * First orders whose grants differ from what they and their subscriptions give, except manually revoked grants. Up to
 * version 0.1.0 the erasure of a person removed the reason, so a grant that was revoked by a pause stays revoked.
 */
const orderAccess = `
  select o.id from orders o
    left join access_grants g on g.order_id = o.id
    left join subscriptions s on s.first_order_id = o.id
   where o.order_parent_id is null and g.deleted_at is null
     and (g.status is distinct from 'revoked' or g.revoke_reason is not null)
     and case
       when g.id is null then o.status in (${closed})
       when s.status = 'paused' then g.status = 'revoked'
       when s.end_date is not null or s.status = 'active'
         then g.status = 'active' and g.subscription_id = s.id
           and g.end_active is not distinct from s.end_date
       when o.status in (${closed}) then g.status = 'revoked'
       when o.status in (${unpaid}) then g.status <> 'active'
       when o.status = 'completed'
         then g.status = 'active' and (g.end_active is null or ${isImported})
       else g.status <> 'revoked'
     end is not true`;

export const checks: readonly Check[] = [
  {
    name: 'order rollups',
    differences: difference(
      `(${orderRollups})`,
      `select dimension, key, status, slot, orders, quantity, grand_total, refunded_total
         from order_rollups
        where (orders, quantity, grand_total, refunded_total) <> (0, 0, 0, 0)`,
    ),
  },
  {
    name: 'products by day',
    differences: difference(
      `(${productDays})`,
      `select day, product_id, slot, orders, quantity, revenue from product_days
        where (orders, quantity, revenue) <> (0, 0, 0)`,
    ),
  },
  ...orderChecks,
  ...paymentChecks,
  ...commissionChecks,
  ...couponChecks,
  ...messageChecks,
  { name: 'number of products', differences: listTotal('products', 'deleted_at is null') },
  ...[
    'users',
    'licenses',
    'reminders',
    'messages',
    'confirmations',
    'payouts',
    'bank_mutations',
  ].map((list) => ({
    name: `number of ${list.replace('licenses', 'licences').replace('_', ' ')} by status`,
    differences: difference(
      `select '${list}:' || status, count(*) from ${list} group by 1`,
      keptTotals(list),
    ),
  })),
  {
    name: 'number of attempts by webhook and status',
    differences: difference(
      `select 'webhook_log:' || webhook_id || ':' || status, count(*) from webhook_log group by 1`,
      keptTotals('webhook_log'),
    ),
  },
  {
    // The day of an attempt depends on the store's time zone at that time.
    name: 'number of attempts by webhook, status and day',
    differences: difference(
      'select webhook_id, status, count(*) from webhook_log group by 1, 2',
      `select webhook_id, status, sum(attempts) from webhook_days
        group by 1, 2 having sum(attempts) <> 0`,
    ),
  },
  {
    name: 'seats taken of licences',
    differences: `
      select l.id from licenses l
        left join license_activations a on a.license_id = l.id and a.seat
       group by l.id having l.activation_count <> count(a.id)`,
  },
  { name: 'end of licences', differences: licenseEnds },
  {
    name: 'terms of licences that their orders no longer pay for',
    differences: `
      select t.id from license_terms t join orders o on o.id = t.order_id
       where not svc_is_paid(o.status)`,
  },
  {
    name: 'number of access grants',
    differences: listTotal('access_grants', 'deleted_at is null'),
  },
  {
    name: 'ends of access grants',
    differences: difference(
      `(${accessEnds})`,
      'select day, slot, grants from access_ends where grants <> 0',
    ),
  },
  {
    name: 'number of active subscriptions',
    differences: difference(
      `select count(*) from subscriptions where status = 'active'`,
      `select coalesce(sum(total), 0) from list_totals where list = 'subscriptions:active'`,
    ),
  },
  { name: 'subscriptions against their terms', differences: subscriptionSpans },
  {
    name: 'terms of subscriptions against their orders',
    differences: `
      select t.order_id as id from subscription_terms t join orders o on o.id = t.order_id
       where case
         when o.status = 'completed' then t.activated_at is null
         else t.activated_at is not null and o.status not in (${processing})
       end`,
  },
  { name: 'access against orders', differences: orderAccess },
  {
    name: 'files that are uploaded, and counts of their downloads',
    differences: `
      select id from files where (status = 'uploading') <> (upload is not null and upload <> 'null')
       union all select file_id from file_downloads
        where cardinality(links) not between 1 and 50
           or (select count(distinct link) from unnest(links) link) <> cardinality(links)`,
  },
  {
    name: 'groups given by orders that are unpaid or deleted',
    differences: `
      select m.order_id as id from group_moves m join orders o on o.id = m.order_id
       where not svc_is_paid(o.status) or o.deleted_at is not null`,
  },
  {
    name: 'pending confirmations of orders that are not in review',
    differences: `
      select c.id from confirmations c join orders o on o.id = c.order_id
       where c.status = 'pending' and o.status <> 'payment-confirm'`,
  },
  {
    name: 'orders with more than one pending confirmation',
    differences: `
      select order_id as id from confirmations where status = 'pending'
       group by order_id having count(*) > 1`,
  },
  {
    name: 'pending confirmations against the totals of their orders',
    differences: `
      select c.id from confirmations c join orders o on o.id = c.order_id
       where c.status = 'pending' and (c.amount_expected, c.amount_matches) is distinct from
         (o.grand_total, coalesce((c.detail ->> 'total')::bigint = o.grand_total, false))`,
  },
  {
    name: 'amounts of transfers that orders wait for',
    differences: difference(
      `select id, currency, grand_total from orders
        where unique_code <> 0 and status in (${unpaid})`,
      `select order_id, currency, amount from payable_claims where held_until is null`,
    ),
  },
  {
    name: 'shop managers against their role in the console',
    differences: `
      select id from users
       where (roles @> '{shop-manager}') <> (staff_role_id is not distinct from ${shopManagerId})`,
  },
  {
    name: 'accounts that expire although their owner paid',
    differences: `
      select n.user_id as id from new_buyers n join users u on u.id = n.user_id
       where u.status = 'anonymised' or exists (
         select from orders o where o.user_id = n.user_id and o.paid_at >= n.created_at
            and o.payment_gateway <> 'free')`,
  },
  {
    name: 'sponsors of buyers, from orders that no longer give one',
    differences: `
      select b.user_id as id from buyer_sponsors b
        join orders o on o.id = b.order_id
        join users u on u.id = b.user_id
       where u.status <> 'anonymised'
         and (o.paid_at is null or o.deleted_at is not null or not svc_is_paid(o.status)
              or o.affiliate_id is distinct from u.affiliate_id)`,
  },
  {
    // The stored totals lack changes made while a trigger was off.
    name: 'triggers that are turned off',
    differences: `
      select t.tgname as id from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where c.relnamespace = 'public'::regnamespace and c.relname in (${listed(storeTableNames)})
         and not t.tgisinternal and t.tgenabled not in ('O', 'A')`,
  },
  {
    name: 'stock below zero',
    differences: 'select product_id as id from product_stock where units < 0',
  },
];

/** The number of ids that a check shows at most. */
const mostIds = 10;

/** Recalculates every derived figure, counts the differences, and names the first rows that have an id. */
export async function checkIntegrity(
  client: Client,
): Promise<{ name: string; differences: number; ids: string }[]> {
  const results = [];
  for (const { name, differences } of checks) {
    const { rows } = await client.query<{ id?: string }>(differences);
    results.push({ name, differences: rows.length, ids: firstIds(rows) });
  }
  return results;
}

function firstIds(rows: readonly { readonly id?: string }[]): string {
  const ids = [...new Set(rows.flatMap(({ id }) => id ?? []))];
  return [...ids.slice(0, mostIds), ...(ids.length > mostIds ? ['…'] : [])].join(' ');
}
