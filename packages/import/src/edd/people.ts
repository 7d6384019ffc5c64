import { users } from '../../../../src/exports/store.ts';
import { accountsOf } from '../records/account.ts';
import { affiliateIds, affiliateRows } from '../affiliatewp/affiliates.ts';
import { type MappedRow, because, mapped } from '../mapped.ts';
import { ordersIn } from '../records/order.ts';
import { erasedPerson, keptAddress, nobody, personRows } from '../records/person.ts';
import { uplineOf } from '../sponsors.ts';
import { emailOf, idOf, utcOf } from '../values.ts';
import { orderReader } from './orders.ts';
import type { Context, EddStep } from './plan.ts';

type Row = Readonly<Record<string, string | null>>;

/** Imports accounts of WordPress, then customers without one, guests, and deleted people whom other rows name. */
export const peopleStep: EddStep = {
  entity: 'users',
  ids: [
    { entity: 'users', table: 'users' },
    { entity: 'users', table: 'edd_customers', prefix: 'customer ' },
    ...affiliateIds,
  ],
  *map(context) {
    const { numbers, plan, staging } = context;
    yield* accounts(context);
    const made = new Set(plan.buyers.accounts);
    yield* customers(context, made);
    yield* guests(context, made);
    yield* erased(context, made);
    yield* affiliateRows(staging, plan.affiliates);
    for (const id of made) numbers.above(users, id);
  },
};

function* accounts({ staging, plan, now }: Context): Generator<MappedRow> {
  const customersOf = customerReader(staging);
  const { accounts: ids, ofAddress } = plan.buyers;
  const { active, paymentEmails, sponsors } = plan.affiliates;
  const found = accountsOf(staging, {
    upline: uplineOf(ids, sponsors),
    holds: (id, email) => ofAddress.get(email) === id,
    sells: (id) => active.has(id),
    keepsAdministrators: plan.keepsAdministrators,
    source: 'edd',
    now,
  });
  for (const { id, person, facts } of found) {
    const customer = customersOf(id);
    const ofCustomer = customer === undefined ? {} : { edd_customer: customer };
    const externalIds = { ...person.externalIds, ...ofCustomer };
    const bankInfo = paymentEmails.get(id) ?? '';
    const rows = personRows({ ...person, externalIds, bankInfo });
    yield mapped('users', id, { rows, reasons: because(facts) });
  }
}

function customerReader({ database }: Context['staging']): (user: number) => string | undefined {
  const select = database.prepare(
    'select id from edd_customers where user_id = ? order by cast(id as integer) limit 1',
  );
  return (user) => {
    const found = select.get(String(user));
    return found === undefined ? undefined : String(found['id']);
  };
}

/** @param made the users so far, to which these are added */
function* customers({ staging, plan, now }: Context, made: Set<number>): Generator<MappedRow> {
  const rows = staging.database
    .prepare('select * from edd_customers order by cast(id as integer)')
    .iterate() as Iterable<Row>;
  const more = staging.database.prepare(
    `select 1 from edd_customer_email_addresses where customer_id = ? and lower(trim(email)) <> lower(trim(?))`,
  );
  for (const row of rows) {
    const id = row['id'] ?? '';
    const user = plan.buyers.ofCustomer.get(Number(id)) ?? 0;
    const name = `customer ${id}`;
    const email = emailOf(row['email'] ?? null);
    const isHolder = email !== null && plan.buyers.ofAddress.get(email) === user;
    const facts = {
      'email-impossible': email === null,
      'several-addresses': more.get(id, row['email'] ?? '') !== undefined,
    };
    if (made.has(user)) {
      const reasons = because({ joined: true, ...facts });
      yield mapped('users', name, { rows: [], targets: [user], reasons });
      continue;
    }
    made.add(user);
    const written = personRows({
      ...nobody,
      ...named(row['name']),
      id: user,
      email: isHolder ? email : null,
      bankInfo: plan.affiliates.paymentEmails.get(user) ?? '',
      externalIds: { edd_customer: id },
      origin: { source: 'edd', ...keptAddress(isHolder ? email : null, row['email']) },
      createdAt: utcOf(row['date_created'] ?? null) ?? now,
    });
    const isGuest = idOf(row['user_id']) === null;
    const reasons = because({
      [isGuest ? 'guest' : 'deleted-in-source']: true,
      ...facts,
      'email-taken': email !== null && !isHolder,
    });
    yield mapped('users', name, { rows: written, targets: [user], reasons });
  }
}

/** Imports people known only from orders, with the data of their first order. */
function* guests({ staging, plan, now }: Context, made: Set<number>): Generator<MappedRow> {
  const select = staging.database.prepare(
    `select a.*, o.email, o.date_created from edd_orders o left join edd_order_addresses a on a.order_id = o.id
      where o.id = ? order by a.type is not 'billing' limit 1`,
  );
  for (const { id, address, orderId } of plan.buyers.guests) {
    made.add(id);
    const said = select.get(orderId) as Row;
    const email = emailOf(address);
    const lines = ['address', 'address2', 'city', 'region'].map((part) => said[part]);
    const rows = personRows({
      ...nobody,
      ...named(said['name']),
      id,
      email,
      address: lines.filter(Boolean).join(', '),
      postalCode: said['postal_code'] ?? '',
      country: said['country'] ?? '',
      origin: { source: 'edd', guest: true, ...keptAddress(email, said['email']) },
      createdAt: utcOf(said['date_created'] ?? null) ?? now,
    });
    const reasons = because({ guest: true, 'email-impossible': email === null });
    yield mapped('users', `guest-${orderId}`, { rows, targets: [id], reasons });
  }
}

function named(name: string | null | undefined) {
  const [firstName = '', ...rest] = (name ?? '').trim().split(/\s+/);
  return { firstName, lastName: rest.join(' '), displayName: name ?? '' };
}

/** Imports people whose account is gone, and the owners of licences without a buyer. */
function* erased({ staging, plan, now }: Context, made: Set<number>): Generator<MappedRow> {
  const rows = staging.database
    .prepare(
      `select id_of(user_id) as id from edd_orders
       union select id_of(user_id) from edd_licenses
       union select id_of(user_id) from affiliate_wp_affiliates order by 1`,
    )
    .all();
  for (const row of rows) {
    const id = idOf(String(row['id']));
    if (id === null || made.has(id)) continue;
    made.add(id);
    yield mapped('users', id, erasedPerson(id, now));
  }
  const read = orderReader(staging, plan);
  const select = staging.database.prepare(
    'select payment_id as "order" from edd_licenses where id = ?',
  );
  for (const [license, id] of plan.buyers.ofLicense) {
    if (ordersIn(read(String(select.get(String(license))?.['order']))).length > 0) continue;
    made.add(id);
    yield mapped('users', `license ${license}`, erasedPerson(id, now));
  }
}
