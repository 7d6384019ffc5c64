import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../../src/kernel/errors/errors.ts';
import { largestAmount } from '../../../src/lib/money.ts';
import {
  type Cart,
  type CouponTrial,
  type Price,
  priceCart,
  priceWithCoupon,
} from '../../../src/domain/pricing/price.ts';
import { coupon, group, now, product } from '../../harness/rows.ts';

const cart = (fields: Partial<Cart> = {}): Cart => ({
  product: product(),
  quantity: 1,
  optionIds: [],
  cod: false,
  ...fields,
});

/** The price of a cart that has one. */
function priced(fields: Partial<Cart> = {}): Price {
  const price = priceCart(cart(fields));
  if (isRefusal(price)) throw new Error(`It is refused: ${JSON.stringify(price)}`);
  return price;
}

const nothing = {
  variant_total: 0,
  signup_fee: 0,
  discount_total: 0,
  shipping_total: 0,
  fee_total: 0,
  tax_total: 0,
};

const option = (id: string, fields: object = {}) => ({ id, label: id.toUpperCase(), ...fields });
const sizes = [
  {
    id: 'size',
    label: 'Size',
    options: [option('s'), option('l', { extra_price: 300, extra_weight: 50 })],
  },
];
const colours = {
  id: 'colour',
  label: 'Colour',
  required: false,
  options: [option('red', { extra_price: -100 }), option('old', { active: false })],
};
const parcel = {
  type: 'physical' as const,
  shipping: {
    active: true,
    weight_g: 900,
    options: [
      {
        id: 'post',
        courier: 'Post',
        cost: 500,
        per_kg: 100,
        free_above: 50_000,
        countries: ['ID'],
      },
      { id: 'van', courier: 'Van', cost: 900 },
    ],
  },
};
const refusal = (params: Record<string, string>, refused = 'rest_invalid_param') => ({
  refused,
  detail: { params },
});

