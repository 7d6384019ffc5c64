import type { Instant } from '../../../lib/instant.ts';
import { users } from '../../../schema/users.ts';
import { affiliateRows } from '../affiliatewp/affiliates.ts';
import { unescaped } from '../html-text.ts';
import { type Mapped, type StepContext, imported, withReasons } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { type ForeignPerson, erasedPerson, keptAddress, personRows } from '../records/person.ts';
import { sponsorsFirst } from '../sponsors.ts';
import { emailOf, idOf, utcOf } from '../values.ts';
import { metaReader } from '../wordpress-meta.ts';
import { areUnreadable, rolesOf } from '../wordpress-roles.ts';
import { orderReader } from './orders.ts';
import type { Plan } from './plan.ts';
import type { edd } from './source.ts';

type Context = StepContext<typeof edd, Plan>;
type Row = Readonly<Record<string, string | null>>;

/** Accounts of WordPress, then customers without one, guests, and those who are gone and whom others name. */
export function* people(context: Context): Generator<Mapped> {
  const { numbers, plan, staging } = context;
  yield* accounts(context);
  const made = new Set(plan.buyers.accounts);
  yield* customers(context, made);
  yield* guests(context, made);
  yield* erased(context, made);
  yield* affiliateRows(staging, plan.affiliates);
  for (const id of made) numbers.above(users, id);
}

const nobody = {
  firstName: '',
  lastName: '',
  displayName: '',
  phone: '',
  address: '',
  postalCode: '',
  country: '',
  bankInfo: '',
  sponsorId: null,
  groupId: null,
  roles: ['member'],
  externalIds: {},
  origin: { source: 'edd' },
} as const satisfies Partial<ForeignPerson>;

function* accounts({ staging, plan, now }: Context): Generator<Mapped> {
  const { prefix } = staging.facts;
  const metaOf = metaReader(staging, 'usermeta', 'user_id');
  const customersOf = customerReader(staging);
  const select = staging.database.prepare('select * from users where ID = ?');
  const { accounts: ids } = plan.buyers;
  const { active, sponsors } = plan.affiliates;
  const upline = {
    ids: [...ids].sort((a, b) => a - b),
    sponsorOf: (id: number) => (ids.has(id) ? (sponsors.get(id) ?? null) : undefined),
  };
  for (const { id, sponsorId, reason } of sponsorsFirst(upline)) {
    const row = select.get(String(id)) as Row;
    const meta = metaOf(id);
    const email = emailOf(row['user_email'] ?? null);
    const isHolder = email !== null && plan.buyers.ofAddress.get(email) === id;
    const capabilities = meta.get(`${prefix}capabilities`);
    const held = rolesOf(capabilities, active.has(id));
    const isAdministrator = held.includes('administrator') && !plan.keepsAdministrators;
    const customer = customersOf(id);
    const reasons: Reason[] = [
      ...(reason ? [reason] : []),
      ...(email === null ? (['email-impossible'] as const) : []),
      ...(email !== null && !isHolder ? (['email-taken'] as const) : []),
      ...(isAdministrator ? (['administrator'] as const) : []),
      ...(areUnreadable(capabilities) ? (['unreadable-details'] as const) : []),
    ];
    const written = personRows({
      ...nobody,
      id,
      email: isHolder ? email : null,
      firstName: unescaped(meta.get('first_name') ?? ''),
      lastName: unescaped(meta.get('last_name') ?? ''),
      displayName: unescaped(row['display_name'] ?? ''),
      sponsorId,
      roles: isAdministrator ? held.filter((role) => role !== 'administrator') : held,
      externalIds: {
        wordpress: String(id),
        ...(customer === undefined ? {} : { edd_customer: customer }),
      },
      origin: {
        source: 'edd',
        ...keptAddress(isHolder ? email : null, row['user_email']),
      },
      createdAt: utcOf(row['user_registered'] ?? null) ?? now,
    });
    yield withReasons(imported('users', id, [id], written), reasons);
  }
}

/** The first customer of an account. */
function customerReader({ database }: Context['staging']): (user: number) => string | undefined {
  const select = database.prepare(
    'select id from edd_customers where user_id = ? order by cast(id as integer) limit 1',
  );
  return (user) => {
    const found = select.get(String(user));
    return found === undefined ? undefined : String(found['id']);
  };
}

/** @param made the users there are so far, to which these are added */
function* customers({ staging, plan, now }: Context, made: Set<number>): Generator<Mapped> {
  const rows = staging.database
    .prepare('select * from edd_customers order by cast(id as integer)')
    .iterate() as Iterable<Row>;
  for (const row of rows) {
    const id = row['id'] ?? '';
    const user = plan.buyers.ofCustomer.get(Number(id)) ?? 0;
    const name = `customer ${id}`;
    const email = emailOf(row['email'] ?? null);
    const isHolder = email !== null && plan.buyers.ofAddress.get(email) === user;
    const impossible = email === null ? (['email-impossible'] as const) : [];
    if (made.has(user)) {
      yield withReasons(imported('users', name, [user], []), ['joined', ...impossible]);
      continue;
    }
    made.add(user);
    const written = personRows({
      ...nobody,
      ...named(row['name']),
      id: user,
      email: isHolder ? email : null,
      externalIds: { edd_customer: id },
      origin: { source: 'edd', ...keptAddress(isHolder ? email : null, row['email']) },
      createdAt: utcOf(row['date_created'] ?? null) ?? now,
    });
    const isGuest = idOf(row['user_id']) === null;
    yield withReasons(imported('users', name, [user], written), [
      isGuest ? 'guest' : 'deleted-in-source',
      ...impossible,
      ...(email !== null && !isHolder ? (['email-taken'] as const) : []),
    ]);
  }
}

/** People whom the shop knows by their orders alone, as the first of these describes them. */
function* guests({ staging, plan, now }: Context, made: Set<number>): Generator<Mapped> {
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
    yield withReasons(imported('users', `guest-${orderId}`, [id], rows), [
      'guest',
      ...(email === null ? (['email-impossible'] as const) : []),
    ]);
  }
}

/** A name in one piece as the parts of one. */
function named(name: string | null | undefined) {
  const [firstName = '', ...rest] = (name ?? '').trim().split(/\s+/);
  return { firstName, lastName: rest.join(' '), displayName: name ?? '' };
}

/** People without an account or a customer any more, and the owners of licences without a buyer. */
function* erased({ staging, plan, now }: Context, made: Set<number>): Generator<Mapped> {
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
    yield placeholder(String(id), id, now);
  }
  const read = orderReader(staging, plan);
  const select = staging.database.prepare(
    'select payment_id as "order" from edd_licenses where id = ?',
  );
  for (const [license, id] of plan.buyers.ofLicense) {
    const found = read(String(select.get(String(license))?.['order']));
    if (found && 'parts' in found) continue;
    made.add(id);
    yield placeholder(`license ${license}`, id, now);
  }
}

function placeholder(name: string, id: number, at: Instant): Mapped {
  const mapped = imported('users', name, [id], [erasedPerson(id, at)]);
  return { ...mapped, outcome: 'placeholder', reasons: ['deleted-in-source'] };
}
