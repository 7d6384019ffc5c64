import { eq, sql } from 'drizzle-orm';
import { recordFrom, recordOf, selectRecords } from '../kernel/database/records.ts';
import { confirmations, saysTransfer } from '../schema/payments.ts';
import { orders } from '../schema/orders.ts';
import { products } from '../schema/products.ts';
import { users } from '../schema/users.ts';
import type { ConfirmationWithOrder } from '../domain/confirmation/schemas.ts';

const mine = (column: string) => sql.raw(`confirmations.${column}`);

/** The last confirmations of other orders with equal details. */
const alike = (kind: string, condition: ReturnType<typeof mine>) => sql`
  (select o.id, o.order_id, o.status, ${sql.raw(`'${kind}'`)} as kind from confirmations o
    where ${condition} and o.order_id <> ${mine('order_id')} order by o.id desc limit 5)`;

const similar = sql<ConfirmationWithOrder['similar']>`(
  select coalesce(jsonb_agg(to_jsonb(s) order by s.id desc), '[]') from (
    select id, order_id, (select n.number from orders n where n.id = order_id) as order_number, status,
           array_agg(kind) as same from (
      ${alike('proof', sql`o.detail ->> 'proof' <> '' and o.detail ->> 'proof' = ${mine('detail')} ->> 'proof'`)}
      union all
      ${alike(
        'transfer',
        sql`${saysTransfer} and (o.detail ->> 'total')::bigint = (${mine('detail')} ->> 'total')::bigint
          and lower(o.detail ->> 'sender') = lower(${mine('detail')} ->> 'sender')`,
      )}
    ) found group by id, order_id, status
  ) s)`;

const mutations = sql<NonNullable<ConfirmationWithOrder['mutations']>>`(
  select coalesce(jsonb_agg(to_jsonb(m) order by m.id desc), '[]') from (
    (select id, status, account_number, amount, occurred_at from bank_mutations
      where order_id = ${mine('order_id')} and amount is not null order by id desc limit 5)
    union
    (select id, status, account_number, amount, occurred_at from bank_mutations
      where status = 'open' and direction = 'credit' and ${mine('status')} = 'pending'
        and currency = (select o.currency from orders o where o.id = ${mine('order_id')})
        and amount in (${mine('amount_expected')}, (${mine('detail')} ->> 'total')::bigint)
      limit 5)
  ) m)`;

const reviewRecord = recordOf({
  confirmation: confirmations,
  order: recordFrom(orders, eq(orders.id, confirmations.order_id), {
    id: orders.id,
    number: orders.number,
    status: orders.status,
    currency: orders.currency,
    grand_total: orders.grand_total,
    payment_gateway: orders.payment_gateway,
    created_at: orders.created_at,
  }),
  product: recordFrom(products, eq(products.id, confirmations.product_id), {
    id: products.id,
    title: sql<string>`to_json(coalesce(
      (select o.product_title from orders o where o.id = ${mine('order_id')}), ${products.title}))`,
    type: products.type,
  }),
  user: recordFrom(users, eq(users.id, confirmations.user_id), {
    id: users.id,
    display_name: users.display_name,
    email: users.email,
  }),
  similar,
  mutations,
});

/** Selects confirmations with their orders, similar confirmations and matching bank entries. */
export const selectReviews = () => selectRecords(reviewRecord).from(confirmations);
