import type { Client } from 'pg';
import {
  affiliateDays,
  affiliateFigures,
  affiliateSales,
  orderRollups,
  productDays,
  saleCommissions,
} from '../integrity/facts.ts';
import type { Products } from './catalogue.ts';
import type { People } from './people.ts';
import type { DemoClient } from './client.ts';

const days = 29;
const orders = 36;

/** Creates a few orders for each day of the last month. */
export async function createMonth(
  shop: DemoClient,
  client: Client,
  { members }: People,
  { course, sample }: Products,
): Promise<void> {
  const place = (i: number) =>
    shop.create('/orders', `month-${i}`, {
      user_id: members[(i * 5) % members.length],
      product_id: i % 6 === 4 ? sample : course,
      status: i % 9 === 2 ? 'cancelled' : 'completed',
    });
  // One after another: each further connection would compile the functions of the database again.
  for (let i = 0; i < orders; i++) await place(i);
  await spread(client);
  await visit(client);
}

/** Makes every other order of an affiliate come by a campaign's link, with nine further visits for each order. */
async function visit(client: Client): Promise<void> {
  await client.query(`
    update orders set attribution = attribution ||
             '{"source": "link", "target": "sales-page", "sub": "instagram"}'
     where affiliate_id is not null and id % 2 = 0`);
  await client.query(`
    insert into affiliate_clicks
           (ref, affiliate_id, product_id, target, sub, at, visitor, counted_on)
    select 'demo-' || o.id || '-' || n, o.affiliate_id, o.product_id,
           case n % 3 when 0 then 'checkout' else 'sales-page' end,
           (array['instagram', 'whatsapp', ''])[1 + n % 3], o.created_at, 'demo-' || o.id || '-' || n,
           (o.created_at at time zone s.timezone)::date - date '2000-01-01'
      from orders o cross join settings s cross join generate_series(1, 9) n
     where o.affiliate_id is not null`);
}

/** Spreads all orders over the past month, with everything that depends on their dates. */
async function spread(client: Client): Promise<void> {
  await client.query(`
    create temporary table moved as
      select id, (${days} - (row_number() over (order by id) - 1) * ${days} / ${orders})
             * interval '1 day' as ago from orders`);
  const move = (table: string, id: string, ...moments: string[]) =>
    client.query(
      `update ${table} t set ${moments.map((name) => `${name} = t.${name} - m.ago`).join(', ')}
         from moved m where m.id = t.${id}`,
    );
  const changes = ['created_at', 'updated_at'];
  await move('orders', 'id', ...changes, 'paid_at', 'completed_at', 'cancelled_at', 'expires_at');
  await move('order_history', 'order_id', 'at');
  await move('commissions', 'order_id', ...changes, 'hold_until');
  await move('access_grants', 'order_id', ...changes, 'start');
  for (const table of ['users', 'products']) {
    await client.query(
      `update ${table} set created_at = created_at - interval '${days + 1} days',
              updated_at = updated_at - interval '${days + 1} days'`,
    );
  }
  // The triggers assume that an order's day never changes.
  for (const [table, facts] of Object.entries({
    order_rollups: orderRollups,
    product_days: productDays,
    affiliate_figures: affiliateFigures,
    affiliate_sales: affiliateSales,
    affiliate_days: affiliateDays,
    sale_commissions: saleCommissions,
  })) {
    await client.query(`delete from ${table}`);
    await client.query(`insert into ${table} ${facts}`);
  }
}
