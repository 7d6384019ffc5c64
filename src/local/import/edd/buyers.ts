import type { Staging } from '../staging.ts';
import { emailOf, idOf } from '../values.ts';
import type { edd } from './source.ts';

/** Who customers are with us. */
export interface Buyers {
  /** Accounts of WordPress. */
  readonly accounts: ReadonlySet<number>;
  /** Users by the customer's id, and by the address in lower case. */
  readonly ofCustomer: ReadonlyMap<number, number>;
  readonly ofEmail: ReadonlyMap<string, number>;
  /** Those of customers who are gone, of whom orders have the address: in the order of the first of these. */
  readonly guests: readonly Guest[];
  /** Somebody for orders that name nobody. */
  readonly unknown: number;
}

/** Somebody of whom the shop has nothing but orders. */
export interface Guest {
  readonly id: number;
  readonly email: string;
  /** The id of the first order. */
  readonly orderId: string;
}

/**
 * Gives each customer a user: their account, the account with their address, or a new user, whose id is above
 * all that the shop mentions. A customer who was deleted has one by the address that their orders keep.
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
  const guests: Guest[] = [];
  for (const { id: orderId, email: text } of ofNobody(database, ofCustomer)) {
    const email = emailOf(text);
    if (email === null || ofEmail.has(email)) continue;
    guests.push({ id: ++next, email, orderId });
    ofEmail.set(email, next);
  }
  return { accounts, ofCustomer, ofEmail, guests, unknown: next + 1 };
}

/** Orders that name neither an account nor a customer that is there. */
function* ofNobody(
  database: Staging<typeof edd>['database'],
  ofCustomer: ReadonlyMap<number, number>,
): Generator<Naming & { readonly id: string }> {
  const rows = database
    .prepare(
      `select id, user_id, customer_id, email from edd_orders
        where type = 'sale' and id_of(user_id) is null order by cast(id as integer)`,
    )
    .iterate() as Iterable<unknown> as Iterable<Naming & { readonly id: string }>;
  for (const row of rows) {
    const customer = idOf(row.customer_id);
    if (customer === null || !ofCustomer.has(customer)) yield row;
  }
}

/** What orders and licences name their buyer by. */
export interface Naming {
  readonly user_id: string | null;
  readonly customer_id: string | null;
  readonly email: string | null;
}

/** Their account, the customer's user, the user with the address; who names nobody is nobody known. */
export function buyerOf(row: Naming, { ofCustomer, ofEmail, unknown }: Buyers): number {
  const customer = idOf(row.customer_id);
  const email = emailOf(row.email);
  return (
    idOf(row.user_id) ??
    (customer === null ? undefined : ofCustomer.get(customer)) ??
    (email === null ? undefined : ofEmail.get(email)) ??
    unknown
  );
}

function highestMentioned(database: Staging<typeof edd>['database']): number {
  const { n } = database
    .prepare(
      `select max(n) as n from (
         select max(id_of(ID)) as n from users
         union all select max(id_of(user_id)) from edd_orders
         union all select max(id_of(user_id)) from edd_customers
         union all select max(id_of(user_id)) from edd_licenses
         union all select max(id_of(user_id)) from affiliate_wp_affiliates)`,
    )
    .get() as { n: number | null };
  return n ?? 0;
}
