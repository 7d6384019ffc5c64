import type { Client } from 'pg';
import { withDatabase } from '../support/database.ts';
import { placeOf } from './databases.ts';

/** An amount that an order waits for, or that is reserved for late transfers. */
interface Claim {
  readonly currency: string;
  readonly amount: string;
  readonly order_id: string | null;
  readonly unique_code: string | null;
  readonly held_until: string;
  /** The time until which a transfer of this amount may belong to an order that had it before. */
  readonly earlier_until: string | null;
  /** The code in the amount of that earlier order. */
  readonly earlier_code: string | null;
}

const utc = (time: string) => `to_char((${time}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** A line of a bank statement, as it is stored. */
type Transfer = Readonly<Record<string, unknown>>;

/** Reads the transfers that a database got to know after a time. */
export async function readTransfers(database: Client, since: string): Promise<Transfer[]> {
  const { rows } = await database.query<{ transfer: Transfer }>(
    `select to_jsonb(m) as transfer from bank_mutations m
      where created_at > $1::timestamptz - interval '1 hour'`,
    [since],
  );
  return rows.map(({ transfer }) => transfer);
}

/**
 * Stores the transfers of a previous database in the restored one, for a person: the bank's list is read again, and a
 * transfer that paid a lost order would pay another. One that paid an order of the backup pays it again.
 */
export async function keepTransfers(transfers: readonly Transfer[], restored: Client) {
  await restored.query(
    `insert into bank_mutations overriding system value
     select (jsonb_populate_record(null::bank_mutations, t || jsonb_build_object(
              'id', nextval(pg_get_serial_sequence('bank_mutations', 'id')), 'order_id', null,
              'status', case t ->> 'status' when 'ignored' then 'ignored' else 'open' end))).*
       from jsonb_array_elements($1::jsonb) t
      where t ->> 'status' <> 'matched'
         or not exists (select from orders where id = (t ->> 'order_id')::bigint)
         on conflict (source, mutation_id) do nothing`,
    [JSON.stringify(transfers)],
  );
}

/**
 * Reads the transfer amounts of a database, each with the time until which a transfer of it may come. A former version may
 * have made the database.
 */
export async function readAmounts(database: Client): Promise<Claim[]> {
  const { rows } = await database.query<Claim>(
    `select c.currency, c.amount, c.order_id,
            case when c.held_until is null then o.unique_code
                 else coalesce((to_jsonb(c) ->> 'unique_code')::bigint, o.unique_code) end as unique_code,
            ${utc('c.earlier_until')} as earlier_until,
            (to_jsonb(c) ->> 'earlier_code')::bigint as earlier_code,
            ${utc(`greatest(c.earlier_until, coalesce(c.held_until, greatest(o.expires_at, now())
              + make_interval(days => s.transfer_hold_days)))`)} as held_until
       from payable_claims c cross join settings s left join orders o on o.id = c.order_id`,
  );
  return rows;
}

/**
 * Reserves the transfer amounts of a previous database in the restored one. Buyers of orders that it lost may still
 * transfer them, and would pay another order of the same amount. Amounts of orders that it has stay theirs.
 * @returns the number of amounts, also those of orders that the restored database has
 */
export async function reserveAmounts(claims: readonly Claim[], restored: Client): Promise<number> {
  const { rowCount } = await restored.query(
    `insert into payable_claims as c (currency, amount, order_id, unique_code, held_until, earlier_until, earlier_code)
     select p.currency, p.amount, o.id, p.unique_code, p.held_until, p.earlier_until, p.earlier_code
       from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::timestamptz[], $7::bigint[])
              as p(currency, amount, order_id, unique_code, held_until, earlier_until, earlier_code)
       left join orders o on o.id = p.order_id
         on conflict (currency, amount) do update set
            held_until = case when c.held_until is not null then greatest(c.held_until, excluded.held_until) end,
            earlier_until = greatest(c.earlier_until, excluded.earlier_until,
              case when c.order_id is distinct from excluded.order_id then excluded.held_until end),
            earlier_code = case when c.order_id is distinct from excluded.order_id then excluded.unique_code
                                else c.earlier_code end`,
    [
      claims.map(({ currency }) => currency),
      claims.map(({ amount }) => amount),
      claims.map(({ order_id }) => order_id),
      claims.map(({ unique_code }) => unique_code),
      claims.map(({ held_until }) => held_until),
      claims.map(({ earlier_until }) => earlier_until),
      claims.map(({ earlier_code }) => earlier_code),
    ],
  );
  return rowCount ?? 0;
}

/**
 * Keeps the transfers of previous databases for a person, and their amounts from new orders. Goes on without databases
 * that do not answer.
 * @param direct the restored database
 * @param since the time of the backup
 * @returns the result, and a line for each database that was not read
 */
export async function keepLostTransfers(
  previous: readonly string[],
  direct: string,
  since: string,
): Promise<string> {
  const unread: string[] = [];
  let kept = 0;
  for (const url of previous) {
    const found = await withDatabase(url, async (client) => ({
      claims: await readAmounts(client),
      transfers: await readTransfers(client, since),
    })).catch((error: Error) => {
      unread.push(`  not those of ${placeOf({ direct: url })}: ${error.message}`);
      return { claims: [], transfers: [] };
    });
    kept += await withDatabase(direct, async (restored) => {
      await keepTransfers(found.transfers, restored);
      return reserveAmounts(found.claims, restored);
    });
  }
  return [`${kept} amounts of previous databases are reserved`, ...unread].join('\n');
}
