import { type MappedRow, because, mapped } from '../mapped.ts';
import type { OwnIds } from '../own-ids.ts';
import type { Source } from '../source.ts';
import type { Staging } from '../staging.ts';
import { idOf } from '../values.ts';

export interface Affiliates {
  /** User ids by affiliate id. */
  readonly users: ReadonlyMap<number, number>;
  /** Ids of users who may sell today. */
  readonly active: ReadonlySet<number>;
  /** The sponsor of each affiliate, both as user ids. Only an add-on for levels stores it. */
  readonly sponsors: ReadonlyMap<number, number>;
}

export function affiliatesOf({ database }: Staging<Source>): Affiliates {
  const users = new Map<number, number>();
  const active = new Set<number>();
  for (const row of database.prepare('select * from affiliate_wp_affiliates').iterate()) {
    const user = idOf(row['user_id'] as string | null);
    if (user === null) continue;
    users.set(Number(row['affiliate_id']), user);
    if (row['status'] === 'active') active.add(user);
  }
  const sponsors = new Map<number, number>();
  for (const row of database.prepare('select * from affiliate_wp_mlm_connections').iterate()) {
    const [user, sponsor] = [row['affiliate_id'], row['affiliate_parent_id']].map((id) =>
      users.get(idOf(id as string | null) ?? 0),
    );
    if (user !== undefined && sponsor !== undefined && !sponsors.has(user))
      sponsors.set(user, sponsor);
  }
  return { users, active, sponsors };
}

export const affiliateIds: readonly OwnIds[] = [
  { entity: 'users', table: 'affiliate_wp_affiliates', prefix: 'affiliate ' },
];

/** Reports each affiliate as a user. The store has no rate for one affiliate alone. */
export function* affiliateRows(
  { database }: Staging<Source>,
  { users }: Affiliates,
): Generator<MappedRow> {
  const rows = database
    .prepare('select * from affiliate_wp_affiliates order by cast(affiliate_id as integer)')
    .iterate();
  for (const row of rows) {
    const id = Number(row['affiliate_id']);
    const user = users.get(id);
    const reasons = because({
      joined: true,
      'no-counterpart': (row['rate'] ?? '') !== '',
      'no-affiliate': user === undefined,
    });
    const targets = user === undefined ? [] : [user];
    yield mapped('users', `affiliate ${id}`, { rows: [], targets, reasons });
  }
}

/** Finds the affiliate of an order: the one with its first valid referral. */
export function sellerReader(
  { database }: Staging<Source>,
  { users }: Affiliates,
  context: string,
): (order: string) => number | null {
  const select = database.prepare(
    `select affiliate_id from affiliate_wp_referrals
      where context = ? and reference = ? and id_of(parent_id) is null
        and status in ('paid', 'unpaid', 'pending')
      order by cast(referral_id as integer) limit 1`,
  );
  return (order) => {
    const affiliate = idOf(select.get(context, order)?.['affiliate_id'] as string | null);
    return (affiliate === null ? undefined : users.get(affiliate)) ?? null;
  };
}
