import { type MappedRow, because, mapped } from '../mapped.ts';
import type { OwnIds } from '../own-ids.ts';
import type { Source } from '../source.ts';
import type { Staging } from '../staging.ts';
import { emailOf, idOf } from '../values.ts';
import { affiliateSettingsOf } from './settings.ts';

export interface Affiliates {
  /** User ids by affiliate id. */
  readonly users: ReadonlyMap<number, number>;
  /** Ids of users who may sell today. */
  readonly active: ReadonlySet<number>;
  /** Addresses that payouts go to, by user id. */
  readonly paymentEmails: ReadonlyMap<number, string>;
  /** The sponsor of each affiliate, both as user ids. Only an add-on for levels stores it. */
  readonly sponsors: ReadonlyMap<number, number>;
}

export function affiliatesOf(staging: Staging<Source>): Affiliates {
  const users = new Map<number, number>();
  const active = new Set<number>();
  const paymentEmails = new Map<number, string>();
  for (const row of affiliatesIn(staging)) {
    const user = idOf(row['user_id']);
    if (user === null) continue;
    users.set(Number(row['affiliate_id']), user);
    if (row['status'] === 'active') active.add(user);
    const email = emailOf(row['payment_email'] ?? null);
    if (email !== null && !paymentEmails.has(user)) paymentEmails.set(user, email);
  }
  return { users, active, paymentEmails, sponsors: sponsorsOf(staging, users) };
}

type Row = Readonly<Record<string, string | null>>;

const affiliatesIn = ({ database }: Staging<Source>) =>
  database
    .prepare('select * from affiliate_wp_affiliates order by cast(affiliate_id as integer)')
    .iterate() as Iterable<Row>;

/** The add-on pays the parents in its matrix or, if it is set up so, those who recruited them. */
function sponsorsOf(staging: Staging<Source>, users: ReadonlyMap<number, number>) {
  const isDirect = affiliateSettingsOf(staging)['affwp_mlm_upline_basis'] === 'direct';
  const above = isDirect ? 'direct_affiliate_id' : 'affiliate_parent_id';
  const sponsors = new Map<number, number>();
  const rows = staging.database.prepare('select * from affiliate_wp_mlm_connections').iterate();
  for (const row of rows as Iterable<Row>) {
    const [user, sponsor] = [row['affiliate_id'], row[above]].map((id) => users.get(idOf(id) ?? 0));
    if (user !== undefined && sponsor !== undefined && !sponsors.has(user))
      sponsors.set(user, sponsor);
  }
  return sponsors;
}

export const affiliateIds: readonly OwnIds[] = [
  { entity: 'users', table: 'affiliate_wp_affiliates', prefix: 'affiliate ' },
];

/** Reports each affiliate as a user. The store has no rate for one affiliate alone. */
export function* affiliateRows(
  staging: Staging<Source>,
  { users }: Affiliates,
): Generator<MappedRow> {
  const terms = ['rate', 'rate_type', 'flat_rate_basis'];
  for (const row of affiliatesIn(staging)) {
    const id = Number(row['affiliate_id']);
    const user = users.get(id);
    const email = row['payment_email'] ?? '';
    const reasons = because({
      joined: true,
      'no-counterpart': terms.some((term) => (row[term] ?? '') !== ''),
      'value-impossible': email.trim() !== '' && emailOf(email) === null,
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
