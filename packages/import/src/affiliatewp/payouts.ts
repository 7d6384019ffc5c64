import { payouts } from '../../../../src/exports/store.ts';
import { type MappedRow, because, insertInto, mapped } from '../mapped.ts';
import { amountOf, idOf, utcOf } from '../values.ts';
import { type ReferralContext, type Row, earning, readReferral } from './referred.ts';

/** Returns the ids of paid payouts that equal the sum of their referrals, if all of these become commissions. */
export function linkedPayouts(referred: ReferralContext): ReadonlySet<number> {
  const linked = new Set<number>();
  for (const { id, isWhole } of readPayouts(referred)) if (isWhole) linked.add(id);
  return linked;
}

interface Tally {
  sum: number;
  commissions: number;
  /** True if all referrals of the payout are paid, belong to its affiliate, and become commissions. */
  isWhole: boolean;
}

function talliesOf(referred: ReferralContext): ReadonlyMap<number, Tally> {
  const rows = referred.staging.database
    .prepare(
      `select r.*, p.affiliate_id as paid_to from affiliate_wp_referrals r
         join affiliate_wp_payouts p on p.payout_id = cast(id_of(r.payout_id) as text)`,
    )
    .iterate() as Iterable<Row>;
  const tallies = new Map<number, Tally>();
  for (const row of rows) {
    const id = idOf(row['payout_id']) ?? 0;
    const tally = tallies.get(id) ?? { sum: 0, commissions: 0, isWhole: true };
    tallies.set(id, tally);
    const read = readReferral(row, referred);
    if (typeof read === 'string') {
      tally.isWhole = false;
      continue;
    }
    tally.isWhole &&= row['status'] === 'paid' && row['affiliate_id'] === row['paid_to'];
    tally.sum += read.amount;
    tally.commissions += earning(read).length;
  }
  return tallies;
}

function* readPayouts(referred: ReferralContext) {
  const { staging, plan } = referred;
  const tallies = talliesOf(referred);
  const rows = staging.database
    .prepare('select * from affiliate_wp_payouts order by cast(payout_id as integer)')
    .iterate() as Iterable<Row>;
  for (const row of rows) {
    const id = Number(row['payout_id']);
    const amount = amountOf(row['amount'] ?? null, plan.exponent);
    const { sum = 0, commissions: count = 0, isWhole: isKept = false } = tallies.get(id) ?? {};
    const isWhole =
      row['status'] === 'paid' &&
      isKept &&
      amount !== undefined &&
      amount.units > 0 &&
      amount.units === sum;
    yield { row, id, amount, isWhole, count };
  }
}

/** Imports payouts. One that doesn't equal its referrals is left out. */
export function* payoutRows(referred: ReferralContext): Generator<MappedRow> {
  const { plan, affiliates, now } = referred;
  for (const { row, id, amount, isWhole, count } of readPayouts(referred)) {
    const userId = affiliates.users.get(idOf(row['affiliate_id']) ?? 0);
    if (!isWhole || userId === undefined || !amount) {
      const refusal = row['status'] === 'paid' ? 'payout-differs' : 'payout-not-paid';
      yield mapped('payouts', id, { refusal, outcome: 'left-out' });
      continue;
    }
    const at = utcOf(row['date'] ?? null) ?? now;
    const payout = insertInto(payouts, {
      id,
      affiliate_id: userId,
      amount: amount.units,
      currency: plan.currency,
      commissions: count,
      method: row['payout_method'] || 'manual',
      reference: '',
      status: 'paid',
      created_at: at,
      updated_at: at,
    });
    const reasons = because({ 'amount-rounded': amount.rounded });
    yield mapped('payouts', id, { rows: [payout], reasons });
  }
}
