import { highestMention } from '../mentions.ts';
import type { Staging } from '../staging.ts';
import { addressOf, idOf } from '../values.ts';
import { userMentions } from './mentions.ts';
import type { edd } from './source.ts';

/** The store's users who bought something. */
export interface Buyers {
  /** Ids of WordPress accounts. */
  readonly accounts: ReadonlySet<number>;
  /** User ids by customer id, and by lower-case address. */
  readonly ofCustomer: ReadonlyMap<number, number>;
  readonly ofAddress: ReadonlyMap<string, number>;
  /** User ids by the id of an order or licence that names nobody: each has a person of its own. */
  readonly ofOrder: ReadonlyMap<number, number>;
  readonly ofLicense: ReadonlyMap<number, number>;
  /** Buyers known only from orders, by their first order. */
  readonly guests: readonly Guest[];
}

export interface Guest {
  readonly id: number;
  readonly address: string | null;
  readonly orderId: string;
}

/**
 * Gives each customer a user: the customer's account, the account with the same address, or a new user with an id above
 * all in the shop. Deleted customers are told apart by the address in their orders.
 */
export function buyersOf(staging: Staging<typeof edd>): Buyers {
  const { database } = staging;
  const accounts = new Set<number>();
  const ofAddress = new Map<string, number>();
  for (const row of database
    .prepare('select * from users order by cast(ID as integer)')
    .iterate()) {
    const id = Number(row['ID']);
    const address = addressOf(row['user_email'] as string | null);
    accounts.add(id);
    if (address !== null && !ofAddress.has(address)) ofAddress.set(address, id);
  }
  let next = highestMention(staging, userMentions);
  const ofCustomer = new Map<number, number>();
  const customers = database.prepare('select * from edd_customers order by cast(id as integer)');
  for (const row of customers.iterate()) {
    const address = addressOf(row['email'] as string | null);
    const account = idOf(row['user_id'] as string | null);
    const user = account ?? (address === null ? undefined : ofAddress.get(address)) ?? ++next;
    ofCustomer.set(Number(row['id']), user);
    if (address !== null && !ofAddress.has(address)) ofAddress.set(address, user);
  }
  const ofOrder = new Map<number, number>();
  const guests: Guest[] = [];
  for (const { id: orderId, email } of ofNobody(database, orders, ofCustomer)) {
    const address = addressOf(email);
    if (address !== null && ofAddress.has(address)) continue;
    guests.push({ id: ++next, address, orderId });
    if (address === null) ofOrder.set(Number(orderId), next);
    else ofAddress.set(address, next);
  }
  const ofLicense = new Map<number, number>();
  for (const { id } of ofNobody(database, licenses, ofCustomer)) ofLicense.set(Number(id), ++next);
  return { accounts, ofCustomer, ofAddress, ofOrder, ofLicense, guests };
}

const orders = `select id, user_id, customer_id, email from edd_orders where type = 'sale'`;
const licenses = 'select id, user_id, customer_id, null as email from edd_licenses';

/** Selects the rows without an account or an existing customer. */
function* ofNobody(
  database: Staging<typeof edd>['database'],
  query: string,
  ofCustomer: ReadonlyMap<number, number>,
): Generator<BuyerNames & { readonly id: string }> {
  const rows = database
    .prepare(`select * from (${query}) where id_of(user_id) is null order by cast(id as integer)`)
    .iterate() as Iterable<unknown> as Iterable<BuyerNames & { readonly id: string }>;
  for (const row of rows) {
    const customer = idOf(row.customer_id);
    if (customer === null || !ofCustomer.has(customer)) yield row;
  }
}

/** The columns that name the buyer of an order or licence. */
export interface BuyerNames {
  readonly user_id: string | null;
  readonly customer_id: string | null;
  readonly email: string | null;
}

/** Returns the user of a row: its account, its customer's user, or the user with its address. */
export function buyerOf(row: BuyerNames, { ofCustomer, ofAddress }: Buyers): number | undefined {
  const customer = idOf(row.customer_id);
  const address = addressOf(row.email);
  return (
    idOf(row.user_id) ??
    (customer === null ? undefined : ofCustomer.get(customer)) ??
    (address === null ? undefined : ofAddress.get(address))
  );
}
