import { accountsOf } from '../records/account.ts';
import { idsOf } from '../ids.ts';
import { type MappedRow, because, mapped } from '../mapped.ts';
import { erasedPerson, personRows } from '../records/person.ts';
import type { Upline } from '../sponsors.ts';
import { addAddressFunctions, idOf, isStrangeId } from '../values.ts';
import type { Context, SejoliStep, StagedShop } from './plan.ts';

/** Imports everybody with an account, sponsors before those they sponsor, then deleted people whom others name. */
export const peopleStep: SejoliStep = {
  entity: 'users',
  ids: [{ entity: 'users', table: 'users' }],
  *map(context) {
    yield* accounts(context);
    yield* erased(context);
  },
};

function* accounts({ staging, plan, now }: Context): Generator<MappedRow> {
  const groups = idsOf(staging, `select ID as id from posts where post_type = 'sejoli-user-group'`);
  const withTakenEmail = sharedEmails(staging);
  const country = { MYR: 'MY', IDR: 'ID' }[plan.currency] ?? '';
  const keeping = {
    upline: uplineOf(staging),
    holds: (id: number) => !withTakenEmail.has(id),
    keepsAdministrators: plan.keepsAdministrators,
    source: 'sejoli',
    now,
  };
  for (const { id, meta, person, facts } of accountsOf(staging, keeping)) {
    const group = idOf(meta.get('_user_group'));
    const isGroup = group !== null && groups.has(group);
    const destination = meta.get('_destination_name');
    const rows = personRows({
      ...person,
      phone: meta.get('_phone') ?? '',
      address: meta.get('_address') ?? '',
      postalCode: meta.get('_postal_code') ?? '',
      country,
      bankInfo: meta.get('_bank_info') ?? '',
      groupId: isGroup ? group : null,
      origin: { ...person.origin, ...(destination ? { destination } : {}) },
    });
    const isStrange = ['_affiliate_id', '_user_group'].some((key) => isStrangeId(meta.get(key)));
    const isGroupMissing = group !== null && !isGroup;
    const own = {
      ...{ 'group-missing': isGroupMissing, 'unreadable-details': false },
      'no-counterpart': hasPageSettings(meta),
    };
    const reasons = because({ 'value-impossible': isStrange, ...facts, ...own });
    yield mapped('users', id, { rows, reasons });
  }
}

/** Tells if an affiliate shows a bonus of their own on pages of products, or counts visits there with a pixel. */
const hasPageSettings = (meta: ReadonlyMap<string, string>): boolean =>
  ['_sejoli_bonus_affiliate_', '_sejoli_id_pixel_affiliate_'].some((start) =>
    [...meta].some(([key, value]) => key.startsWith(start) && value.trim() !== ''),
  );

/** Imports people whose account is gone: a row without personal data, so that nobody else gets their id. */
function* erased({ staging, now }: Context): Generator<MappedRow> {
  const mentioned = idsOf(
    staging,
    `select id from (
       select user_id as id from sejolisa_orders union select affiliate_id from sejolisa_orders
       union select affiliate_id from sejolisa_affiliates union select user_id from sejolisa_coupons
       union select user_id from sejolisa_licenses union select user_id from sejolisa_subscriptions
       union select user_id from sejolisa_confirmations)
      where cast(id as integer) not in (select cast(ID as integer) from users)`,
  );
  for (const id of [...mentioned].sort((a, b) => a - b))
    yield mapped('users', id, erasedPerson(id, now));
}

/**
 * Returns the people who lose their address to another account: of several with one address, the one with the newest
 * order keeps it, otherwise the newest account.
 */
function sharedEmails(staging: StagedShop): ReadonlySet<number> {
  addAddressFunctions(staging.database);
  return idsOf(
    staging,
    `select id from (
       select u.ID as id, row_number() over (
                partition by email_of(u.user_email)
                order by coalesce(o.last, '') desc, cast(u.ID as integer) desc) as place
         from users u
         left join (select user_id, max(created_at) as last from sejolisa_orders group by 1) o
           on o.user_id = u.ID)
      where place > 1`,
  );
}

function uplineOf({ database }: StagedShop): Upline {
  const all = database.prepare('select cast(ID as integer) as id from users order by 1');
  const select = database.prepare(
    `select m.meta_value as sponsor from users u
       left join usermeta m on m.user_id = u.ID and m.meta_key = '_affiliate_id'
      where u.ID = ? order by m.rowid desc limit 1`,
  );
  return {
    ids: numbersOf(all.iterate()),
    sponsorOf(id) {
      const row = select.get(String(id));
      return row && idOf(row['sponsor'] === null ? null : String(row['sponsor']));
    },
  };
}

function* numbersOf(rows: Iterable<Record<string, unknown>>): Generator<number> {
  for (const { id } of rows) yield Number(id);
}
