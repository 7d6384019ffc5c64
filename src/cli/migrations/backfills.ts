import type { Client } from 'pg';
import { listed } from '../../kernel/database/columns.ts';
import { statusGroupMembers } from '../../schema/lists.ts';
import { textAccountMethod } from '../../schema/payout-runs.ts';
import { shopManagerId } from '../../schema/staff.ts';
import { type Progress, patiently } from './patience.ts';

/** Fills added columns, or corrects what former versions wrote. */
interface Backfill {
  readonly name: string;
  /**
   * Fills at most $2 rows after the id $1, and returns the last id, or null. It changes no version, no total and no
   * feed, unless it corrects a record's status or the amount of a payment proof.
   */
  readonly batch: string;
  /** True to visit all rows at each run, because the previous worker may change any of them. */
  readonly isRepeated?: true;
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
    // payments that came again. A look-up, due at once, finds what is true. A worker may have used up an earlier one.
    name: 'payment_sessions.check_at',
    isRepeated: true,
    batch: `with batch as materialized (
        select id, session_id, resolved_by_type, created_at from unexpected_payments
         where id > $1 and reason = 'reversed' order by id limit $2
      ), filled as (
        update payment_sessions p set check_at = p.updated_at, updated_at = now()
          from batch b
         where p.id = b.session_id and b.resolved_by_type is distinct from 'system' and p.check_at is null
           and (p.paid_amount is distinct from 0 or b.created_at > now() - interval '90 days')
      )
      select max(id) as last from batch`,
  },
  {
    // Former versions recorded no reversal while the page was open. A look-up finds it, so that nobody pays a failed
    // refund whose money the bank has returned.
    name: 'provider_refunds.paid_by_hand_at',
    isRepeated: true,
    batch: `with batch as materialized (
        select id, session_id, refund_id, state, paid_by_hand_at from provider_refunds
         where id > $1 order by id limit $2
      ), filled as (
        update payment_sessions p set check_at = p.updated_at, updated_at = now()
          from batch b
         where p.id = b.session_id and b.refund_id is not null and b.state = 'failed'
           and b.paid_by_hand_at is null and p.check_at is null
      )
      select max(id) as last from batch`,
  },
  {
    name: 'provider_refunds.payment_ref',
    batch: `with batch as materialized (
        select id, session_id from provider_refunds where id > $1 order by id limit $2
      ), filled as (
        update provider_refunds r set payment_ref = p.payment_ref
          from batch b join payment_sessions p on p.id = b.session_id
         where r.id = b.id and r.payment_ref is null
      )
      select max(id) as last from batch`,
  },
  {
    // Former versions kept the payment deadline of orders that were switched to payment on delivery. Orders of the shop
    // keep theirs.
    name: 'orders.expires_at',
    isRepeated: true,
    batch: `with batch as materialized (
        select id from orders
         where id > $1 and status = 'on-hold' and payment_gateway = 'cod' and expires_at is not null
         order by id limit $2
      ), filled as (
        update orders o set expires_at = null
          from batch b
         where o.id = b.id and o.status = 'on-hold' and o.payment_gateway = 'cod'
           and not exists (select from purchase_forms f where f.order_id = o.id)
      )
      select max(id) as last from batch`,
  },
  {
    name: 'settings.plain_transfers_held_until',
    // No position: a new store stays as it is made. In another one, the first transfer begins the hold.
    batch: `with filled as (
        update settings set plain_transfers_held_until = to_timestamp(0)
         where id > $1 and $2::int > 0 and plain_transfers_held_until is null
           and not exists (select from orders) and not exists (select from products)
      )
      select null as last`,
  },
  {
    // Former versions kept a transfer `matched` when its order waited for payment again, or was to be paid on delivery. It
    // stays so if the order was cancelled with a refund and reopened. The API shows the change, so the version rises.
    name: 'bank_mutations.order_id',
    isRepeated: true,
    batch: `with batch as materialized (
        select * from bank_mutations where id > $1 and status = 'matched' order by id limit $2
      ), filled as (
        update bank_mutations m
           set status = 'open', order_id = null, updated_at = now(), version = m.version + 1
          from batch b join orders o on o.id = b.order_id
         where m.id = b.id and m.status = 'matched' and o.paid_at is null and o.deleted_at is null
           and o.status not in (${listed(statusGroupMembers.closed)})
           and not exists (
             select from refunds r join order_history h on h.order_id = r.order_id and h.at = r.created_at
              where r.order_id = o.id and h.to = 'cancelled' and r.created_at >= b.updated_at)
      )
      select max(id) as last from batch`,
  },
  {
    // Up to version 0.1.0, setting a group by hand kept the moves of earlier orders, and later refunds undid those. Moves of
    // a subscription that changed since are kept: a resumed one has given its group again.
    name: 'group_moves.order_id',
    batch: `with batch as materialized (
        select id, at, subject_id::bigint as user_id from audit_log
         where id > $1 and operation = 'users.setGroup' order by id limit $2
      ), filled as (
        delete from group_moves m using batch b, orders o
         where m.user_id = b.user_id and o.id = m.order_id and o.completed_at < b.at
           and not exists (
             select from subscription_changes c
              where c.first_order_id = coalesce(o.order_parent_id, o.id)
                and coalesce(c.resumed_at, c.at) >= b.at)
      )
      select max(id) as last from batch`,
  },
  {
    // Version 0.0.0 kept the buyer's bank when it erased a person.
    name: 'confirmations.detail.bank_sender',
    batch: `with batch as materialized (
        select id, user_id from confirmations where id > $1 order by id limit $2
      ), filled as (
        update confirmations c set detail = c.detail || '{"bank_sender": ""}'
          from batch b join users u on u.id = b.user_id
         where c.id = b.id and u.status = 'anonymised' and c.detail ->> 'bank_sender' <> ''
      )
      select max(id) as last from batch`,
  },
  {
    // Up to version 0.1.0 the shop stated the order's total for a buyer who sent only a picture. That request stored the
    // picture and its proof at one time, unlike the API. A reviewer may have read the amount, so the version rises.
    name: 'confirmations.detail.total',
    batch: `with batch as materialized (
        select * from confirmations where id > $1 order by id limit $2
      ), filled as (
        update confirmations c
           set detail = c.detail || '{"total": null}', amount_matches = false, updated_at = now(),
               version = c.version + 1
          from batch b join media m on m.key = substring(b.detail ->> 'proof' from '[^/]+$')
         where c.id = b.id and c.status = 'pending' and c.detail ->> 'total' is not null
           and m.order_id = b.order_id and m.created_at = b.created_at and b.transferred_at is null
           and b.detail - 'total' - 'proof' =
             '{"sender": "", "account_number": "", "bank_sender": "", "bank_recipient": "", "note": ""}'
      )
      select max(id) as last from batch`,
  },
  {
    // Former versions copied an account that is text only into the method of a run's payout, and kept it when they erased
    // its owner. A previous worker may confirm an old draft, whose ids are low.
    name: 'payouts.method',
    isRepeated: true,
    batch: `with batch as materialized (
        select p.id from payouts p join payout_lines l on l.id = p.id
         where p.id > $1 and l.issues @> '{account-as-text}' and p.method <> '${textAccountMethod}'
         order by p.id limit $2
      ), filled as (
        update payouts p set method = '${textAccountMethod}' from batch b where p.id = b.id
      )
      select max(id) as last from batch`,
  },
  {
    // Version 0.0.0 kept the errors of messages when it erased a person.
    name: 'messages.last_error',
    batch: `with batch as materialized (
        select id, user_id, order_id from messages where id > $1 order by id limit $2
      ), filled as (
        update messages m set last_error = null
          from batch b left join orders o on o.id = b.order_id
          join users u on u.id = coalesce(b.user_id, o.user_id)
         where m.id = b.id and u.status = 'anonymised' and m.last_error is not null
           and m.created_at <= u.updated_at
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
 * was replaced, unless the backfill is repeated.
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
    const position = backfill.isRepeated ? 0 : Number(rows[0]?.position ?? 0);
    let last: string | null = String(Math.max(0, position - overlap));
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
