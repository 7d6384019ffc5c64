import { commissions, payouts } from '../../../schema/commissions.ts';
import { grouped } from '../grouped.ts';
import {
  type Mapped,
  type NewRow,
  type Numbers,
  type Owed,
  imported,
  insertInto,
  without,
  withReasons,
} from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { type ForeignCommission, commissionRows } from '../records/commission.ts';
import type { OrderFigures } from '../records/order.ts';
import { spread } from '../records/split.ts';
import type { Source } from '../source.ts';
import type { Staging } from '../staging.ts';
import { amountOf, asArray, asText, idOf, isStrangeId, phpArray, utcOf } from '../values.ts';
import type { Affiliates } from './affiliates.ts';

/** What a shop's referrals are understood by. */
export interface Referred {
  readonly staging: Staging<Source>;
  readonly numbers: Numbers;
  readonly now: string;
  readonly plan: { readonly currency: string; readonly exponent: number };
  readonly affiliates: Affiliates;
  /** What the plugin calls the shop: `edd`, `woocommerce`. */
  readonly context: string;
  /** The orders that an order of the shop became, or why there are none. */
  readonly partsOf: (
    reference: string,
  ) => readonly OrderFigures[] | 'order-missing' | 'order-not-imported';
}

type Row = Readonly<Record<string, string | null>>;

/** A referral that can be a commission, in the parts of its order. */
interface Readable {
  readonly row: Row;
  readonly id: number;
  readonly userId: number;
  readonly status: ForeignCommission['status'];
  readonly amount: number;
  readonly isRounded: boolean;
  readonly parts: readonly OrderFigures[];
  /** Of each part what it earned. */
  readonly amounts: readonly number[];
}

const statuses: ReadonlyMap<string | null | undefined, ForeignCommission['status']> = new Map([
  ['paid', 'added'],
  ['unpaid', 'added'],
  ['pending', 'pending'],
  ['rejected', 'cancelled'],
  ['failed', 'cancelled'],
]);

/** Makes of a referral what it earned of each part of its order, or says why it can't. */
function readReferral(
  row: Row,
  { plan, affiliates, context, partsOf }: Referred,
): Readable | Reason {
  const userId = affiliates.users.get(idOf(row['affiliate_id']) ?? 0);
  const status = statuses.get(row['status']);
  const amount = amountOf(row['amount'] ?? null, plan.exponent);
  if (status === undefined) return 'status-ignored';
  if (row['context'] !== context || idOf(row['reference']) === null) return 'no-order';
  if (userId === undefined) return 'no-affiliate';
  if (!amount) return 'amount-impossible';
  const currency = (row['currency'] || plan.currency).toUpperCase();
  if (currency !== plan.currency) return 'other-currency';
  const parts = partsOf(row['reference'] ?? '');
  if (typeof parts === 'string') return parts;
  const amounts = shares(row, parts, amount.units, plan.exponent);
  const id = Number(row['referral_id']);
  return {
    row,
    id,
    userId,
    status,
    amount: amount.units,
    isRounded: amount.rounded,
    parts,
    amounts,
  };
}

/**
 * A referral's amount by the parts of its order: as it says for each product, where that sums to it; else by what the parts
 * are worth. A rate for the whole order stands beside each product, and sums to too much.
 */
function shares(
  row: Row,
  parts: readonly OrderFigures[],
  amount: number,
  exponent: number,
): number[] {
  const said = Object.values(phpArray(row['products'] ?? null) ?? {}).map((value) => ({
    product: idOf(asText(asArray(value)?.['id'])),
    amount: amountOf(asText(asArray(value)?.['referral_amount']) || null, exponent)?.units ?? 0,
  }));
  const left = [...said];
  const byPart = parts.map(({ productId }) => {
    const i = left.findIndex(({ product }) => product === productId);
    return i === -1 ? 0 : (left.splice(i, 1)[0]?.amount ?? 0);
  });
  const sum = byPart.reduce((total, part) => total + part, 0);
  return sum === amount ? byPart : spread(amount, sum > 0 ? byPart : parts.map(({ base }) => base));
}

/** The parts that a referral is a commission of: those that earned something, or the first. */
const earning = ({ amounts }: Readable): number[] => {
  const paying = [...amounts.keys()].filter((i) => amounts[i] !== 0);
  return paying.length > 0 ? paying : [0];
};

