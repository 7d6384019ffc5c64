import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CouponTrial, priceWithCoupon } from '../../../src/domain/pricing/price.ts';
import { coupon, now, product } from '../../harness/rows.ts';
import { cart, priced, refusal, sizes, parcel } from './carts.ts';

const trial = (fields: Partial<CouponTrial> = {}): CouponTrial => ({
  row: coupon({ discount: { value: 10, type: 'percentage' }, rule: { minimum_amount: 10_000 } }),
  buyer: null,
  renewal: false,
  usedByBuyer: 0,
  hasOrdered: false,
  now,
  ...fields,
});

describe('A cart with a coupon', () => {
  const its = product({ price: 9700, variants: sizes });

  test('costs less if the coupon applies to the goods with their options', () => {
    const applied = priceWithCoupon(cart({ product: its, optionIds: ['l'] }), trial());
    expect(applied).toMatchObject({
      couponRefusal: undefined,
      price: { totals: { discount_total: 1000, grand_total: 9000 } },
    });
    const refused = priceWithCoupon(cart({ product: its, optionIds: ['s'] }), trial());
    expect(refused).toMatchObject({
      couponRefusal: 'coupon_min_amount',
      price: { totals: { discount_total: 0, grand_total: 9700 } },
    });
  });

  test('costs the same if the coupon is unknown, for another product, or missing', () => {
    const plain = { price: priced({}), couponRefusal: undefined, couponUsed: false };
    expect(priceWithCoupon(cart(), undefined)).toEqual(plain);
    expect(priceWithCoupon(cart(), trial({ row: undefined }))).toEqual({
      ...plain,
      couponRefusal: 'coupon_not_found',
    });
    const other = trial({ row: coupon({ rule: { apply_only: [2] } }) });
    expect(priceWithCoupon(cart(), other)).toEqual({
      ...plain,
      couponRefusal: 'coupon_product_excluded',
    });
  });

  test('costs the agreed price if it is an instalment, whatever the coupon', () => {
    const row = coupon({ discount: { value: 50, type: 'percentage' } });
    expect(priceWithCoupon(cart(), trial({ row, isInstalment: true }))).toEqual({
      ...{ price: priced({}), couponUsed: false },
      couponRefusal: 'coupon_product_excluded',
    });
  });

  test('uses the coupon up only if its discount or its free shipping has an effect', () => {
    const used = (its: ReturnType<typeof product>, row = coupon(), shipping?: object) => {
      const wanted = cart({ product: its, ...(shipping && { shipping: { option_id: 'van' } }) });
      const applied = priceWithCoupon(wanted, trial({ row }));
      return 'couponUsed' in applied && applied.couponUsed;
    };
    const half = coupon({ discount: { value: 50, type: 'percentage' } });
    expect(used(product(), half)).toBe(true);
    expect(used(product())).toBe(true);
    expect(used(product({ price: 0 }), half)).toBe(false);
    expect(used(product({ price: 0 }))).toBe(false);
    const free = product({ ...parcel, price: 0 });
    const freight = coupon({ discount: { free_shipping: true } });
    expect(used(free, half, {})).toBe(false);
    expect(used(free, freight, {})).toBe(true);
    expect(used(product({ price: 1 }), half)).toBe(true);
    const tenth = coupon({ discount: { value: 10, type: 'percentage' } });
    expect(used(product({ price: 4 }), tenth)).toBe(false);
    expect(used(product(), freight)).toBe(false);
    const nothing = product({ ...parcel, shipping: { ...parcel.shipping, free: true } });
    expect(used(nothing, freight, {})).toBe(false);
  });

  test('is refused for the same reasons as without the coupon', () => {
    const refused = refusal({ variants: 'needs an option of Size' }, 'variant_required');
    expect(priceWithCoupon(cart({ product: its }), trial())).toEqual(refused);
    expect(priceWithCoupon(cart({ product: its }), undefined)).toEqual(refused);
  });
});

test('the lines that are not included elsewhere sum to the total, whatever the cart', () => {
  const amounts = fc.nat(5_000_000);
  const any = fc.record({
    price: amounts,
    rate: fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 10_000),
    inclusive: fc.boolean(),
    quantity: fc.integer({ min: 1, max: 50 }),
    signupFee: amounts,
    discount: fc.record({
      value: fc.nat(100),
      type: fc.constantFrom('percentage' as const, 'fixed' as const),
    }),
    shipped: fc.boolean(),
    cod: fc.boolean(),
  });
  fc.assert(
    fc.property(any, ({ price, rate, inclusive, quantity, signupFee, discount, shipped, cod }) => {
      const { lines, totals } = priced({
        product: product({
          ...parcel,
          price,
          tax: { enabled: true, rate, inclusive },
          cod: { active: true, fee: 777 },
        }),
        quantity,
        signupFee,
        coupon: coupon({ discount }),
        cod,
        ...(shipped && { shipping: { option_id: 'van' } }),
      });
      const summed = lines
        .filter(({ included }) => !included)
        .reduce((sum, { amount }) => sum + amount, 0);
      expect(summed).toBe(totals.grand_total);
      expect(totals.discount_total).toBeLessThanOrEqual(totals.subtotal + totals.variant_total);
    }),
  );
});
