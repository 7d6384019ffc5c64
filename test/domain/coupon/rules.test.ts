import { describe, expect, test } from 'vitest';
import {
  type CouponRow,
  agreedCoupon,
  copyRefusal,
  couponReferences,
  datesRefusal,
  discountRefusal,
  discountOf,
  forAffiliate,
  newCoupon,
  termsOf,
  toCoupon,
  updatedCoupon,
} from '../../../src/domain/coupon/rules.ts';
import type { CouponUpdate } from '../../../src/domain/coupon/schemas.ts';
import { at, copy, coupon, later, now } from '../../harness/rows.ts';

describe('A discount', () => {
  const judged = (type: 'percentage' | 'fixed', value: number) => {
    const discount = { ...coupon().coupon.discount, type, value };
    return discountRefusal(coupon({ discount }))?.detail.params?.['discount.value'];
  };

  test.each([
    ['percentage', 100],
    ['percentage', 0.0001],
    ['fixed', 60_000],
  ] as const)('can be %s %d', (type, value) => expect(judged(type, value)).toBeUndefined());

  test.each([
    ['percentage', 100.5, 'a percentage is 100 at most, with at most 4 decimals'],
    ['percentage', 0.000_01, 'a percentage is 100 at most, with at most 4 decimals'],
    ['fixed', 0.5, 'a fixed value is a whole number of the smallest currency unit'],
  ] as const)('can not be %s %d', (type, value, reason) =>
    expect(judged(type, value)).toBe(reason),
  );
});

describe('The dates of a coupon', () => {
  const judged = (start_date: string | null, limit_date: string | null, input: CouponUpdate) =>
    datesRefusal(coupon({ start_date, limit_date }), input)?.detail.params;
  const wrong = { limit_date: 'must be after start_date' };

  test('are refused if the end that an update leaves is not after the start', () => {
    expect(judged(later(2), later(1), { start_date: later(2) })).toEqual(wrong);
    expect(judged(later(2), later(1), { limit_date: later(1) })).toEqual(wrong);
    expect(judged(later(1), later(1), { limit_date: later(1) })).toEqual(wrong);
  });

  test('are accepted if one of them is open, if they are in order, or if the update names neither', () => {
    expect(judged(null, later(1), { limit_date: later(1) })).toBeUndefined();
    expect(judged(later(1), null, { start_date: later(1) })).toBeUndefined();
    expect(judged(later(1), later(2), { limit_date: later(2) })).toBeUndefined();
    expect(judged(later(2), later(1), {})).toBeUndefined();
  });
});

test('An affiliate sees a coupon without the people it is for', () => {
  const whole = toCoupon(
    coupon({ rule: { user_ids: [3], group_ids: [4], minimum_amount: 5 } }),
    now,
  );
  const rule = { ...whole.rule, user_ids: [], group_ids: [] };
  expect(forAffiliate(whole)).toEqual({ ...whole, rule });
});

test('A rule refers to products, buyers and their groups', () => {
  const rule = { apply_only: [1], cant_apply: [2], user_ids: [3], group_ids: [4] };
  expect(couponReferences({ rule })).toEqual({
    'rule.apply_only': { of: 'products', ids: [1] },
    'rule.cant_apply': { of: 'products', ids: [2] },
    'rule.user_ids': { of: 'users', ids: [3] },
    'rule.group_ids': { of: 'user_groups', ids: [4] },
  });
  expect(couponReferences({})['rule.user_ids']).toEqual({ of: 'users', ids: undefined });
});

describe('The terms of a coupon', () => {
  test('are its own', () => {
    const own = coupon({
      limit_use: 3,
      limit_use_per_user: 2,
      start_date: at,
      limit_date: later(9),
    });
    expect(termsOf(own)).toEqual({
      discount: { value: 0, type: 'percentage', usage: 'total', free_shipping: false },
      rule: own.coupon.rule,
      limit_use: 3,
      limit_use_per_user: 2,
      start_date: at,
      limit_date: later(9),
      status: 'active',
    });
  });

  test("are its template's if it is a copy, and the stricter status of both", () => {
    const template = coupon({ limit_use: 3, discount: { value: 15 } });
    expect(termsOf(copy(template))).toMatchObject({ limit_use: 3, discount: { value: 15 } });
    for (const [own, parent, status] of [
      ['active', 'active', 'active'],
      ['pending', 'active', 'pending'],
      ['active', 'pending', 'pending'],
      ['need-approve', 'pending', 'need-approve'],
      ['pending', 'need-approve', 'need-approve'],
    ] as const) {
      expect(termsOf(copy(coupon({ status: parent }), { status: own })).status).toBe(status);
    }
  });
});

