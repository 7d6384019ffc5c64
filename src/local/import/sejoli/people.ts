import type { Instant } from '../../../lib/instant.ts';
import { users } from '../../../schema/users.ts';
import { unescaped } from '../html-text.ts';
import { idsOf } from '../ids.ts';
import { type Mapped, type StepContext, imported, withReasons } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { erasedPerson, keptAddress, personRows } from '../records/person.ts';
import { type Upline, sponsorsFirst } from '../sponsors.ts';
import { addAddressFunctions, emailOf, idOf, isStrangeId, utcOf } from '../values.ts';
import { metaReader } from '../wordpress-meta.ts';
import { rolesOf } from '../wordpress-roles.ts';
import type { Plan, Shop } from './plan.ts';
import type { sejoli } from './source.ts';

type Context = StepContext<typeof sejoli, Plan>;

/** Everybody with an account, sponsors before those they sponsor, then those who are gone and whom others name. */
export function* people({ staging, plan, numbers, now }: Context): Generator<Mapped> {
  const { database } = staging;
  const meta = metaReader(staging, 'usermeta', 'user_id');
  const groups = idsOf(staging, `select ID as id from posts where post_type = 'sejoli-user-group'`);
  const withTakenEmail = sharedEmails(staging);
  const select = database.prepare('select * from users where ID = ?');
  for (const { id, sponsorId, reason } of sponsorsFirst(uplineOf(staging))) {
    const row = select.get(String(id)) as Record<string, string | null>;
    const of = meta(id);
    const [group, email] = [idOf(of.get('_user_group')), emailOf(row['user_email'] ?? null)];
    const isHolder = email !== null && !withTakenEmail.has(id);
    const held = rolesOf(of.get(`${staging.facts.prefix}capabilities`));
    const isAdministrator = held.includes('administrator');
    const isStrange = isStrangeId(of.get('_affiliate_id')) || isStrangeId(of.get('_user_group'));
    const reasons: Reason[] = [
      ...(isStrange ? (['value-impossible'] as const) : []),
      ...(reason ? [reason] : []),
      ...(email === null ? (['email-impossible'] as const) : []),
      ...(email !== null && !isHolder ? (['email-taken'] as const) : []),
      ...(group !== null && !groups.has(group) ? (['group-missing'] as const) : []),
      ...(isAdministrator && !plan.keepsAdministrators ? (['administrator'] as const) : []),
    ];
    numbers.above(users, id);
    const rows = personRows({
      id,
      email: isHolder ? email : null,
      firstName: unescaped(of.get('first_name') ?? ''),
      lastName: unescaped(of.get('last_name') ?? ''),
      displayName: unescaped(row['display_name'] ?? ''),
      phone: of.get('_phone') ?? '',
      address: of.get('_address') ?? '',
      postalCode: of.get('_postal_code') ?? '',
      country: plan.currency === 'MYR' ? 'MY' : plan.currency === 'IDR' ? 'ID' : '',
      bankInfo: of.get('_bank_info') ?? '',
      sponsorId,
      groupId: group !== null && groups.has(group) ? group : null,
      roles: plan.keepsAdministrators ? held : held.filter((role) => role !== 'administrator'),
      externalIds: { wordpress: String(id) },
      origin: {
        source: 'sejoli',
        ...keptAddress(isHolder ? email : null, row['user_email']),
        ...(of.get('_destination_name') ? { destination: of.get('_destination_name') } : {}),
      },
      createdAt: utcOf(row['user_registered'] ?? null) ?? now,
    });
    yield withReasons(imported('users', id, [id], rows), reasons);
  }
  yield* erased(staging, now);
}

/** Those who have no account any more: a row without anything personal, so that their id is never somebody else's. */
function* erased(staging: Shop, at: Instant): Generator<Mapped> {
  const mentioned = idsOf(
    staging,
    `select id from (
       select user_id as id from sejolisa_orders union select affiliate_id from sejolisa_orders
       union select affiliate_id from sejolisa_affiliates union select user_id from sejolisa_coupons
       union select user_id from sejolisa_licenses union select user_id from sejolisa_subscriptions
       union select user_id from sejolisa_confirmations)
      where cast(id as integer) not in (select cast(ID as integer) from users)`,
  );
  for (const id of [...mentioned].sort((a, b) => a - b)) {
    const placeholder = imported('users', id, [id], [erasedPerson(id, at)]);
    yield { ...placeholder, outcome: 'placeholder', reasons: ['deleted-in-source'] };
  }
}

/** Whose address another account keeps: of several that have one, that with the newest order, else the newest. */
function sharedEmails(staging: Shop): ReadonlySet<number> {
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

function uplineOf({ database }: Shop): Upline {
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
