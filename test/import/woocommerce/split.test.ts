import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pricedAs } from '../../../packages/import/src/records/pricing.ts';
import type { Item } from '../../../packages/import/src/woocommerce/items.ts';
import { partsOf } from '../../../packages/import/src/woocommerce/parts.ts';
import { refundsOf } from '../../../packages/import/src/woocommerce/refunds.ts';

const cents = (most: number) => fc.integer({ min: 0, max: most });

const asText = (amount: number) => (amount / 100).toFixed(2);

const item = (id: number, type: string, meta: Readonly<Record<string, number>>): Item => ({
  id,
  partId: null,
  type,
  name: '',
  meta: new Map(Object.entries(meta).map(([key, amount]) => [key, asText(amount)])),
});

const order = fc.record({
  lines: fc.array(
    fc.record({
      price: cents(100_000),
      off: cents(100),
      tax: cents(20_000),
      quantity: fc.integer({ min: 1, max: 9 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  shipping: cents(5000),
  fee: fc.integer({ min: -3000, max: 3000 }),
  // An amount without an item, such as the rounding of taxes.
  beside: fc.integer({ min: -3, max: 3 }),
  refunds: fc.array(fc.record({ share: cents(100), line: fc.nat(6), named: cents(100_000) }), {
    maxLength: 4,
  }),
});

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

test('the parts of an order sum to the order in every amount, and none is below 0', () => {
  fc.assert(
    fc.property(order, ({ lines, shipping, fee, beside, refunds }) => {
      const made = lines.map(({ price, off, tax }, i) =>
        item(i + 1, 'line_item', {
          ...{
            _line_subtotal: price,
            _line_total: price - Math.floor((price * off) / 100),
            _line_tax: tax,
          },
        }),
      );
      const items = [
        ...made,
        item(90, 'shipping', { cost: shipping, total_tax: 0 }),
        item(91, 'fee', { _line_total: fee, _line_tax: 0 }),
      ];
      const asked = lines.map(
        ({ price, off, tax }) => price - Math.floor((price * off) / 100) + tax,
      );
      const total = Math.max(0, sum(asked) + shipping + fee + beside);
      const parts = partsOf(made, items, total, { exponent: 2 });
      const figures = parts.map((part, i) =>
        pricedAs({ parts: part, quantity: lines[i]?.quantity ?? 1, variants: [] }),
      );
      expect(sum(figures.map(({ grand_total }) => grand_total))).toBe(total);
      expect(sum(parts.map((part) => part.goods))).toBe(sum(lines.map(({ price }) => price)));
      expect(sum(parts.map((part) => part.goods - part.discount + part.tax))).toBe(sum(asked));
      expect(sum(parts.map((part) => part.shipping))).toBe(shipping);
      expect(sum(parts.map((part) => part.fee))).toBe(Math.max(0, fee));
      expect(Math.min(...parts.map((part) => part.total))).toBeGreaterThanOrEqual(0);

      const given = refundsOf(
        parts.map((part, i) => ({ id: i + 1, total: part.total })),
        refunds.map(({ share, line, named }) => ({
          at: '2024-01-01T00:00:00.000Z',
          amount: Math.floor((total * share) / 100),
          reason: null,
          named: new Map([[line + 1, named]]),
        })),
      ).map((own) => sum(own.map(({ amount }) => amount)));
      const wanted = sum(refunds.map(({ share }) => Math.floor((total * share) / 100)));
      expect(sum(given)).toBe(Math.min(wanted, total));
      for (const [i, amount] of given.entries())
        expect(amount).toBeLessThanOrEqual(parts[i]?.total ?? 0);
    }),
    { numRuns: 1000 },
  );
});
