import { accountsOf } from '../records/account.ts';
import { affiliateIds, affiliateRows } from '../affiliatewp/affiliates.ts';
import { unescaped } from '../html-text.ts';
import { idsOf } from '../ids.ts';
import { type MappedRow, because, mapped } from '../mapped.ts';
import { countOf } from '../own-ids.ts';
import { erasedPerson, keptAddress, nobody, personRows } from '../records/person.ts';
import { uplineOf } from '../sponsors.ts';
import { emailOf, localOf, utcOf } from '../values.ts';
import { firstOfEach } from '../wordpress-meta.ts';
import type { StagedShop } from './gathered.ts';
import type { Context, WooStep } from './plan.ts';

const ids = [{ entity: 'users', table: 'users' } as const, ...affiliateIds];

/**
 * Imports everybody with an account, sponsors before those they sponsor, then deleted people whom others name, then
 * guests.
 */
export const peopleStep: WooStep = {
  entity: 'users',
  ids,
  count: (staging) =>
    countOf(staging, ids) +
    Number(staging.database.prepare('select count(*) as n from guest').get()?.['n']),
  *map(context) {
    const { staging, plan, now } = context;
    const known = idsOf(staging, 'select ID as id from users');
    yield* accounts(context, known);
    // People whose account is gone get a row without personal data, so that nobody else gets their id.
    const mentioned = idsOf(
      staging,
      'select customer_id as id from wanted_order union select user_id from affiliate_wp_affiliates',
    );
    for (const id of [...mentioned].sort((a, b) => a - b))
      if (!known.has(id)) yield mapped('users', id, erasedPerson(id, now));
    yield* guests(context);
    yield* affiliateRows(staging, plan.affiliates);
  },
};

function* accounts(
  { staging, plan, now }: Context,
  known: ReadonlySet<number>,
): Generator<MappedRow> {
  const holder = staging.database.prepare('select id from holder where address = ?');
  const { active, paymentEmails, sponsors } = plan.affiliates;
  const found = accountsOf(staging, {
    upline: uplineOf(known, sponsors),
    holds: (id, email) => holder.get(email)?.['id'] === id,
    sells: (id) => active.has(id),
    keepsAdministrators: plan.keepsAdministrators,
    source: 'woocommerce',
    now,
  });
  for (const { id, meta, person, facts } of found) {
    const billing = (part: string) => unescaped(meta.get(`billing_${part}`) ?? '');
    const rows = personRows({
      ...person,
      ...contactOf(billing),
      firstName: person.firstName || billing('first_name'),
      lastName: person.lastName || billing('last_name'),
      bankInfo: paymentEmails.get(id) ?? '',
    });
    yield mapped('users', id, { rows, reasons: because(facts) });
  }
}

/** Imports people without an account, with the data of their first order, or else of their first key. */
function* guests({ staging, plan, now }: Context): Generator<MappedRow> {
  const billing = addressReader(staging, plan.isInTables);
  const all = staging.database
    .prepare(
      `select g.*, coalesce(o.email, k.email) as said, o.created, k.date_created, k.first_name, k.last_name
         from guest g left join shop_order o on o.id = g.first_order
         left join lic_key_tbl k on k.id = cast(g.first_key as text) order by g.id`,
    )
    .iterate() as Iterable<Readonly<Record<string, string | number | null>>>;
  for (const row of all) {
    const id = Number(row['id']);
    const text = (column: string) => (row[column] === null ? null : String(row[column]));
    const email = emailOf(text('address'));
    const isBuyer = row['first_order'] !== null;
    const of = isBuyer
      ? billing(Number(row['first_order']), 'billing')
      : firstOfEach(
          ['first_name', 'last_name'].map((part): [string, string] => [part, text(part) ?? '']),
        );
    const createdAt = isBuyer
      ? utcOf(text('created'))
      : localOf(text('date_created'), plan.timezone);
    const rows = personRows({
      ...nobody,
      id,
      email,
      ...contactOf((part) => of.get(part)),
      firstName: of.get('first_name') ?? '',
      lastName: of.get('last_name') ?? '',
      origin: { source: 'woocommerce', guest: true, ...keptAddress(email, text('said')) },
      createdAt: createdAt ?? now,
    });
    const name = isBuyer ? text('first_order') : `key-${text('first_key')}`;
    const reasons = because({ guest: true, 'email-impossible': email === null });
    yield mapped('users', `guest-${name}`, { rows, targets: [id], reasons });
  }
}

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

/** Reads the addresses of orders: their parts, by name. The block checkout stores them HTML-escaped. */
export function addressReader(
  { database }: StagedShop,
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