describe('A price', () => {
  test('is the product, times the quantity', () => {
    expect(priced({ quantity: 3 })).toEqual({
      lines: [{ kind: 'product', label: 'Course', amount: 30_000 }],
      variants: [],
      agreed: { tax: product().tax, shipping: null, coupon: null },
      totals: { ...nothing, unit_price: 10_000, subtotal: 30_000, grand_total: 30_000 },
    });
  });

  test('has what each chosen option costs more or less', () => {
    const its = product({ variants: [...sizes, colours] });
    const { lines, variants, totals } = priced({
      product: its,
      quantity: 2,
      optionIds: ['l', 'red'],
    });
    expect(lines.slice(1)).toEqual([
      { kind: 'variant', label: 'L', amount: 600 },
      { kind: 'variant', label: 'RED', amount: -200 },
    ]);
    expect(variants).toEqual([
      { group: 'size', option_id: 'l', label: 'L', extra_price: 300, extra_weight: 50 },
      { group: 'colour', option_id: 'red', label: 'RED', extra_price: -100, extra_weight: 0 },
    ]);
    expect(totals).toMatchObject({ subtotal: 20_000, variant_total: 400, grand_total: 20_400 });
  });

  test('has a sign-up fee once, and the fee of payment on delivery where it is paid so', () => {
    const its = product({ cod: { active: true, fee: 250 } });
    const { lines, totals } = priced({ product: its, quantity: 2, signupFee: 900, cod: true });
    expect(lines.slice(1)).toEqual([
      { kind: 'signup', label: 'Sign-up', amount: 900 },
      { kind: 'fee', label: 'Payment on delivery', amount: 250 },
    ]);
    expect(totals).toMatchObject({ signup_fee: 900, fee_total: 250, grand_total: 21_150 });
    const otherwise = priced({ product: its, signupFee: 0 });
    expect(otherwise.lines).toHaveLength(1);
    expect(otherwise.totals).toMatchObject({ ...nothing, grand_total: 10_000 });
  });

  test('has the tax of what is paid for the goods, on top or within', () => {
    const taxed = (inclusive: boolean) =>
      priced({
        product: product({ tax: { enabled: true, rate: 11, inclusive } }),
        coupon: coupon({ discount: { value: 1000, type: 'fixed' } }),
        signupFee: 500,
      });
    const onTop = taxed(false);
    expect(onTop.lines.at(-1)).toEqual({ kind: 'tax', label: 'Tax 11%', amount: 990 });
    expect(onTop.totals).toMatchObject({ tax_total: 990, grand_total: 10_490 });
    const within = taxed(true);
    expect(within.lines.at(-1)).toEqual({
      kind: 'tax',
      label: 'Tax 11%',
      amount: 892,
      included: true,
    });
    expect(within.totals).toMatchObject({ tax_total: 0, grand_total: 9500 });
    const off = product({ tax: { enabled: false, rate: 11, inclusive: false } });
    expect(priced({ product: off }).lines).toHaveLength(1);
  });

  test('has the shipping that was chosen, by weight, destination and what the goods come to', () => {
    const its = product({ ...parcel, variants: sizes });
    const shipping = { option_id: 'post', country: 'ID' };
    const { lines, totals } = priced({ product: its, quantity: 2, optionIds: ['l'], shipping });
    // 2 × 950 g are two started kilograms.
    expect(lines.at(-1)).toEqual({ kind: 'shipping', label: 'Post', amount: 700 });
    expect(totals).toMatchObject({ shipping_total: 700, grand_total: 21_300 });
    // Each of the options has its weight.
    const heavy = [
      ...sizes,
      { id: 'box', label: 'Box', options: [option('wood', { extra_weight: 60 })] },
    ];
    const boxed = product({ ...parcel, variants: heavy });
    const both = priced({ product: boxed, optionIds: ['l', 'wood'], shipping });
    expect(both.totals.shipping_total).toBe(700);
    const many = priced({ product: its, quantity: 5, optionIds: ['s'], shipping });
    expect(many.totals.shipping_total).toBe(0);
    expect(many.lines.at(-1)).toEqual({ kind: 'shipping', label: 'Post', amount: 0 });
    // The variants count among the goods.
    const dear = product({ ...parcel, price: 49_699, variants: sizes });
    expect(priced({ product: dear, optionIds: ['l'], shipping }).totals.shipping_total).toBe(600);
    const dearer = product({ ...parcel, price: 49_700, variants: sizes });
    expect(priced({ product: dearer, optionIds: ['l'], shipping }).totals.shipping_total).toBe(0);
    expect(priced({ product: its, optionIds: ['s'] }).totals.shipping_total).toBe(0);
  });

  test('has the discount of a coupon as a negative line, and free shipping where it gives that', () => {
    const its = product(parcel);
    const shipping = { option_id: 'van' };
    const own = coupon({ discount: { value: 10, type: 'percentage', free_shipping: true } });
    const { lines, totals } = priced({ product: its, shipping, coupon: own });
    expect(lines.slice(1)).toEqual([
      { kind: 'discount', label: 'SALE', amount: -1000 },
      { kind: 'shipping', label: 'Van', amount: 0 },
    ]);
    expect(totals).toMatchObject({ discount_total: 1000, shipping_total: 0, grand_total: 9000 });
    const without = coupon({ discount: { value: 0, type: 'fixed', free_shipping: false } });
    const plain = priced({ product: its, shipping, coupon: without });
    expect(plain.lines.map(({ kind }) => kind)).toEqual(['product', 'shipping']);
    expect(plain.totals).toMatchObject({ discount_total: 0, shipping_total: 900 });
  });

  test('is that of the group of who buys', () => {
    const vip = group({ discount: { enabled: true, value: 25, type: 'percentage' } });
    expect(priced({ group: vip, quantity: 2 }).totals).toMatchObject({
      unit_price: 7500,
      subtotal: 15_000,
    });
    expect(priced({ group: null }).totals.unit_price).toBe(10_000);
  });
});

