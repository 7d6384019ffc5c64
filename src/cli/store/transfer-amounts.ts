import type { Client } from 'pg';

interface Claim {
  readonly currency: string;
  readonly amount: string;
  readonly held_until: string;
}

/**
 * Reserves the transfer amounts of a previous database. Buyers of orders that the restored store lost may still
 * transfer them, and would pay the new order that got the same amount.
 * @returns the number of amounts
 */
export async function reserveAmounts(previous: Client, restored: Client): Promise<number> {
  const { rows } = await previous.query<Claim>(
    `select c.currency, c.amount,
            to_char(coalesce(c.held_until, greatest(o.expires_at, now())
              + make_interval(days => s.transfer_hold_days)) at time zone 'UTC',
              'YYYY-MM-DD"T"HH24:MI:SS"Z"') as held_until
       from payable_claims c cross join settings s left join orders o on o.id = c.order_id`,
  );
  const { rowCount } = await restored.query(
    `insert into payable_claims (currency, amount, held_until)
     select * from unnest($1::text[], $2::bigint[], $3::timestamptz[])
         on conflict (currency, amount) do nothing`,
    [
      rows.map(({ currency }) => currency),
      rows.map(({ amount }) => amount),
      rows.map(({ held_until }) => held_until),
    ],
  );
  return rowCount ?? 0;
}
