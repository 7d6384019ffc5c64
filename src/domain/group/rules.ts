import { type GroupDiscount, type GroupParts, noDiscount } from '../../schema/group-parts.ts';
import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import type { References } from '../../schema/references.ts';
import { percentOf } from '../../lib/money.ts';
import { withoutUndefined } from '../../lib/objects.ts';
import { percentage } from '../../lib/schemas.ts';
import { type UserRow, updatedUser } from '../user/rules.ts';
import { type GroupColumns } from '../../schema/groups.ts';
import type { UserGroupCreate, UserGroupUpdate } from './schemas.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';

export function newGroup(input: UserGroupCreate, id: number, now: Date): GroupColumns {
  return {
    id,
    priority: 0,
    can_affiliate: true,
    can_affiliate_coupon: true,
    commissions: [],
    min_sales_for_upline: 0,
    ...withoutUndefined(input),
    discount: { ...noDiscount, ...withoutUndefined(input.discount ?? {}) },
    per_product: productTerms(input) ?? [],
    ...firstVersion(now.toISOString()),
  };
}

export const updatedGroup = (
  before: GroupColumns,
  input: UserGroupUpdate,
  now: Date,
): GroupColumns => ({
  ...before,
  ...withoutUndefined(input),
  discount: { ...before.discount, ...withoutUndefined(input.discount ?? {}) },
  per_product: productTerms(input) ?? before.per_product,
  ...nextVersion(before, now),
});

const productTerms = ({ per_product }: UserGroupUpdate): GroupParts['per_product'] | undefined =>
  per_product?.map(({ product_id, discount, commissions = [] }) => ({
    product_id,
    discount: { ...noDiscount, ...withoutUndefined(discount ?? {}) },
    commissions,
  }));

export const groupReferences = ({
  per_product,
}: Pick<UserGroupUpdate, 'per_product'>): References => ({
  per_product: { of: 'products', ids: per_product?.map(({ product_id }) => product_id) },
});

/** Refuses impossible terms: percentages above 100, parts of a unit, a repeated tier or product. */
export function termsRefusal(group: GroupColumns): Refusal<'rest_invalid_param'> | undefined {
  const { discount, commissions, per_product } = group;
  const products = per_product.map(({ product_id }) => product_id);
  const reasons = {
    discount: refusedDiscount(discount),
    commissions: refusedTiers(commissions),
    per_product: isUnique(products)
      ? per_product
          .map((terms) => refusedDiscount(terms.discount) ?? refusedTiers(terms.commissions))
          .find(Boolean)
      : 'each product may stand once',
  };
  const params = withoutUndefined(reasons);
  return Object.keys(params).length === 0 ? undefined : refuse('rest_invalid_param', { params });
}

const isUnique = (items: readonly unknown[]) => new Set(items).size === items.length;

const refusedDiscount = ({ value, type }: GroupDiscount) => refusedFee({ fee: value, type });

const refusedTiers = (tiers: GroupParts['commissions']) =>
  isUnique(tiers.map(({ tier }) => tier))
    ? tiers.map(refusedFee).find(Boolean)
    : 'each tier may stand once';

function refusedFee({ fee, type }: Pick<GroupParts['commissions'][number], 'fee' | 'type'>) {
  if (type === 'percentage') {
    return percentage.safeParse(fee).success
      ? undefined
      : 'a percentage is 100 at most, with at most 4 decimals';
  }
  return Number.isInteger(fee)
    ? undefined
    : 'an amount is a whole number of the smallest currency unit';
}

/** True for a move to a lower priority, or out of every group. */
export const isDown = (from: GroupColumns | null, to: GroupColumns | null): boolean =>
  from !== null && (to === null || to.priority < from.priority);

export function inGroup(before: UserRow, group: GroupColumns | null, now: Date): UserRow {
  const { user, ...same } = updatedUser(before, {}, now);
  return { ...same, group, user: { ...user, group_id: group?.id ?? null } };
}

/** @param lowest the least that the discount leaves of the price */
export function groupPrice(
  group: GroupColumns | null | undefined,
  { id, price }: { id: number; price: number },
  lowest = 0,
): number {
  const own = group?.per_product.find(({ product_id }) => product_id === id)?.discount;
  const discount = own?.enabled ? own : group?.discount;
  if (!discount?.enabled) return price;
  const { value, type } = discount;
  const least = Math.min(price, lowest);
  return Math.max(least, price - (type === 'percentage' ? percentOf(price, value) : value));
}

/** Returns the affiliate's rate on a tier of a product, and its source. */
export function rateOf(
  tier: number,
  group: GroupColumns | null,
  product: { id: number; affiliate: { tiers: GroupParts['commissions'] } },
) {
  const onTier = (tiers: GroupParts['commissions'] = []) => tiers.find((t) => t.tier === tier);
  const terms = group?.per_product.find(({ product_id }) => product_id === product.id);
  const own = onTier(terms?.commissions);
  if (own) return { ...own, source: 'group-product' as const };
  const general = onTier(group?.commissions);
  if (general) return { ...general, source: 'group' as const };
  const usual = onTier(product.affiliate.tiers);
  return usual && { ...usual, source: 'product' as const };
}
