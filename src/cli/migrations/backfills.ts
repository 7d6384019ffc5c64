import type { Client } from 'pg';
import { shopManagerId } from '../../schema/staff.ts';
import { type Progress, patiently } from './patience.ts';

/** Fills added columns, or corrects what former versions wrote. */
interface Backfill {
  readonly name: string;
  /**
   * Fills at most $2 rows after the id $1, and returns the last id, or null. It changes no version, no total and no
   * feed.
   */
  readonly batch: string;
}

const backfills: readonly Backfill[] = [
  {
    name: 'orders.product_title',
    batch: `with batch as materialized (
        select id, product_id from orders where id > $1 order by id limit $2
      ), filled as (
        update orders o set product_title = p.title
          from batch b join products p on p.id = b.product_id
         where o.id = b.id and o.product_title is null
      )
      select max(id) as last from batch`,
  },
  {
    name: 'users.staff_role_id',
    batch: `with batch as materialized (
        select id, roles from users where id > $1 order by id limit $2
      ), filled as (
        update users u set staff_role_id = ${shopManagerId}
          from batch b
         where u.id = b.id and b.roles @> '{shop-manager}' and u.staff_role_id is null
      )
      select max(id) as last from batch`,
  },
  {
    // A trigger adds each order to the figures of links.
    name: 'orders.attribution.target',
    batch: `with batch as materialized (
        select id from orders where id > $1 order by id limit $2
      ), filled as (
        update orders o set attribution = o.attribution || '{"target": null, "sub": null}'
          from batch b
         where o.id = b.id and jsonb_typeof(o.attribution) = 'object' and not o.attribution ? 'target'
      )
      select max(id) as last from batch`,
  },
  {
    // Earlier visits name no visitor, so each one counts.
    name: 'affiliate_clicks.counted_on',
    batch: `with batch as materialized (
        select id from affiliate_clicks where id > $1 order by id limit $2
      ), filled as (
        update affiliate_clicks c
           set counted_on = (c.at at time zone s.timezone)::date - date '2000-01-01'
          from batch b cross join settings s
         where c.id = b.id and c.visitor is null and c.counted_on is null
      )
      select max(id) as last from batch`,
  },
  {
    // Former versions recorded payments as reversed that the provider merely no longer knew, and did not see reversed
    // payments that came again. A look-up, due at once, finds what is true.
    name: 'payment_sessions.check_at',
    batch: `with batch as materialized (
        select id, session_id, reason, resolved_by_type from unexpected_payments
         where id > $1 order by id limit $2
      ), filled as (
        update payment_sessions p set check_at = p.updated_at
          from batch b
         where p.id = b.session_id and b.reason = 'reversed'
           and b.resolved_by_type is distinct from 'system' and p.check_at is null
      )
      select max(id) as last from batch`,
  },
  {
    // Former versions recorded no reversal while the page was open. A look-up finds it, so that nobody pays a failed
    // refund whose money the bank has returned.
    name: 'provider_refunds.paid_by_hand_at',
    batch: `with batch as materialized (
        select id, session_id, refund_id, state, paid_by_hand_at from provider_refunds
         where id > $1 order by id limit $2
      ), filled as (
        update payment_sessions p set check_at = p.updated_at
          from batch b
         where p.id = b.session_id and b.refund_id is not null and b.state = 'failed'
           and b.paid_by_hand_at is null and p.check_at is null
      )
      select max(id) as last from batch`,
  },
  {
    // Former versions kept the payment deadline of orders that were switched to payment on delivery. Orders of the shop
    // keep theirs.
    name: 'orders.expires_at',
    batch: `with batch as materialized (
        select id from orders where id > $1 order by id limit $2
      ), filled as (
        update orders o set expires_at = null
          from batch b
         where o.id = b.id and o.status = 'on-hold' and o.payment_gateway = 'cod' and o.expires_at is not null
           and not exists (select from purchase_forms f where f.order_id = o.id)
      )
      select max(id) as last from batch`,
  },
  {
    // Former versions did not reserve totals without a code when the total or the account changed. The total before a
    // manual change can be computed; the total before a change of the quantity cannot.
    name: 'payable_claims.held_until',
    batch: `with batch as materialized (
        select * from orders where id > $1 order by id limit $2
      ), totals as (
        select currency, id, grand_total as amount from batch
         where status in ('on-hold', 'payment-confirm') and payment_gateway <> 'manual'
        union all
        select currency, id, grand_total - adjustment_total from batch where adjustment_total <> 0
      ), late as (
        select t.currency, t.amount, t.id,
               case when o.status in ('on-hold', 'payment-confirm')
                    then o.updated_at + make_interval(days => s.transfer_hold_days)
                    else greatest(o.paid_at + interval '1 day',
                      o.cancelled_at + make_interval(days => s.transfer_hold_days)) end as held_until
          from totals t join batch o using (id) cross join settings s
         where o.unique_code = 0 and o.version > 1 and t.amount > 0
      ), filled as (
        insert into payable_claims as c (currency, amount, order_id, held_until)
        select distinct on (currency, amount) currency, amount, id, held_until from late
         where held_until > now() order by currency, amount, held_until desc
            on conflict (currency, amount) do update set
               held_until = case when c.held_until is not null
                 then greatest(c.held_until, excluded.held_until) end,
               earlier_until = case when c.order_id is distinct from excluded.order_id
                 then greatest(c.earlier_until, excluded.held_until) else c.earlier_until end
      )
      select max(id) as last from batch`,
  },
];

const batchSize = 2000;

/** Ids before the stored position that a run visits again: their rows may have been committed later. */
const overlap = 1000;

/**
 * Fills new columns after the migrations. Each batch is a transaction that also records its position, so an interrupted
 * run continues there. A later run only visits new rows, which the previous worker inserted without the column until it
 * was replaced.
 */
export async function runBackfills(
  client: Client,
  size = batchSize,
  progress: Progress = () => undefined,
): Promise<void> {
  for (const backfill of backfills) {
    const { rows } = await client.query<{ position: string }>(
      'select position from backfills where name = $1',
      [backfill.name],
    );
    let last: string | null = String(Math.max(0, Number(rows[0]?.position ?? 0) - overlap));
    while (last !== null)
      last = await patiently(client, backfill.name, progress, () =>
        runBatch(client, backfill, last, size),
      );
  }
}

async function runBatch(
  client: Client,
  { name, batch }: Backfill,
  after: string | null,
  size: number,
): Promise<string | null> {
  const { rows } = await client.query<{ last: string | null }>(batch, [after, size]);
  const last = rows[0]?.last ?? null;
  if (last !== null)
    await client.query(
      `insert into backfills as b values ($1, $2)
        on conflict (name) do update set position = greatest(b.position, excluded.position)`,
      [name, last],
    );
  return last;
}