/** Referrals as commissions, all of an order's together. */
export function* commissionsStep(referred: Referred): Generator<Mapped> {
  const { staging, numbers } = referred;
  const linked = linkedPayouts(referred);
  const { rows: all } = highestReferral(staging);
  numbers.above(commissions, all);
  const rows = staging.database
    .prepare(
      `select r.*, p.date as payout_date from affiliate_wp_referrals r
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
      else yield without('commissions', row['referral_id'] ?? '', outcomeOf(read), read);
    }
    yield* ofOneOrder(readable, referred, { linked, tierOf });
  }
}

/** How many tiers an order pays. */
const mostTiers = 20;

/**
 * Reads the tiers of an order's referrals: one more than that of the referral that each names as the one above it, which
 * may be one that is no commission here. One that leads to none of them, or round in a circle, isn't told.
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

const outcomeOf = (reason: Reason): 'left-out' | 'refused' =>
  reason === 'no-order' || reason === 'status-ignored' || reason === 'order-not-imported'
    ? 'left-out'
    : 'refused';

const highestReferral = ({ database }: Staging<Source>) => ({
  rows: Number(
    database
      .prepare('select max(cast(referral_id as integer)) as n from affiliate_wp_referrals')
      .get()?.['n'] ?? 0,
  ),
});

function* ofOneOrder(
  readable: readonly Readable[],
  { numbers, now }: Referred,
  { linked, tierOf }: { linked: ReadonlySet<number>; tierOf: ReturnType<typeof tierReader> },
): Generator<Mapped> {
  const rowsOf = new Map<number, NewRow[]>();
  const byHand = new Set<number>();
  for (const [i, part] of (readable[0]?.parts ?? []).entries()) {
    const earned = readable.filter((referral) => earning(referral).includes(i));
    const made = earned.map((referral) =>
      commissionOf(referral, {
        id: earning(referral)[0] === i ? referral.id : numbers.next(commissions),
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
  for (const { id, row, parts, isRounded } of readable) {
    const rows = rowsOf.get(id) ?? [];
    const targets = rows.map(({ values }) => Number((values as { id?: number }).id));
    const payout = idOf(row['payout_id']);
    yield withReasons(imported('commissions', id, targets, rows), [
      ...(isRounded ? (['amount-rounded'] as const) : []),
      ...(parts.length > 1 ? (['several-products'] as const) : []),
      ...(payout !== null && !linked.has(payout) ? (['payout-differs'] as const) : []),
      ...(tierOf(row).isTold ? [] : (['value-impossible'] as const)),
      ...(byHand.has(id) ? (['beside-the-rules'] as const) : []),
    ]);
  }
}

function commissionOf(
  { row, userId, status }: Readable,
  {
    id,
    amount,
    tier,
    isLinked,
    now,
  }: { id: number; amount: number; tier: number; isLinked: boolean; now: string },
): ForeignCommission {
  const createdAt = utcOf(row['date'] ?? null) ?? now;
  const isPaid = row['status'] === 'paid';
  return {
    id,
    affiliateId: userId,
    tier,
    amount,
    status,
    cancellation: status === 'cancelled' ? 'hand' : null,
    paidAt: isPaid ? (utcOf(row['payout_date'] ?? null) ?? createdAt) : null,
    payoutId: isPaid && isLinked ? idOf(row['payout_id']) : null,
    note: null,
    createdAt,
    updatedAt: createdAt,
    deletedAt: null,
  };
}

/** Payouts that were paid and come to what their referrals do, all of which are commissions here. */
function linkedPayouts(referred: Referred): ReadonlySet<number> {
  const linked = new Set<number>();
  for (const { id, isWhole } of readPayouts(referred)) if (isWhole) linked.add(id);
  return linked;
}

/** What the referrals that name a payout come to. */
interface Tally {
  sum: number;
  commissions: number;
  /** Whether all of them are paid commissions of the payout's affiliate here. */
  isWhole: boolean;
}

function talliesOf(referred: Referred): ReadonlyMap<number, Tally> {
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

function* readPayouts(referred: Referred) {
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

/** Payouts, each with the commissions that it paid. */
export function* payoutsStep(referred: Referred): Generator<Mapped> {
  const { numbers, plan, affiliates, now } = referred;
  for (const { row, id, amount, isWhole, count } of readPayouts(referred)) {
    const userId = affiliates.users.get(idOf(row['affiliate_id']) ?? 0);
    numbers.above(payouts, id);
    if (!isWhole || userId === undefined || !amount) {
      yield without(
        'payouts',
        id,
        'left-out',
        row['status'] === 'paid' ? 'payout-differs' : 'payout-not-paid',
      );
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
    yield withReasons(
      imported('payouts', id, [id], [payout]),
      amount.rounded ? ['amount-rounded'] : [],
    );
  }
}

/** What affiliates are owed for referrals that are no commissions here, by person: after these were written. */
export function* owedReferrals(
  { database }: Staging<Source>,
  plan: Referred['plan'],
): Generator<Owed> {
  const sums = new Map<string, Owed>();
  const rows = database
    .prepare(
      `select coalesce(id_of(a.user_id), 'affiliate ' || coalesce(r.affiliate_id, '')) as user, r.amount, r.currency
         from affiliate_wp_referrals r
         left join affiliate_wp_affiliates a on a.affiliate_id = cast(id_of(r.affiliate_id) as text)
         join entity_row e on e.entity = 'commissions' and e.id = r.referral_id
        where r.status = 'unpaid' and e.outcome in ('left-out', 'refused')
        order by cast(r.referral_id as integer)`,
    )
    .iterate() as Iterable<Row>;
  for (const row of rows) {
    const userId = String(row['user']);
    const currency = (row['currency'] || plan.currency).toUpperCase();
    const exponent = currency === plan.currency ? plan.exponent : decimalsOf(currency);
    const key = `${userId} ${currency}`;
    const amount =
      (sums.get(key)?.amount ?? 0) + (amountOf(row['amount'] ?? null, exponent)?.units ?? 0);
    sums.set(key, { userId, kind: 'referral', amount, currency });
  }
  for (const owed of sums.values()) if (owed.amount !== 0) yield owed;
}

/** The usual decimals of a currency that the shop's settings don't speak of; 2 where it is none. */
function decimalsOf(currency: string): number {
  const format = { style: 'currency', currency } as const;
  return /^[A-Z]{3}$/.test(currency)
    ? (new Intl.NumberFormat('en', format).resolvedOptions().maximumFractionDigits ?? 2)
    : 2;
}
