import type { Client } from 'pg';

/** An amount that an order waits for, or that is reserved for its late transfer. */
interface Claim {
  readonly currency: string;
  readonly amount: string;
  readonly order_id: string | null;
  readonly held_until: string;
}

/** Reads the transfer amounts of a database, each with the time until which a transfer of it may come. */
export async function readAmounts(database: Client): Promise<Claim[]> {
  const { rows } = await database.query<Claim>(
    `select c.currency, c.amount, c.order_id,
            to_char(greatest(c.earlier_until, coalesce(c.held_until, greatest(o.expires_at, now())
              + make_interval(days => s.transfer_hold_days))) at time zone 'UTC',
              'YYYY-MM-DD"T"HH24:MI:SS"Z"') as held_until
       from payable_claims c cross join settings s left join orders o on o.id = c.order_id`,
  );
  return rows;
}

/**
 * Reserves the transfer amounts of a previous database in the restored one. Buyers of orders that it lost may still
 * transfer them, and would pay another order of the same amount.
 * @returns the number of amounts that no order had
 */
export async function reserveAmounts(claims: readonly Claim[], restored: Client): Promise<number> {
  const values = [
    claims.map(({ currency }) => currency),
    claims.map(({ amount }) => amount),
    claims.map(({ order_id }) => order_id),
    claims.map(({ held_until }) => held_until),
  ];
  const claimed = `unnest($1::text[], $2::bigint[], $3::bigint[], $4::timestamptz[])
    as p(currency, amount, order_id, held_until)`;
  await restored.query(
    `update payable_claims c
        set held_until = case when c.held_until is not null then greatest(c.held_until, p.held_until) end,
            earlier_until = case when c.held_until is null then greatest(c.earlier_until, p.held_until)
              else c.earlier_until end
       from ${claimed}
      where c.currency = p.currency and c.amount = p.amount
        and (c.held_until is not null or c.order_id is distinct from p.order_id)`,
    values,
  );
  const { rowCount } = await restored.query(
    `insert into payable_claims (currency, amount, held_until)
     select currency, amount, held_until from ${claimed}
         on conflict (currency, amount) do nothing`,
    values,
  );
  return rowCount ?? 0;
}
