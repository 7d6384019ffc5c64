import { type CouponRule, noDiscount, noRule } from '../../schema/coupon-parts.ts';
import type { AgreedCoupon } from '../../schema/orders.ts';
import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import type { References } from '../../schema/references.ts';
import { percentOf } from '../../lib/money.ts';
import { withoutUndefined } from '../../lib/objects.ts';
import { percentage } from '../../lib/schemas.ts';
import { type CouponState, couponStatuses } from '../../schema/lists.ts';
import type { Person } from '../user/rules.ts';
import type { Coupon, CouponCreate, CouponUpdate } from './schemas.ts';
import type { CouponColumns } from '../../schema/coupons.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';

export interface CouponRow {
  coupon: CouponColumns;
  parent: CouponColumns | null;
  usage: number;
}

/** A copy has the terms of its template. */
export function termsOf({ coupon, parent }: CouponRow) {
  const { discount, rule, limit_use, limit_use_per_user, start_date, limit_date } =
    parent ?? coupon;
  const strictest = Math.max(
    couponStatuses.indexOf(coupon.status),
    couponStatuses.indexOf(parent?.status ?? 'active'),
  );
  return {
    discount,
    rule,
    limit_use,
    limit_use_per_user,
    start_date,
    limit_date,
    status: couponStatuses[strictest] ?? coupon.status,
  };
}

export function couponState(row: CouponRow, now: Date): CouponState {
  const { status, start_date, limit_date, limit_use } = termsOf(row);
  const at = now.toISOString();
  if (status !== 'active' || row.parent?.deleted_at) return 'off';
  if (start_date !== null && start_date > at) return 'scheduled';
  if (limit_date !== null && limit_date <= at) return 'expired';
  return limit_use > 0 && row.usage >= limit_use ? 'exhausted' : 'active';
}

export const isLiveTemplate = (row: CouponRow, now: Date) =>
  row.coupon.rule.use_by_affiliate && couponState(row, now) === 'active';

export const toCoupon = (row: CouponRow, now: Date): Coupon => ({
  ...row.coupon,
  ...termsOf(row),
  coupon_parent_code: row.parent?.code ?? null,
  usage: row.usage,
  state: couponState(row, now),
});

/** Removes the other people whom the coupon is limited to. */
export const forAffiliate = (coupon: Coupon): Coupon => ({
  ...coupon,
  rule: { ...coupon.rule, user_ids: [], group_ids: [] },
});

export function newCoupon(
  input: CouponCreate,
  id: number,
  parent: CouponColumns | null,
  now: Date,
): CouponRow {
  return {
    usage: 0,
    parent,
    coupon: {
      id,
      user_id: null,
      coupon_parent_id: null,
      limit_use: 0,
      limit_use_per_user: 0,
      start_date: null,
      limit_date: null,
      status: 'active',
      ...withoutUndefined(input),
      discount: { ...noDiscount, ...withoutUndefined(input.discount ?? {}) },
      rule: { ...noRule, ...withoutUndefined(input.rule ?? {}) },
      deleted_at: null,
      ...firstVersion(now.toISOString()),
    },
  };
}

export function updatedCoupon(before: CouponRow, input: CouponUpdate, now: Date): CouponRow {
  return {
    ...before,
    coupon: {
      ...before.coupon,
      ...withoutUndefined(input),
      discount: { ...before.coupon.discount, ...withoutUndefined(input.discount ?? {}) },
      rule: { ...before.coupon.rule, ...withoutUndefined(input.rule ?? {}) },
      ...nextVersion(before.coupon, now),
    },
  };
}

const inherited = [
  'discount',
  'rule',
  'limit_use',
  'limit_use_per_user',
  'start_date',
  'limit_date',
] as const;

/**
 * Refuses values of a copy that differ from its template's: they would have no effect. Equal values, as in a reply, are
 * accepted.
 */
export function copyRefusal(
  row: CouponRow,
  input: CouponUpdate,
): Refusal<'rest_invalid_param'> | undefined {
  if (!row.parent) return undefined;
  const terms = termsOf(row);
  const different = inherited.filter((name) => differs(input[name], terms[name]));
  if (different.length === 0) return undefined;
  const reason = 'comes from the template of this copy';
  return refuse('rest_invalid_param', {
    params: Object.fromEntries(different.map((name) => [name, reason])),
  });
}

/** Compares only the sent fields of a part. */
function differs(value: unknown, current: unknown): boolean {
  if (value === undefined) return false;
  if (!isPart(value) || !isPart(current)) return value !== current;
  return Object.entries(withoutUndefined(value)).some(
    ([name, field]) => JSON.stringify(field) !== JSON.stringify(current[name]),
  );
}

const isPart = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

export const couponReferences = ({ rule }: Pick<CouponUpdate, 'rule'>): References => ({
  'rule.apply_only': { of: 'products', ids: rule?.apply_only },
  'rule.cant_apply': { of: 'products', ids: rule?.cant_apply },
  'rule.user_ids': { of: 'users', ids: rule?.user_ids },
  'rule.group_ids': { of: 'user_groups', ids: rule?.group_ids },
});

