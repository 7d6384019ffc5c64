import { commissions } from '../../../../src/exports/store.ts';
import { grouped } from '../grouped.ts';
import { type MappedRow, type NewRow, type Refusal, because, mapped } from '../mapped.ts';
import type { Debt } from '../importer.ts';
import { withoutIds } from '../own-ids.ts';
import type { Reason } from '../reasons.ts';
import { type ForeignCommission, commissionRows } from '../records/commission.ts';
import { isClosed, isOpen } from '../records/order.ts';
import type { Source } from '../source.ts';
import type { Staging } from '../staging.ts';
import { amountOf, currencyOf, idOf, isStrangeId, utcOf } from '../values.ts';
import { linkedPayouts } from './payouts.ts';
import {
  type Readable,
  type ReferralContext,
  type Row,
  earning,
  readReferral,
} from './referred.ts';

export function* commissionRowsOf(referred: ReferralContext): Generator<MappedRow> {
  const { staging } = referred;
  const linked = linkedPayouts(referred);
  const rows = staging.database
    .prepare(
      `select r.*, p.date as payout_date, p.status as payout_status from affiliate_wp_referrals r
         left join affiliate_wp_payouts p on p.payout_id = cast(id_of(r.payout_id) as text)
        order by r.context, cast(r.reference as integer), r.reference, cast(r.referral_id as integer)`,
    )
    .iterate() as Iterable<Row>;
  for (const group of grouped(rows, (row) => `${row['context']} ${row['reference']}`)) {
    const readable: Readable[] = [];
    const tierOf = tierReader(group);
    for (const row of group) {
      const read = readReferral(row, referred);
      if (typeof read !== 'string') readable.push(read);
      else yield mapped('commissions', row['referral_id'] ?? '', refusalOf(read));
    }
    yield* ofOneOrder(readable, referred, { linked, tierOf });
  }
}

const mostTiers = 20;

/**
 * Returns the tier of a referral: the number of its ancestors plus 1. If these lead out of the order or into a circle,
 * the tier is 1 and `isTold` false.
 */
function tierReader(referrals: readonly Row[]): (row: Row) => { tier: number; isTold: boolean } {
  const rows = new Map(referrals.map((row) => [Number(row['referral_id']), row]));
  return (row) => {
    let at = row;
    for (let tier = 1; tier <= mostTiers; tier++) {
      const parent = idOf(at['parent_id']);
      if (parent === null) return { tier, isTold: !isStrangeId(at['parent_id']) };
      const above = rows.get(parent);
      if (!above) break;
      at = above;
    }
    return { tier: 1, isTold: false };
  };
}

const outside: readonly Reason[] = ['no-order', 'status-ignored', 'order-not-imported'];

const refusalOf = (refusal: Reason): Refusal => ({
  refusal,
  outcome: outside.includes(refusal) ? 'left-out' : 'refused',
});

function* ofOneOrder(
  readable: readonly Readable[],
  { numbers, now }: ReferralContext,
  { linked, tierOf }: { linked: ReadonlySet<number>; tierOf: ReturnType<typeof tierReader> },
): Generator<MappedRow> {
  const rowsOf = new Map<number, NewRow[]>();
  const byHand = new Set<number>();
  for (const [i, part] of (readable[0]?.parts ?? []).entries()) {
    const earned = readable.filter((referral) => earning(referral).includes(i));
    const made = earned.map((referral) =>
      commissionOf(referral, {
        id: earning(referral)[0] === i ? referral.id : numbers.next(commissions),
        status: isTooEarly(referral, i) ? 'pending' : referral.status,
        // In AffiliateWP too, a rejected referral counts again when its order is completed.
        cancellation:
          referral.row['status'] === 'rejected' && isClosed(part.status) ? 'order' : 'hand',
        amount: referral.amounts[i] ?? 0,
        tier: tierOf(referral.row).tier,
        isLinked: linked.has(idOf(referral.row['payout_id']) ?? 0),
        now,
      }),
    );
    for (const [k, { row, isByHand }] of commissionRows(part, made).entries()) {
      const { id } = earned[k] ?? { id: 0 };
      rowsOf.set(id, [...(rowsOf.get(id) ?? []), row]);
      if (isByHand) byHand.add(id);
    }
  }
  for (const referral of readable) {
    const { id, row, parts, isRounded } = referral;
    const rows = rowsOf.get(id) ?? [];
    const targets = rows.map(({ values }) => Number((values as { id?: number }).id));
    const reasons = [
      ...because({ 'amount-rounded': isRounded, 'several-products': parts.length > 1 }),
      ...because({ 'not-yet-due': earning(referral).some((i) => isTooEarly(referral, i)) }),
      ...unlinked(row, linked),
      ...because({ 'value-impossible': !tierOf(row).isTold, 'beside-the-rules': byHand.has(id) }),
    ];
    yield mapped('commissions', id, { rows, targets, reasons });
  }
}

