import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Earnings,
  type Terms,
  commissionBase,
  earnedByTier,
  keptBase,
} from '../../../src/domain/commission/ledger.ts';
import { percentOf } from '../../../src/lib/money.ts';
import { agreed } from '../../harness/rows.ts';

const amount = fc.integer({ min: 0, max: 2_000_000 });

/** An order: its goods, an override of its total, and its refunds. */
const orders = fc
  .record({
    subtotal: amount,
    variant_total: amount,
    discount: fc.integer({ min: 0, max: 100 }),
    adjustment_total: fc.oneof(fc.constant(0), fc.integer({ min: -500_000, max: 500_000 })),
    shipping: amount,
    refunded: fc.double({ min: 0, max: 1, noNaN: true }),
    quantity: fc.integer({ min: 1, max: 50 }),
    agreed: fc.constantFrom(0, 11, 19.5).map(agreed),
  })
  .map(({ discount, shipping, refunded, ...order }): Earnings => {
    const goods = order.subtotal + order.variant_total;
    const discount_total = percentOf(goods, discount);
    const parts = goods - discount_total + shipping;
    const adjustment_total = Math.max(-parts, order.adjustment_total);
    const grand_total = parts + adjustment_total;
    const refunded_total = Math.round(grand_total * refunded);
    return { ...order, discount_total, adjustment_total, grand_total, refunded_total };
  });

const fee = fc.oneof(
  fc.record({
    rate_type: fc.constant('percentage' as const),
    rate: fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 10_000),
  }),
  fc.record({ rate_type: fc.constant('fixed' as const), rate: amount }),
);

const someTiers = fc
  .array(fc.tuple(fee, fc.boolean(), amount), { minLength: 1, maxLength: 6 })
  .map((fees): Terms[] =>
    fees.map(([terms, byHand, commission], i) => ({
      ...terms,
      tier: i + 1,
      rate_source: byHand && i === 1 ? 'manual' : 'product',
      commission,
      base_amount: 1_000_000,
    })),
  );

const cases = fc.tuple(orders, someTiers);

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, n) => total + n, 0);

describe("The earnings of an order's tiers", () => {
  test('are never more than the base, nor than the part of it that was not refunded', () => {
    fc.assert(
      fc.property(cases, ([order, tiers]) => {
        const base = commissionBase(order);
        const earned = [...earnedByTier(tiers, order).values()];
        expect(sum(earned.map(({ full }) => full))).toBeLessThanOrEqual(base);
        expect(sum(earned.map(({ kept }) => kept))).toBeLessThanOrEqual(keptBase(base, order));
        for (const { full, kept } of earned) {
          expect(full).toBeGreaterThanOrEqual(0);
          expect(kept).toBeGreaterThanOrEqual(0);
          expect(Number.isSafeInteger(full) && Number.isSafeInteger(kept)).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('are cut from the highest tiers: a lower tier gets its share as long as anything is left', () => {
    fc.assert(
      fc.property(cases, ([order, tiers]) => {
        const all = earnedByTier(tiers, order);
        const alone = tiers.map((terms) => earnedByTier([terms], order).get(terms.tier)?.full ?? 0);
        let left = commissionBase(order);
        for (const [i, wanted] of alone.entries()) {
          const full = all.get(i + 1)?.full ?? 0;
          expect(full).toBe(Math.min(wanted, left));
          left -= full;
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('are exactly the percentage of the part that was not refunded, if nothing is cut', () => {
    const modest = fc.tuple(orders, fc.integer({ min: 0, max: 100_000 }));
    fc.assert(
      fc.property(modest, ([order, tenThousandths]) => {
        const rate = tenThousandths / 10_000;
        const terms = { rate_type: 'percentage', rate, rate_source: 'group' } as const;
        const tiers = [1, 2, 3].map((tier) => ({
          ...terms,
          ...{ tier, commission: 0, base_amount: 0 },
        }));
        const kept = keptBase(commissionBase(order), order);
        const asked = percentOf(kept, rate);
        for (const earned of earnedByTier(tiers, order).values()) {
          // Rounding up can require a unit more than is left.
          expect([asked, 3 * asked > kept ? earned.kept : asked]).toContain(earned.kept);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('are kept in full without a refund, and are nothing after a full refund', () => {
    fc.assert(
      fc.property(cases, ([order, tiers]) => {
        const untouched = earnedByTier(tiers, { ...order, refunded_total: 0 });
        for (const { full, kept } of untouched.values()) expect(kept).toBe(full);
        if (order.grand_total === 0) return;
        const gone = earnedByTier(tiers, { ...order, refunded_total: order.grand_total });
        for (const { kept } of gone.values()) expect(kept).toBe(0);
      }),
      { numRuns: 1000 },
    );
  });
});

test.each([
  // Half of 75,001 each: both are rounded up, and the second loses the excess.
  [[50, 50], 75_001, 0, [37_501, 37_500]],
  [[33.3333, 33.3333, 33.3333], 100_000, 0, [33_333, 33_333, 33_333]],
  [[80, 30], 100_000, 0, [80_000, 20_000]],
  // A tier that was cut shrinks in proportion.
  [[80, 30], 100_000, 50_000, [40_000, 10_000]],
  [[20, 10], 99_999, 33_333, [13_333, 6667]],
  [[100], 1, 0, [1]],
] as const)(
  'tiers of %j per cent of %i with %i refunded earn %j',
  (rates, price, refunded, kept) => {
    const order = {
      ...{ subtotal: price, variant_total: 0, discount_total: 0, adjustment_total: 0 },
      ...{ grand_total: price, refunded_total: refunded, quantity: 1, agreed: agreed() },
    };
    const tiers = rates.map((rate, i) => ({
      ...({ tier: i + 1, rate, rate_type: 'percentage', rate_source: 'product' } as const),
      ...{ commission: 0, base_amount: price },
    }));
    expect([...earnedByTier(tiers, order).values()].map((earned) => earned.kept)).toEqual(kept);
  },
);
