import { rateOf } from '../group/rules.ts';
import { type Finding, type Trust, findingsOf } from '../risk/finding.ts';
import type { Contacts } from '../risk/kinds/suspect.ts';
import type { OrderChange } from '../order/change.ts';
import { type Person, canAffiliate } from '../user/rules.ts';
import { commissionBase, earnedByTier } from './ledger.ts';
import { type CommissionColumns } from '../../schema/commissions.ts';
import { firstVersion } from '../../lib/versions.ts';

/** A person who may earn: the seller (tier 1), or the (tier − 1)-th upline. */
export interface Link {
  readonly tier: number;
  readonly person: Pick<
    Person,
    'id' | 'email' | 'phone' | 'bank_info' | 'bank_account' | 'roles' | 'status' | 'group'
  >;
  /** Their own completed sales. */
  readonly sales: number;
  readonly commission_id: number;
  /** Other affiliates who may share details with them. */
  readonly others: readonly Contacts[];
  readonly trusts: readonly Trust[];
  /** Times of earlier orders of the buyer through the order's affiliate, in milliseconds. */
  readonly recent: readonly number[];
}

/** Builds a row for each tier: the affiliate and their uplines. */
export function saleRows(
  { after, product, now }: OrderChange,
  chain: readonly Link[],
): CommissionColumns[] {
  const at = now.toISOString();
  const common = {
    order_id: after.id,
    product_id: after.product_id,
    buyer_id: after.user_id,
    kind: 'sale',
    currency: after.currency,
    commission: 0,
    base_amount: commissionBase(after),
    status: 'pending',
    cancellation: null,
    hold_until: null,
    paid_at: null,
    payout_id: null,
    flags: [] as CommissionColumns['flags'],
    held: false,
    payout_line_id: null,
    parent_id: null,
    note: null,
    deleted_at: null,
    ...firstVersion(at),
  } as const;
  const rows = chain
    .filter((link) => mayEarn(link, after.user_id))
    .flatMap((link) => {
      const { tier, person, commission_id } = link;
      const rate = rateOf(tier, person.group, product);
      if (!rate) return [];
      const { fee, type: rate_type, source: rate_source } = rate;
      const earner = { id: commission_id, tier, affiliate_id: person.id };
      return [{ ...common, ...earner, rate: fee, rate_type, rate_source }];
    });
  const earned = earnedByTier(rows, after);
  return rows.map((row) => ({ ...row, commission: earned.get(row.tier)?.full ?? 0 }));
}

/** Nobody earns from their own order, or without the right to promote; uplines need sales of their own. */
const mayEarn = ({ tier, person, sales }: Link, buyer_id: number): boolean =>
  person.id !== buyer_id &&
  canAffiliate(person) &&
  (tier === 1 || sales >= (person.group?.min_sales_for_upline ?? 0));

export const findingsOfSale = (
  { buyer, settings, now }: OrderChange,
  sales: readonly CommissionColumns[],
  chain: readonly Link[],
): Finding[] =>
  chain
    .filter(({ tier }) => sales.some((sale) => sale.tier === tier))
    .flatMap(({ tier, person: affiliate, others, recent, trusts }) =>
      findingsOf({ tier, affiliate, buyer, others, recent, settings, now }, trusts),
    );
