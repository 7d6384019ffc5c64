import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../../src/kernel/errors/errors.ts';
import { largestAmount } from '../../../src/lib/money.ts';
import { priceCart, refusedQuantity } from '../../../src/domain/pricing/price.ts';
import { coupon, product } from '../../harness/rows.ts';
import { cart, priced, refusal, option, sizes, colours, parcel } from './carts.ts';

const nothing = {
  variant_total: 0,
  signup_fee: 0,
  discount_total: 0,
  shipping_total: 0,
  fee_total: 0,
  tax_total: 0,
};

describe('A price', () => {
  test('is the price of the product times the quantity', () => {
    expect(priced({ quantity: 3 })).toEqual({
      lines: [{ kind: 'product', label: 'Course', amount: 30_000 }],
      variants: [],
      agreed: { tax: product().tax, shipping: null, coupon: null, plan: null },
      totals: { ...nothing, unit_price: 10_000, subtotal: 30_000, grand_total: 30_000 },
    });
  });

  test('includes the difference for each chosen option', () => {
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

  test('includes a sign-up fee once, and the fee of payment on delivery if it is chosen', () => {
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

  test('includes the tax of its options too', () => {
    const its = product({ variants: sizes, tax: { enabled: true, rate: 10, inclusive: false } });
    const { lines, totals } = priced({ product: its, optionIds: ['l'] });
    expect(lines.at(-1)).toEqual({ kind: 'tax', label: 'Tax 10%', amount: 1030 });
    expect(totals).toMatchObject({ tax_total: 1030, grand_total: 11_330 });
  });

  test('includes the tax of the price of the goods, added or included', () => {
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

  test('includes the chosen shipping, by weight, destination and goods value', () => {
    const its = product({ ...parcel, variants: sizes });
    const shipping = { option_id: 'post', country: 'ID' };
    const { lines, totals } = priced({ product: its, quantity: 2, optionIds: ['l'], shipping });
    // 2 × 950 g are two started kilograms.
    expect(lines.at(-1)).toEqual({ kind: 'shipping', label: 'Post', amount: 700 });
    expect(totals).toMatchObject({ shipping_total: 700, grand_total: 21_300 });
    // Each option has its own weight.
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
    // Variants count as goods.
    const dear = product({ ...parcel, price: 49_699, variants: sizes });
    expect(priced({ product: dear, optionIds: ['l'], shipping }).totals.shipping_total).toBe(600);
    const dearer = product({ ...parcel, price: 49_700, variants: sizes });
    expect(priced({ product: dearer, optionIds: ['l'], shipping }).totals.shipping_total).toBe(0);
    expect(priced({ product: its, optionIds: ['s'] }).totals.shipping_total).toBe(0);
  });

  test('includes the discount of a coupon as a negative line, and free shipping if the coupon gives it', () => {
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
});

describe('No price is calculated', () => {
  test('for a quantity in which the product is not sold', () => {
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

  test('for options that are missing, off, or two of a group', () => {
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

  test('for a shipping option that does not go there', () => {
    const its = product(parcel);
    const ship = (option_id: string, country?: string) =>
      priceCart(cart({ product: its, shipping: { option_id, country } }));
    const refused = refusal({
      'shipping.option_id': 'is not a shipping option of this product for that country',
    });
    expect(ship('post', 'SG')).toEqual(refused);
    expect(ship('bike')).toEqual(refused);
    expect(isRefusal(ship('van', 'SG'))).toBe(false);
    expect(priceCart(cart({ shipping: { option_id: 'post' } }))).toEqual(refused);
    // A coupon makes no difference.
    const free = coupon({ discount: { free_shipping: true } });
    const shipping = { option_id: 'bike' };
    expect(priceCart(cart({ product: its, coupon: free, shipping }))).toEqual(refused);
  });

  test('for a shipping option of certain countries without a country', () => {
    const ship = (option_id: string) =>
      priceCart(cart({ product: product(parcel), shipping: { option_id } }));
    const reason = 'is required: this shipping option is for certain countries only';
    expect(ship('post')).toEqual(refusal({ 'shipping.country': reason }));
    expect(isRefusal(ship('van'))).toBe(false);
  });

  test('that is negative, or above the limit for amounts', () => {
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
    // Parts are out of range, although their sum is not.
    expect(at(-largestAmount, largestAmount, 2)).toEqual(outOfRange);
    expect(at(-largestAmount / 2, largestAmount / 2 + 1, 2)).toEqual(outOfRange);
    expect(at(-largestAmount, largestAmount)).toMatchObject({ totals: { grand_total: 0 } });
    expect(at(-largestAmount / 2 - 1, largestAmount / 2 + 1, 2)).toEqual(outOfRange);
    expect(priceCart(cart({ product: product({ price: largestAmount }), signupFee: 1 }))).toEqual(
      outOfRange,
    );
  });
});

test('A subscription is bought one at a time, unless it has licences', () => {
  const quantity = (count: number, fields: object) =>
    refusedQuantity(product({ enable_quantity: true, ...fields }), count);
  const subscription = { active: true };
  const reason = 'a subscription without licences is bought one at a time';
  expect(quantity(2, { subscription })).toBe(reason);
  expect(quantity(1, { subscription })).toBeUndefined();
  expect(quantity(2, { subscription, license: { active: true } })).toBeUndefined();
  expect(quantity(2, {})).toBeUndefined();
});
