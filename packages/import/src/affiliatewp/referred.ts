import { commissionBase } from '../../../../src/exports/store.ts';
import type { Reason } from '../reasons.ts';
import type { ForeignCommission } from '../records/commission.ts';
import { type OrderFigures, type ReadOrder, figuresOf, withoutOrder } from '../records/order.ts';
import { spread } from '../records/split.ts';
import type { Numbers } from '../numbers.ts';
import type { Source } from '../source.ts';
import type { Staging } from '../staging.ts';
import { amountOf, asArray, asText, currencyOf, idOf, phpArray } from '../values.ts';
import type { Affiliates } from './affiliates.ts';

export interface ReferralContext {
  readonly staging: Staging<Source>;
  readonly numbers: Numbers;
  readonly now: string;
  readonly plan: { readonly currency: string; readonly exponent: number };
  readonly affiliates: Affiliates;
  /** AffiliateWP's name of the shop plugin: `edd`, `woocommerce`. */
  readonly context: string;
  readonly read: (reference: string) => ReadOrder | undefined;
}

export type Row = Readonly<Record<string, string | null>>;

/** A referral that can become commissions. */
export interface Readable {
  readonly row: Row;
  readonly id: number;
  readonly userId: number;
  readonly status: ForeignCommission['status'];
  readonly amount: number;
  readonly isRounded: boolean;
  readonly parts: readonly OrderFigures[];
  /** The earnings from each of `parts`. */
  readonly amounts: readonly number[];
}

const statuses: ReadonlyMap<string | null | undefined, ForeignCommission['status']> = new Map([
  ['paid', 'added'],
  ['unpaid', 'added'],
  ['pending', 'pending'],
  ['rejected', 'cancelled'],
  ['failed', 'cancelled'],
]);

/** Reads a referral, or returns the reason why it can't become commissions. */
export function readReferral(
  row: Row,
  { plan, affiliates, context, read }: ReferralContext,
): Readable | Reason {
  const userId = affiliates.users.get(idOf(row['affiliate_id']) ?? 0);
  const status = statuses.get(row['status']);
  const amount = amountOf(row['amount'] ?? null, plan.exponent);
  if (status === undefined) return 'status-ignored';
  if (row['context'] !== context || idOf(row['reference']) === null) return 'no-order';
  if (userId === undefined) return 'no-affiliate';
  if (!amount) return 'amount-impossible';
  const currency = currencyOf(row['currency'] || plan.currency);
  if (currency !== plan.currency) return 'other-currency';
  const found = read(row['reference'] ?? '');
  if (!found || 'refusal' in found) return withoutOrder(found);
  const parts = found.orders.map(figuresOf);
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
 * Splits a referral's amount among the parts of its order, in proportion to the amounts that it names for products,
 * otherwise to the value of the parts. The named amounts may sum to more: a rate for the whole order is repeated for
 * each product.
 */
function shares(
  row: Row,
  parts: readonly OrderFigures[],
  amount: number,
  exponent: number,
): number[] {
  const said = Object.values(phpArray(row['products'] ?? null) ?? {}).map((value) => ({
    product: idOf(asText(asArray(value)?.['id'])),
    amount: amountOf(asText(asArray(value)?.['referral_amount']), exponent)?.units ?? 0,
  }));
  const left = [...said];
  const byPart = parts.map(({ productId }) => {
    const i = left.findIndex(({ product }) => product === productId);
    return i === -1 ? 0 : (left.splice(i, 1)[0]?.amount ?? 0);
  });
  const sum = byPart.reduce((total, part) => total + part, 0);
  return sum === amount ? byPart : spread(amount, sum > 0 ? byPart : parts.map(commissionBase));
}

/** Indexes of the parts that get a commission: those with earnings, or else the first. */
export const earning = ({ amounts }: Readable): number[] => {
  const paying = [...amounts.keys()].filter((i) => amounts[i] !== 0);
  return paying.length > 0 ? paying : [0];
};