describe('A copy', () => {
  const refused = (input: CouponUpdate, row: CouponRow = copy(template)) =>
    Object.keys(copyRefusal(row, input)?.detail.params ?? {});
  const template = coupon({
    discount: { value: 15 },
    rule: { apply_only: [1, 2] },
    limit_use: 3,
    limit_date: later(9),
  });

  test("can't have terms that differ from its template's", () => {
    expect(refused({ discount: { value: 16 }, rule: { apply_only: [2, 1] } })).toEqual([
      'discount',
      'rule',
    ]);
    expect(refused({ limit_use: 4, limit_use_per_user: 1 })).toEqual([
      'limit_use',
      'limit_use_per_user',
    ]);
    expect(refused({ start_date: at, limit_date: null })).toEqual(['start_date', 'limit_date']);
    expect(copyRefusal(copy(template), { limit_use: 4 })).toMatchObject({
      refused: 'rest_invalid_param',
      detail: { params: { limit_use: 'comes from the template of this copy' } },
    });
  });

  test('can repeat the terms of its template, and can have values of its own', () => {
    expect(copyRefusal(copy(template), { code: 'MINE', status: 'pending' })).toBeUndefined();
    const same = { discount: { value: 15 }, rule: { apply_only: [1, 2] }, limit_use: 3 };
    expect(refused({ ...same, start_date: null, limit_date: later(9) })).toEqual([]);
    expect(refused({ discount: {}, rule: {} })).toEqual([]);
  });

  test('is the only coupon that is bound to the terms of another', () => {
    expect(refused({ discount: { value: 16 }, limit_use: 4 }, template)).toEqual([]);
  });
});

describe('A discount', () => {
  const off = (
    discount: NonNullable<Parameters<typeof coupon>[0]>['discount'],
    rule = {},
    quantity = 2,
  ) => discountOf(agreedCoupon(coupon({ discount, rule })), 10_001, quantity);

  test('is a percentage of the goods', () => {
    expect(off({ value: 12.5, type: 'percentage' })).toBe(1250);
    expect(off({ value: 50, type: 'percentage' })).toBe(5001);
    expect(off({ value: 100, type: 'percentage', usage: 'per_item' })).toBe(10_001);
  });

  test('is an amount, once or for each item, and never more than the goods cost', () => {
    expect(off({ value: 700, type: 'fixed', usage: 'total' })).toBe(700);
    expect(off({ value: 700, type: 'fixed', usage: 'per_item' })).toBe(1400);
    expect(off({ value: 700, type: 'fixed', usage: 'per_item' }, {}, 100)).toBe(10_001);
    expect(off({ value: 20_000, type: 'fixed', usage: 'total' })).toBe(10_001);
    expect(off({ value: Number.MAX_SAFE_INTEGER, type: 'fixed', usage: 'per_item' })).toBe(10_001);
  });

  test('is capped at the maximum of the coupon; 0 is no limit', () => {
    expect(off({ value: 50, type: 'percentage' }, { max_discount: 300 })).toBe(300);
    expect(off({ value: 1, type: 'percentage' }, { max_discount: 300 })).toBe(100);
    expect(off({ value: 50, type: 'percentage' }, { max_discount: 0 })).toBe(5001);
  });
});

describe('A coupon as a record', () => {
  test('starts without any limit or rule', () => {
    const { coupon: made, usage, parent } = newCoupon({ code: 'NEW' }, 3, null, now);
    expect({ usage, parent }).toEqual({ usage: 0, parent: null });
    expect(made).toEqual({
      id: 3,
      code: 'NEW',
      user_id: null,
      coupon_parent_id: null,
      limit_use: 0,
      limit_use_per_user: 0,
      start_date: null,
      limit_date: null,
      status: 'active',
      discount: { value: 0, type: 'percentage', usage: 'total', free_shipping: false },
      rule: {
        apply_only: [],
        cant_apply: [],
        max_discount: 0,
        minimum_amount: 0,
        use_by_affiliate: false,
        limit_affiliate_coupon: 0,
        renewal_coupon: false,
        first_order_only: false,
        user_ids: [],
        group_ids: [],
      },
      deleted_at: null,
      created_at: at,
      updated_at: at,
      version: 1,
    });
  });

  test('changes only in the fields that an update names, inside its parts too', () => {
    const before = coupon({ discount: { value: 10 }, rule: { max_discount: 5 }, limit_use: 4 });
    const moment = new Date(later(60));
    const { coupon: after } = updatedCoupon(
      before,
      { limit_use: 9, discount: { free_shipping: true }, rule: { user_ids: [4] } },
      moment,
    );
    expect(after).toEqual({
      ...before.coupon,
      limit_use: 9,
      discount: { ...before.coupon.discount, free_shipping: true },
      rule: { ...before.coupon.rule, user_ids: [4] },
      updated_at: later(60),
      version: 2,
    });
    expect(updatedCoupon(before, {}, moment).coupon).toMatchObject({
      discount: before.coupon.discount,
      rule: before.coupon.rule,
    });
  });

  test('is shown with its state and the terms of its template', () => {
    const template = coupon({ code: 'TEMPLATE', discount: { value: 15 } });
    expect(toCoupon({ ...copy(template), usage: 2 }, now)).toMatchObject({
      code: 'SALE',
      discount: { value: 15 },
      coupon_parent_code: 'TEMPLATE',
      usage: 2,
      state: 'active',
    });
    expect(toCoupon(coupon(), now).coupon_parent_code).toBeNull();
  });
});
