import type { Staging } from '../staging.ts';
import { emailOf } from '../records/person.ts';
import { idOf } from '../values.ts';
import type { edd } from './source.ts';

/** Who customers are with us. */
export interface Buyers {
  /** Accounts of WordPress. */
  readonly accounts: ReadonlySet<number>;
  /** Users by the customer's id, and by the address in lower case. */
  readonly ofCustomer: ReadonlyMap<number, number>;
  readonly ofEmail: ReadonlyMap<string, number>;
  /** Somebody for orders that name nobody. */
  readonly unknown: number;
}

/**
 * Gives each customer a user: their account, the account with their address, or a new user, whose id is above
 * all that the shop mentions.
 */
export function buyersOf({ database }: Staging<typeof edd>): Buyers {
  const accounts = new Set<number>();
  const ofEmail = new Map<string, number>();
  for (const row of database
    .prepare('select * from users order by cast(ID as integer)')
    .iterate()) {
    const id = Number(row['ID']);
    const email = emailOf(row['user_email'] as string | null);
    accounts.add(id);
    if (email !== null && !ofEmail.has(email)) ofEmail.set(email, id);
  }
  let next = highestMentioned(database);
  const ofCustomer = new Map<number, number>();
  const customers = database.prepare('select * from edd_customers order by cast(id as integer)');
  for (const row of customers.iterate()) {
    const email = emailOf(row['email'] as string | null);
    const account = idOf(row['user_id'] as string | null);
    const user = account ?? (email === null ? undefined : ofEmail.get(email)) ?? ++next;
    ofCustomer.set(Number(row['id']), user);
    if (email !== null && !ofEmail.has(email)) ofEmail.set(email, user);
  }
  return { accounts, ofCustomer, ofEmail, unknown: next + 1 };
}

function highestMentioned(database: Staging<typeof edd>['database']): number {
  const { n } = database
    .prepare(
      `select max(n) as n from (
         select max(cast(ID as integer)) as n from users
         union all select max(cast(user_id as integer)) from edd_orders
         union all select max(cast(user_id as integer)) from edd_customers
         union all select max(cast(user_id as integer)) from edd_licenses
         union all select max(cast(user_id as integer)) from affiliate_wp_affiliates)`,
    )
    .get() as { n: number | null };
  return n ?? 0;
}
