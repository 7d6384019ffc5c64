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
import { amountOf, asArray, asText, idOf, phpArray, utcOf } from '../values.ts';
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

const statuses: Readonly<Record<string, ForeignCommission['status']>> = {
  paid: 'added',
  unpaid: 'added',
  pending: 'pending',
  rejected: 'cancelled',
  failed: 'cancelled',
};

/** Makes of a referral what it earned of each part of its order, or says why it can't. */
function readReferral(
  row: Row,
  { plan, affiliates, context, partsOf }: Referred,
): Readable | Reason {
  const userId = affiliates.users.get(Number(row['affiliate_id']));
  const status = statuses[row['status'] ?? ''];
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
         left join affiliate_wp_payouts p on p.payout_id = r.payout_id and r.payout_id <> '0'
        order by r.context, cast(r.reference as integer), r.reference, cast(r.referral_id as integer)`,
    )
    .iterate() as Iterable<Row>;
  for (const group of grouped(rows, (row) => `${row['context']} ${row['reference']}`)) {
    const readable: Readable[] = [];
    for (const row of group) {
      const read = readReferral(row, referred);
      if (typeof read !== 'string') readable.push(read);
      else yield without('commissions', row['referral_id'] ?? '', outcomeOf(read), read);
    }
    yield* ofOneOrder(readable, referred, linked);
  }
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
  linked: ReadonlySet<number>,
): Generator<Mapped> {
  const tiers = new Map<number, number>();
  for (const { id, row } of readable)
    tiers.set(id, Math.min(20, (tiers.get(Number(row['parent_id'])) ?? 0) + 1));
  const rowsOf = new Map<number, NewRow[]>();
  const byHand = new Set<number>();
  for (const [i, part] of (readable[0]?.parts ?? []).entries()) {
    const earned = readable.filter((referral) => earning(referral).includes(i));
    const made = earned.map((referral) =>
      commissionOf(referral, {
        id: earning(referral)[0] === i ? referral.id : numbers.next(commissions),
        amount: referral.amounts[i] ?? 0,
        tier: tiers.get(referral.id) ?? 1,
        isLinked: linked.has(Number(referral.row['payout_id'])),
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

function* readPayouts(referred: Referred) {
  const { staging, plan } = referred;
  const select = staging.database.prepare(
    'select * from affiliate_wp_referrals where payout_id = ? order by cast(referral_id as integer)',
  );
  const rows = staging.database
    .prepare('select * from affiliate_wp_payouts order by cast(payout_id as integer)')
    .iterate() as Iterable<Row>;
  for (const row of rows) {
    const amount = amountOf(row['amount'] ?? null, plan.exponent);
    const referrals = (select.all(row['payout_id'] ?? '') as Row[]).map((one) =>
      readReferral(one, referred),
    );
    const readable = referrals.filter((one) => typeof one !== 'string');
    const sum = readable.reduce((total, one) => total + one.amount, 0);
    const isWhole =
      row['status'] === 'paid' &&
      readable.length > 0 &&
      readable.length === referrals.length &&
      readable.every(
        (one) => one.row['status'] === 'paid' && one.row['affiliate_id'] === row['affiliate_id'],
      ) &&
      amount !== undefined &&
      amount.units > 0 &&
      amount.units === sum;
    const count = readable.reduce((total, one) => total + earning(one).length, 0);
    yield { row, id: Number(row['payout_id']), amount, isWhole, count };
  }
}

/** Payouts, each with the commissions that it paid. */
export function* payoutsStep(referred: Referred): Generator<Mapped> {
  const { numbers, plan, affiliates, now } = referred;
  for (const { row, id, amount, isWhole, count } of readPayouts(referred)) {
    const userId = affiliates.users.get(Number(row['affiliate_id']));
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
    yield imported('payouts', id, [id], [payout]);
  }
}

/** What affiliates are owed for referrals that are no commissions here, by person: after these were written. */
export function* owedReferrals(
  { database }: Staging<Source>,
  { currency, exponent }: Referred['plan'],
): Generator<Owed> {
  const sums = new Map<string, number>();
  const rows = database
    .prepare(
      `select coalesce(a.user_id, 'affiliate ' || r.affiliate_id) as user, r.amount
         from affiliate_wp_referrals r
         left join affiliate_wp_affiliates a on a.affiliate_id = r.affiliate_id
         join entity_row e on e.entity = 'commissions' and e.id = r.referral_id
        where r.status = 'unpaid' and e.outcome in ('left-out', 'refused')
        order by cast(r.referral_id as integer)`,
    )
    .iterate() as Iterable<Row>;
  for (const { user, amount } of rows) {
    const units = amountOf(amount ?? null, exponent)?.units ?? 0;
    sums.set(user ?? '', (sums.get(user ?? '') ?? 0) + units);
  }
  for (const [userId, amount] of sums)
    if (amount !== 0) yield { userId, kind: 'referral', amount, currency };
}