describe('No price', () => {
  test('has a quantity that the product is not sold in', () => {
    const single = product({ enable_quantity: false });
    expect(priced({ product: single, quantity: 1 }).totals.grand_total).toBe(10_000);
    expect(priceCart(cart({ product: single, quantity: 2 }))).toEqual(
      refusal({ quantity: 'this product is sold one at a time' }),
    );
    const few = product({ max_quantity: 3 });
    expect(priced({ product: few, quantity: 3 }).totals.grand_total).toBe(30_000);
    expect(priceCart(cart({ product: few, quantity: 4 }))).toEqual(
      refusal({ quantity: 'must be 3 at most' }),
    );
  });

  test('has options that are not there, off, or two of a group', () => {
    const its = product({ variants: [...sizes, colours] });
    const choose = (...optionIds: string[]) => priceCart(cart({ product: its, optionIds }));
    expect(choose()).toEqual(refusal({ variants: 'needs an option of Size' }, 'variant_required'));
    expect(choose('s', 'l')).toEqual(refusal({ variants: 'takes one option of Size' }));
    for (const odd of ['xl', 'old', '']) {
      expect(choose('s', odd)).toEqual(
        refusal({ variants: 'names an option this product does not have' }),
      );
    }
    expect(isRefusal(choose('s', 's'))).toBe(false);
    expect(isRefusal(choose('red', 's'))).toBe(false);
  });

  test('has a way to ship that does not lead there', () => {
    const its = product(parcel);
    const ship = (option_id: string, country?: string) =>
      priceCart(cart({ product: its, shipping: { option_id, country } }));
    const refused = refusal({ 'shipping.option_id': 'is not a way to ship this product there' });
    expect(ship('post', 'SG')).toEqual(refused);
    expect(ship('bike')).toEqual(refused);
    expect(isRefusal(ship('van', 'SG'))).toBe(false);
    expect(priceCart(cart({ shipping: { option_id: 'post' } }))).toEqual(refused);
    // Not with a coupon either.
    const free = coupon({ discount: { free_shipping: true } });
    const shipping = { option_id: 'bike' };
    expect(priceCart(cart({ product: its, coupon: free, shipping }))).toEqual(refused);
  });

  test('is negative, or beyond what amounts may be', () => {
    const outOfRange = refusal({ quantity: 'makes a total that is out of range' });
    const cheaper = (extra_price: number) => [
      { id: 'deal', label: 'Deal', options: [option('deal', { extra_price })] },
    ];
    const at = (extra_price: number, price = 10_000, quantity = 1) => {
      const its = product({ price, variants: cheaper(extra_price) });
      return priceCart(cart({ product: its, optionIds: ['deal'], quantity }));
    };
    expect(at(-10_001)).toEqual(outOfRange);
    expect(at(-10_000)).toMatchObject({ totals: { grand_total: 0 } });
    expect(at(0, largestAmount)).toMatchObject({ totals: { grand_total: largestAmount } });
    expect(at(1, largestAmount)).toEqual(outOfRange);
    // Parts of it that are out of range, though their sum is not.
    expect(at(-largestAmount, largestAmount, 2)).toEqual(outOfRange);
    expect(at(-largestAmount / 2, largestAmount / 2 + 1, 2)).toEqual(outOfRange);
    expect(at(-largestAmount, largestAmount)).toMatchObject({ totals: { grand_total: 0 } });
    expect(at(-largestAmount / 2 - 1, largestAmount / 2 + 1, 2)).toEqual(outOfRange);
    expect(priceCart(cart({ product: product({ price: largestAmount }), signupFee: 1 }))).toEqual(
      outOfRange,
    );
  });
});

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

  test('costs less where it applies, which the goods with their options decide', () => {
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

  test('costs what it does where the coupon is unknown, for another product, or none', () => {
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

  test('uses the coupon up where there is something to take off, be it nothing', () => {
    const used = (its: ReturnType<typeof product>, row = coupon(), shipping?: object) => {
      const wanted = cart({ product: its, ...(shipping && { shipping: { option_id: 'van' } }) });
      const applied = priceWithCoupon(wanted, trial({ row }));
      return 'couponUsed' in applied && applied.couponUsed;
    };
    const half = coupon({ discount: { value: 50, type: 'percentage' } });
    expect(used(product(), half)).toBe(true);
    expect(used(product())).toBe(true);
    expect(used(product({ price: 0 }), half)).toBe(false);
    const free = product({ ...parcel, price: 0 });
    const freight = coupon({ discount: { free_shipping: true } });
    expect(used(free, half, {})).toBe(false);
    expect(used(free, freight, {})).toBe(true);
  });

  test('is refused as it would be without', () => {
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
