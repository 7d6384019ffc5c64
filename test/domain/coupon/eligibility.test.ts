import { describe, expect, test } from 'vitest';
import {
  type CouponUse,
  appliesTo,
  couponRefusal,
  couponState,
  isLiveTemplate,
} from '../../../src/domain/coupon/rules.ts';
import { at, copy, coupon, later, now, person } from '../../harness/rows.ts';

const use = (fields: Partial<CouponUse> = {}): CouponUse => ({
  product_id: 1,
  buyer: person(),
  goods: 10_000,
  renewal: false,
  usedByBuyer: 0,
  hasOrdered: false,
  now,
  ...fields,
});

describe('The state of a coupon is', () => {
  const state = (fields: Parameters<typeof coupon>[0], usage = 0) =>
    couponState({ ...coupon(fields), usage }, now);

  test('scheduled until it starts, and expired from its end on', () => {
    expect(state({ start_date: later(1) })).toBe('scheduled');
    expect(state({ start_date: at })).toBe('active');
    expect(state({ limit_date: later(1) })).toBe('active');
    expect(state({ limit_date: at })).toBe('expired');
  });

  test('exhausted once its uses reach the limit; 0 is no limit', () => {
    expect(state({ limit_use: 2 }, 1)).toBe('active');
    expect(state({ limit_use: 2 }, 2)).toBe('exhausted');
    expect(state({ limit_use: 0 }, 99)).toBe('active');
  });

  test('off because of its status, or when its template is deleted; this is checked first', () => {
    expect(state({ status: 'pending', limit_date: at })).toBe('off');
    const template = coupon();
    const orphan = copy({ ...template, coupon: { ...template.coupon, deleted_at: at } });
    expect(couponState(orphan, now)).toBe('off');
    expect(couponState(copy(), now)).toBe('active');
  });

  test('template if it is live, active, and affiliates may copy it', () => {
    const open = { rule: { use_by_affiliate: true } };
    expect(isLiveTemplate(coupon(open), now)).toBe(true);
    expect(isLiveTemplate(coupon(), now)).toBe(false);
    expect(isLiveTemplate(coupon({ ...open, limit_date: at }), now)).toBe(false);
  });
});

describe('A coupon is refused', () => {
  const refusal = (row: Parameters<typeof couponRefusal>[0], fields: Partial<CouponUse> = {}) =>
    couponRefusal(row, use(fields));
  const ruled = (rule: NonNullable<Parameters<typeof coupon>[0]>['rule']) => coupon({ rule });

  test('because of its state', () => {
    expect(refusal(undefined)).toBe('coupon_not_found');
    expect(refusal(coupon({ status: 'pending' }))).toBe('coupon_inactive');
    expect(refusal(coupon({ start_date: later(1) }))).toBe('coupon_not_started');
    expect(refusal(coupon({ limit_date: at }))).toBe('coupon_expired');
    expect(refusal({ ...coupon({ limit_use: 1 }), usage: 1 })).toBe('coupon_limit_reached');
    expect(refusal(coupon())).toBeUndefined();
  });

  test('to a buyer who used it as often as one buyer may; 0 is no limit', () => {
    const twice = coupon({ limit_use_per_user: 2 });
    expect(refusal(twice, { usedByBuyer: 2 })).toBe('coupon_user_limit');
    expect(refusal(twice, { usedByBuyer: 1 })).toBeUndefined();
    expect(refusal(coupon(), { usedByBuyer: 5 })).toBeUndefined();
  });

  test('for other products', () => {
    expect(refusal(ruled({ apply_only: [2] }))).toBe('coupon_product_excluded');
    expect(refusal(ruled({ apply_only: [2, 1] }))).toBeUndefined();
    expect(refusal(ruled({ cant_apply: [1] }))).toBe('coupon_product_excluded');
    expect(refusal(ruled({ cant_apply: [2] }))).toBeUndefined();
    const both = coupon({ rule: { apply_only: [1], cant_apply: [1] } }).coupon.rule;
    expect(appliesTo(1, both)).toBe(false);
  });

  test('below its minimum, and if it is for renewals', () => {
    expect(refusal(ruled({ minimum_amount: 10_001 }))).toBe('coupon_min_amount');
    expect(refusal(ruled({ minimum_amount: 10_000 }))).toBeUndefined();
    expect(refusal(ruled({ renewal_coupon: true }))).toBe('coupon_renewal_only');
    expect(refusal(ruled({ renewal_coupon: true }), { renewal: true })).toBeUndefined();
  });

  test('to its owner, and to buyers whom its rule does not name', () => {
    expect(refusal(copy(coupon(), { user_id: 4 }))).toBe('coupon_own');
    expect(refusal(copy())).toBeUndefined();
    expect(refusal(ruled({ user_ids: [5] }))).toBe('coupon_group');
    expect(refusal(ruled({ user_ids: [5, 4] }))).toBeUndefined();
    expect(refusal(ruled({ group_ids: [7] }))).toBe('coupon_group');
    const member = { buyer: person({ group_id: 7 }) };
    expect(refusal(ruled({ group_ids: [7] }), member)).toBeUndefined();
    expect(refusal(ruled({ group_ids: [7], user_ids: [5] }), member)).toBe('coupon_group');
    expect(refusal(ruled({ group_ids: [8], user_ids: [4] }), member)).toBe('coupon_group');
  });

  test('after the first order, if it is for the first order only', () => {
    const first = ruled({ first_order_only: true });
    expect(refusal(first)).toBeUndefined();
    expect(refusal(first, { hasOrdered: true })).toBe('coupon_first_order_only');
    expect(refusal(coupon(), { hasOrdered: true })).toBeUndefined();
  });

  test('but not by a rule about buyers while the buyer is unknown', () => {
    const personal = ruled({ user_ids: [5], group_ids: [7], first_order_only: true });
    expect(refusal(personal, { buyer: null, hasOrdered: true })).toBeUndefined();
  });
});
