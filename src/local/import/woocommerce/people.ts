import type { Instant } from '../../../lib/instant.ts';
import { affiliateRows } from '../affiliatewp/affiliates.ts';
import { unescaped } from '../html-text.ts';
import { idsOf } from '../ids.ts';
import { type Mapped, type StepContext, imported, withReasons } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { erasedPerson, keptAddress, personRows } from '../records/person.ts';
import { sponsorsFirst } from '../sponsors.ts';
import { emailOf, localOf, utcOf } from '../values.ts';
import { firstOfEach, metaReader } from '../wordpress-meta.ts';
import { areUnreadable, rolesOf } from '../wordpress-roles.ts';
import type { Shop } from './gathered.ts';
import type { Plan } from './plan.ts';
import type { woocommerce } from './source.ts';

type Context = StepContext<typeof woocommerce, Plan>;
type Row = Readonly<Record<string, string | null>>;

/** Everybody with an account, sponsors before those they sponsor, then those who are gone and whom others name, then guests. */
export function* peopleStep({ staging, plan, now }: Context): Generator<Mapped> {
  const { database } = staging;
  const meta = metaReader(staging, 'usermeta', 'user_id');
  const holder = database.prepare('select id from holder where address = ?');
  const select = database.prepare('select * from users where ID = ?');
  const ids = idsOf(staging, 'select ID as id from users');
  const { active, sponsors } = plan.affiliates;
  const upline = {
    ids: [...ids].sort((a, b) => a - b),
    sponsorOf: (id: number) => (ids.has(id) ? (sponsors.get(id) ?? null) : undefined),
  };
  for (const { id, sponsorId, reason } of sponsorsFirst(upline)) {
    const row = select.get(String(id)) as Row;
    const of = meta(id);
    const email = emailOf(row['user_email'] ?? null);
    const isHolder = email !== null && holder.get(email)?.['id'] === id;
    const capabilities = of.get(`${staging.facts.prefix}capabilities`);
    const held = rolesOf(capabilities, active.has(id));
    const isReduced = held.includes('administrator') && !plan.keepsAdministrators;
    const reasons: Reason[] = [
      ...(reason ? [reason] : []),
      ...(email === null ? (['email-impossible'] as const) : []),
      ...(email !== null && !isHolder ? (['email-taken'] as const) : []),
      ...(isReduced ? (['administrator'] as const) : []),
      ...(areUnreadable(capabilities) ? (['unreadable-details'] as const) : []),
    ];
    const rows = personRows({
      id,
      email: isHolder ? email : null,
      ...contactOf((part) => unescaped(of.get(`billing_${part}`) ?? '')),
      firstName: unescaped(of.get('first_name') || of.get('billing_first_name') || ''),
      lastName: unescaped(of.get('last_name') || of.get('billing_last_name') || ''),
      displayName: unescaped(row['display_name'] ?? ''),
      bankInfo: '',
      sponsorId,
      groupId: null,
      roles: isReduced ? held.filter((role) => role !== 'administrator') : held,
      externalIds: { wordpress: String(id) },
      origin: {
        source: 'woocommerce',
        ...keptAddress(isHolder ? email : null, row['user_email']),
      },
      createdAt: utcOf(row['user_registered'] ?? null) ?? now,
    });
    yield withReasons(imported('users', id, [id], rows), reasons);
  }
  yield* erased(staging, ids, now);
  yield* guests(staging, plan, now);
  yield* affiliateRows(staging, plan.affiliates);
}

/** Those who have no account any more: a row without anything personal, so that their id is never somebody else's. */
function* erased(staging: Shop, ids: ReadonlySet<number>, at: Instant): Generator<Mapped> {
  const mentioned = idsOf(
    staging,
    'select customer_id as id from wanted_order union select user_id from affiliate_wp_affiliates',
  );
  for (const id of [...mentioned].sort((a, b) => a - b)) {
    if (ids.has(id)) continue;
    const placeholder = imported('users', id, [id], [erasedPerson(id, at)]);
    yield { ...placeholder, outcome: 'placeholder', reasons: ['deleted-in-source'] };
  }
}

/** Those without an account, by the first order of theirs or else the first key: what it says is what is known. */
function* guests(staging: Shop, { isInTables, timezone }: Plan, now: Instant): Generator<Mapped> {
  const billing = addressReader(staging, isInTables);
  const rows = staging.database
    .prepare(
      `select g.*, coalesce(o.email, k.email) as said, o.created, k.date_created, k.first_name, k.last_name
         from guest g left join shop_order o on o.id = g.first_order
         left join lic_key_tbl k on k.id = cast(g.first_key as text) order by g.id`,
    )
    .iterate() as Iterable<Readonly<Record<string, string | number | null>>>;
  for (const row of rows) {
    const id = Number(row['id']);
    const text = (column: string) => (row[column] === null ? null : String(row[column]));
    const email = emailOf(text('address'));
    const isBuyer = row['first_order'] !== null;
    const of = isBuyer
      ? billing(Number(row['first_order']), 'billing')
      : firstOfEach(
          ['first_name', 'last_name'].map((part): [string, string] => [part, text(part) ?? '']),
        );
    const createdAt = isBuyer ? utcOf(text('created')) : localOf(text('date_created'), timezone);
    const person = personRows({
      id,
      email,
      ...contactOf((part) => of.get(part)),
      firstName: of.get('first_name') ?? '',
      lastName: of.get('last_name') ?? '',
      displayName: '',
      bankInfo: '',
      sponsorId: null,
      groupId: null,
      roles: ['member'],
      externalIds: {},
      origin: { source: 'woocommerce', guest: true, ...keptAddress(email, text('said')) },
      createdAt: createdAt ?? now,
    });
    const name = isBuyer ? text('first_order') : `key-${text('first_key')}`;
    yield withReasons(imported('users', `guest-${name}`, [id], person), [
      'guest',
      ...(email === null ? (['email-impossible'] as const) : []),
    ]);
  }
}

/** Where somebody can be reached, by the parts of a billing address. */
function contactOf(part: (name: string) => string | undefined) {
  const lines = [
    part('company'),
    part('address_1'),
    part('address_2'),
    part('city'),
    part('state'),
  ];
  return {
    phone: part('phone') ?? '',
    address: lines.filter(Boolean).join(', '),
    postalCode: part('postcode') ?? '',
    country: part('country') ?? '',
  };
}

/** Reads the addresses of orders: their parts, by name. The checkout of blocks keeps them escaped. */
export function addressReader(
  { database }: Shop,
  isInTables: boolean,
): (order: number, kind: 'billing' | 'shipping') => ReadonlyMap<string, string> {
  const select = database.prepare(
    isInTables
      ? 'select * from wc_order_addresses where order_id = ? and address_type = ?'
      : `select meta_key, meta_value from postmeta
          where post_id = ?1 and substr(meta_key, 1, length(?2) + 2) = '_' || ?2 || '_'`,
  );
  return (order, kind) => {
    const rows = select.all(String(order), kind);
    const parts = isInTables
      ? Object.entries(rows[0] ?? {})
      : rows.map((row) => [String(row['meta_key']).slice(kind.length + 2), row['meta_value']]);
    return firstOfEach(
      parts.map(([name, value]) => [String(name), unescaped(String(value ?? ''))]),
    );
  };
}