/** Checks the resulting discount and its type: an update may send one of them alone. */
export function discountRefusal({
  coupon: { discount },
}: CouponRow): Refusal<'rest_invalid_param'> | undefined {
  const { type, value } = discount;
  const fits =
    type === 'percentage' ? percentage.safeParse(value).success : Number.isInteger(value);
  return fits
    ? undefined
    : refuse('rest_invalid_param', {
        params: {
          'discount.value':
            type === 'percentage'
              ? 'a percentage is 100 at most, with at most 4 decimals'
              : 'a fixed value is a whole number of the smallest currency unit',
        },
      });
}

/** Refuses a coupon that would end before it starts. An existing coupon of that kind can change in other ways. */
export function datesRefusal(
  { coupon: { start_date, limit_date } }: CouponRow,
  input: CouponUpdate,
): Refusal<'rest_invalid_param'> | undefined {
  if (input.start_date === undefined && input.limit_date === undefined) return undefined;
  if (start_date === null || limit_date === null || start_date < limit_date) return undefined;
  return refuse('rest_invalid_param', { params: { limit_date: 'must be after start_date' } });
}

/** Reasons against a coupon. Checkout and order use the same texts. */
export const couponRefusals = [
  'coupon_not_found',
  'coupon_inactive',
  'coupon_not_started',
  'coupon_expired',
  'coupon_limit_reached',
  'coupon_user_limit',
  'coupon_product_excluded',
  'coupon_min_amount',
  'coupon_renewal_only',
  'coupon_own',
  'coupon_group',
  'coupon_first_order_only',
] as const;

export type CouponRefusal = (typeof couponRefusals)[number];

export interface CouponUse {
  readonly product_id: number;
  /** Null for an unknown buyer, as in a visitor's checkout. Personal rules then don't apply. */
  readonly buyer: Person | null;
  /** Goods value before the discount. */
  readonly goods: number;
  readonly renewal: boolean;
  /** The buyer's orders with this coupon. */
  readonly usedByBuyer: number;
  readonly hasOrdered: boolean;
  readonly now: Date;
}

export const appliesTo = (product_id: number, { apply_only, cant_apply }: CouponRule): boolean =>
  (apply_only.length === 0 || apply_only.includes(product_id)) && !cant_apply.includes(product_id);

export function couponRefusal(
  row: CouponRow | undefined,
  use: CouponUse,
): CouponRefusal | undefined {
  if (!row) return 'coupon_not_found';
  const { rule, limit_use_per_user } = termsOf(row);
  const state = refusalByState[couponState(row, use.now)];
  if (state) return state;
  if (limit_use_per_user > 0 && use.usedByBuyer >= limit_use_per_user) return 'coupon_user_limit';
  const { minimum_amount, renewal_coupon } = rule;
  if (!appliesTo(use.product_id, rule)) return 'coupon_product_excluded';
  if (use.goods < minimum_amount) return 'coupon_min_amount';
  if (renewal_coupon && !use.renewal) return 'coupon_renewal_only';
  return use.buyer ? personalRefusal(row, rule, use.buyer, use.hasOrdered) : undefined;
}

const refusalByState: Record<CouponState, CouponRefusal | undefined> = {
  off: 'coupon_inactive',
  scheduled: 'coupon_not_started',
  expired: 'coupon_expired',
  exhausted: 'coupon_limit_reached',
  active: undefined,
};

function personalRefusal(
  { coupon }: CouponRow,
  { user_ids, group_ids, first_order_only }: CouponRule,
  buyer: NonNullable<CouponUse['buyer']>,
  hasOrdered: boolean,
): CouponRefusal | undefined {
  if (coupon.user_id === buyer.id) return 'coupon_own';
  const mine = user_ids.length === 0 || user_ids.includes(buyer.id);
  const ours = group_ids.length === 0 || group_ids.includes(buyer.group_id ?? 0);
  if (!mine || !ours) return 'coupon_group';
  return first_order_only && hasOrdered ? 'coupon_first_order_only' : undefined;
}

/** The coupon's terms as an order keeps them. */
export function agreedCoupon(row: CouponRow): AgreedCoupon {
  const { discount, rule } = termsOf(row);
  return { discount, max_discount: rule.max_discount, minimum_amount: rule.minimum_amount };
}

/** At most the value of the goods. */
export function discountOf(
  { discount: { value, type, usage }, max_discount }: AgreedCoupon,
  goods: number,
  quantity: number,
): number {
  const full =
    type === 'percentage'
      ? percentOf(goods, value)
      : usage === 'per_item'
        ? Math.min(goods, value) * quantity
        : value;
  const capped = max_discount > 0 ? Math.min(full, max_discount) : full;
  return Math.min(capped, goods);
}
