import fc from 'fast-check';
import { expect, test } from 'vitest';
import { percentOf } from '../../src/lib/money.ts';
import { pricedAs } from '../../packages/import/src/records/pricing.ts';
import { FreeIds, spread } from '../../packages/import/src/records/split.ts';

const amount = fc.integer({ min: 0, max: 5_000_000 });

test('parts of an amount sum to it, and none is further from its share than a unit', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.array(amount, { minLength: 1, maxLength: 12 }),
      (total, weights) => {
        const parts = spread(total, weights);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total);
        const whole = weights.reduce((sum, weight) => sum + weight, 0);
        if (whole > 0)
          for (const [i, part] of parts.entries())
            expect(Math.abs(part - (total * (weights[i] ?? 0)) / whole)).toBeLessThan(1.000001);
      },
    ),
  );
});

test('a new id is above the id it follows, and no other record has it', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { minLength: 1 }), (used) => {
      const free = new FreeIds(used);
      const given = used.flatMap((id) => [free.after(id), free.after(id)]);
      const all = [...used, ...given];
      expect(new Set(all).size).toBe(all.length);
      for (const [i, id] of used.entries()) expect(given[2 * i]).toBeGreaterThan(id);
    }),
  );
});

test('an order’s amounts sum to its total, and follow from its agreed terms', () => {
  const parts = fc.record({
    ...{ goods: fc.integer({ min: -1000, max: 9_000_000 }), signup: amount, discount: amount },
    ...{ shipping: amount, fee: amount, uniqueCode: fc.integer({ min: -999, max: 999 }) },
    ...{ tax: amount, total: amount },
  });
  fc.assert(
    fc.property(
      parts,
      fc.integer({ min: 1, max: 9 }),
      fc.array(amount, { maxLength: 2 }),
      (of, quantity, extras) => {
        const priced = pricedAs({
          parts: of,
          quantity,
          variants: extras.map((extra_price) => ({ extra_price })),
        });
        const { agreed, subtotal, variant_total, discount_total, tax_total, shipping_total } =
          priced;
        const sum =
          subtotal +
          variant_total +
          priced.signup_fee -
          discount_total +
          shipping_total +
          priced.fee_total +
          priced.unique_code +
          tax_total +
          priced.adjustment_total;
        expect([sum, priced.grand_total]).toEqual([of.total, of.total]);
        expect(subtotal).toBe(priced.unit_price * quantity);
        expect(discount_total).toBe(agreed.coupon?.discount.value ?? 0);
        expect(shipping_total).toBe(agreed.shipping?.cost ?? 0);
        const goods = subtotal + variant_total - discount_total;
        expect(tax_total).toBe(agreed.tax.enabled ? percentOf(goods, agreed.tax.rate) : 0);
      },
    ),
  );
});

test.each([
  // 11 % of a price that was rounded afterwards, or rounded item by item.
  [
    { goods: 968_468_468, tax: 106_531_532, quantity: 1 },
    { rate: 11, tax_total: 106_531_531 },
  ],
  [
    { goods: 9_459_459, tax: 1_040_543, quantity: 7 },
    { rate: 11, tax_total: 1_040_540 },
  ],
  // 4 % and then 4.875 % on top.
  [
    { goods: 1_596_638, tax: 144_816, quantity: 1 },
    { rate: 9.07, tax_total: 144_815 },
  ],
  // An unusual percentage is kept exactly if possible.
  [
    { goods: 1000, tax: 333, quantity: 1 },
    { rate: 33.3, tax_total: 333 },
  ],
])('a tax is imported as tax, however it was rounded: %o', ({ goods, tax, quantity }, expected) => {
  const total = goods + tax;
  const none = { signup: 0, discount: 0, shipping: 0, fee: 0, uniqueCode: 0 };
  const priced = pricedAs({ parts: { ...none, goods, tax, total }, quantity, variants: [] });
  expect({ rate: priced.agreed.tax.rate, tax_total: priced.tax_total }).toEqual(expected);
  expect(priced.grand_total).toBe(total);
});

test('a tax rate differs from the original by the smallest step of a percentage at most', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_000_000_000 }),
      fc.double({ min: 0.0001, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 9 }),
      (goods, share, quantity) => {
        const tax = Math.round(goods * share);
        const none = { signup: 0, discount: 0, shipping: 0, fee: 0, uniqueCode: 0 };
        const parts = { ...none, goods: goods * quantity, tax: tax * quantity, total: 0 };
        const { tax_total, subtotal } = pricedAs({ parts, quantity, variants: [] });
        expect(Math.abs(tax_total - parts.tax)).toBeLessThanOrEqual(
          Math.max(quantity, Math.ceil(subtotal / 2_000_000)),
        );
      },
    ),
  );
});
