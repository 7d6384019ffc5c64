import type { Instant } from '../../../lib/instant.ts';
import { users } from '../../../schema/users.ts';
import { idsOf } from '../ids.ts';
import { type Mapped, type StepContext, imported, withReasons } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { emailOf, erasedPerson, personRows } from '../records/person.ts';
import { type Sponsors, sponsorsFirst } from '../sponsors.ts';
import { idOf, isStrangeId, utcOf } from '../values.ts';
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
  const holders = emailHolders(staging);
  const select = database.prepare('select * from users where ID = ?');
  const sponsors = readSponsors(staging);
  const ids = new Set<number>();
  for (const { id, sponsorId, reason } of sponsorsFirst(sponsors)) {
    const row = select.get(String(id)) as Record<string, string | null>;
    const of = meta(id);
    const [group, email] = [idOf(of.get('_user_group')), emailOf(row['user_email'] ?? null)];
    const isHolder = email !== null && holders.get(email) === id;
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
    ids.add(id);
    numbers.above(users, id);
    const rows = personRows({
      id,
      email: isHolder ? email : null,
      firstName: of.get('first_name') ?? '',
      lastName: of.get('last_name') ?? '',
      displayName: row['display_name'] ?? '',
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
        ...(!isHolder && row['user_email'] ? { email: row['user_email'] } : {}),
        ...(of.get('_destination_name') ? { destination: of.get('_destination_name') } : {}),
      },
      createdAt: utcOf(row['user_registered'] ?? null) ?? now,
    });
    yield withReasons(imported('users', id, [id], rows), reasons);
  }
  yield* erased(staging, ids, now);
}

/** Those who have no account any more: a row without anything personal, so that their id is never somebody else's. */
function* erased(staging: Shop, ids: ReadonlySet<number>, at: Instant): Generator<Mapped> {
  const mentioned = idsOf(
    staging,
    `select user_id as id from sejolisa_orders union select affiliate_id from sejolisa_orders
     union select affiliate_id from sejolisa_affiliates union select user_id from sejolisa_coupons
     union select user_id from sejolisa_licenses union select user_id from sejolisa_subscriptions
     union select user_id from sejolisa_confirmations`,
  );
  for (const id of [...mentioned].sort((a, b) => a - b)) {
    if (ids.has(id)) continue;
    const placeholder = imported('users', id, [id], [erasedPerson(id, at)]);
    yield { ...placeholder, outcome: 'placeholder', reasons: ['deleted-in-source'] };
  }
}

/** Who keeps an address that several accounts have: the one with the newest order, else the newest. */
function emailHolders({ database }: Shop): ReadonlyMap<string, number> {
  const holders = new Map<string, number>();
  const rows = database
    .prepare(
      `select u.ID as id, u.user_email as email from users u
         left join (select user_id, max(created_at) as last from sejolisa_orders group by 1) o
           on o.user_id = u.ID
        order by coalesce(o.last, ''), cast(u.ID as integer)`,
    )
    .iterate();
  for (const row of rows) {
    const email = emailOf(row['email'] === null ? null : String(row['email']));
    if (email !== null) holders.set(email, Number(row['id']));
  }
  return holders;
}

function readSponsors({ database }: Shop): Sponsors {
  const sponsors = new Map<number, number | null>();
  const rows = database
    .prepare(
      `select u.ID as id, m.meta_value as sponsor from users u
         left join usermeta m on m.user_id = u.ID and m.meta_key = '_affiliate_id'
        order by cast(u.ID as integer), m.rowid`,
    )
    .iterate();
  for (const { id, sponsor } of rows)
    sponsors.set(Number(id), idOf(sponsor === null ? null : String(sponsor)));
  return sponsors;
}