function unlinked(row: Row, linked: ReadonlySet<number>): Reason[] {
  const payout = idOf(row['payout_id']);
  if (payout === null || linked.has(payout)) return [];
  return [(row['payout_status'] ?? 'paid') === 'paid' ? 'payout-differs' : 'payout-not-paid'];
}

/** Tells if the shop owes a referral for an order that isn't completed. Commissions are due when it is. */
function isTooEarly({ row, parts }: Readable, i: number): boolean {
  const order = parts[i];
  return row['status'] === 'unpaid' && order !== undefined && isOpen(order.status);
}

function commissionOf(
  { row, userId }: Readable,
  {
    id,
    status,
    cancellation,
    amount,
    tier,
    isLinked,
    now,
  }: Pick<ForeignCommission, 'id' | 'status' | 'cancellation' | 'amount' | 'tier'> & {
    isLinked: boolean;
    now: string;
  },
): ForeignCommission {
  const createdAt = utcOf(row['date'] ?? null) ?? now;
  const isPaid = row['status'] === 'paid';
  return {
    id,
    affiliateId: userId,
    tier,
    amount,
    status,
    cancellation: status === 'cancelled' ? cancellation : null,
    paidAt: isPaid ? (utcOf(row['payout_date'] ?? null) ?? createdAt) : null,
    payoutId: isPaid && isLinked ? idOf(row['payout_id']) : null,
    note: null,
    createdAt,
    updatedAt: createdAt,
    deletedAt: null,
  };
}

/** Sums up each person's unpaid referrals that were not imported. Call it after the commissions are written. */
export function* owedReferrals(
  { database }: Staging<Source>,
  plan: ReferralContext['plan'],
): Generator<Debt> {
  const sums = new Map<string, Debt>();
  const rows = database
    .prepare(
      `select coalesce(id_of(a.user_id), 'affiliate ' || coalesce(r.affiliate_id, '')) as user, r.amount, r.currency
         from (select * from affiliate_wp_referrals
                union all select * from ${withoutIds('affiliate_wp_referrals')}) r
         left join affiliate_wp_affiliates a on a.affiliate_id = cast(id_of(r.affiliate_id) as text)
         join entity_row e on e.entity = 'commissions' and e.id = r.referral_id
        where r.status = 'unpaid' and e.outcome in ('left-out', 'refused')
        order by cast(r.referral_id as integer)`,
    )
    .iterate() as Iterable<Row>;
  for (const row of rows) {
    const userId = String(row['user']);
    const currency = currencyOf(row['currency'] || plan.currency);
    const exponent = currency === plan.currency ? plan.exponent : decimalsOf(currency);
    const key = `${userId} ${currency}`;
    const amount =
      (sums.get(key)?.amount ?? 0) + (amountOf(row['amount'] ?? null, exponent)?.units ?? 0);
    sums.set(key, { userId, kind: 'referral', amount, currency });
  }
  for (const owed of sums.values()) if (owed.amount !== 0) yield owed;
}

/** The usual decimals of a currency; 2 for an unknown one. */
function decimalsOf(currency: string): number {
  const format = { style: 'currency', currency } as const;
  return /^[A-Z]{3}$/.test(currency)
    ? (new Intl.NumberFormat('en', format).resolvedOptions().maximumFractionDigits ?? 2)
    : 2;
}
