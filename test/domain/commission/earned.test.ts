import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commissionBase, earnedByTier, keptBase } from '../../../src/domain/commission/ledger.ts';
import { type Link, findingsOfSale, saleRows } from '../../../src/domain/commission/sales.ts';
import type { OrderChange } from '../../../src/domain/order/change.ts';
import { agreed, group, now, order, person, product, sale } from '../../harness/rows.ts';

describe('The base of commissions', () => {
  test('is goods after discounts and an override, never less than nothing', () => {
    const parts = { subtotal: 10_000, variant_total: 300, discount_total: 1000 };
    expect(commissionBase(order({ ...parts, adjustment_total: -200 }))).toBe(9100);
    expect(commissionBase(order({ ...parts, adjustment_total: -9_300 }))).toBe(0);
    expect(commissionBase(order({ ...parts, adjustment_total: -9_301 }))).toBe(0);
    const others = { shipping_total: 500, fee_total: 70, tax_total: 900, unique_code: 123 };
    expect(commissionBase(order({ ...parts, ...others, signup_fee: 800 }))).toBe(9300);
  });

  test('excludes the tax that prices include', () => {
    expect(commissionBase(order({ subtotal: 11_100, agreed: agreed(11) }))).toBe(10_000);
  });

  test('shrinks with refunds', () => {
    const given = (refunded_total: number) =>
      keptBase(9000, order({ grand_total: 10_000, refunded_total }));
    expect([given(0), given(1), given(5000), given(10_000)]).toEqual([9000, 8999, 4500, 0]);
    expect(keptBase(9000, order({ grand_total: 0 }))).toBe(9000);
  });
});

const terms = (tier: number, rate: number, fields: object = {}) => sale({ tier, rate, ...fields });
const earned = (rows: Parameters<typeof earnedByTier>[0], fields = {}) =>
  Object.fromEntries(earnedByTier(rows, order(fields)));
const half = { refunded_total: 5000 };

describe('A tier earns', () => {
  test('a percentage of the base, and of the part that is not refunded', () => {
    expect(earned([terms(1, 20), terms(2, 7.5)])).toEqual({
      1: { full: 2000, kept: 2000 },
      2: { full: 750, kept: 750 },
    });
    expect(earned([terms(1, 33.33)], { refunded_total: 1 })).toEqual({
      1: { full: 3333, kept: 3333 },
    });
    expect(earned([terms(1, 20)], half)).toEqual({ 1: { full: 2000, kept: 1000 } });
  });

  test('an amount for each item, that shrinks in proportion', () => {
    const fixed = terms(1, 700, { rate_type: 'fixed' });
    expect(earned([fixed], { quantity: 3 })).toEqual({ 1: { full: 2100, kept: 2100 } });
    expect(earned([fixed], { quantity: 3, ...half })).toEqual({ 1: { full: 2100, kept: 1050 } });
  });

  test('an amount set by hand, which shrinks in proportion to its base', () => {
    const hand = { rate_source: 'manual', commission: 900, base_amount: 10_000 } as const;
    expect(earned([terms(1, 20, hand)])).toEqual({ 1: { full: 900, kept: 900 } });
    expect(earned([terms(1, 20, hand)], { subtotal: 5000 })).toEqual({
      1: { full: 450, kept: 450 },
    });
    expect(earned([terms(1, 20, { ...hand, rate_type: 'fixed' })], half)).toEqual({
      1: { full: 900, kept: 450 },
    });
    // In proportion, not by its former percentage.
    expect(earned([terms(1, 9, hand)], half)).toEqual({ 1: { full: 900, kept: 450 } });
    expect(earned([terms(1, 9, hand)], { refunded_total: 33 })).toEqual({
      1: { full: 900, kept: 897 },
    });
  });

  test('at most the rest after the lower tiers, whatever the order of the rows', () => {
    const rows = [terms(3, 10), terms(1, 60), terms(2, 50)];
    expect(earned(rows)).toEqual({
      1: { full: 6000, kept: 6000 },
      2: { full: 4000, kept: 4000 },
      3: { full: 0, kept: 0 },
    });
    expect(earned(rows, half)).toEqual({
      1: { full: 6000, kept: 3000 },
      2: { full: 4000, kept: 2000 },
      3: { full: 0, kept: 0 },
    });
    // A tier that was cut shrinks by what it got, without rounding up again.
    const odd = { subtotal: 101, grand_total: 101, refunded_total: 50 };
    expect(earned([terms(1, 50), terms(2, 50)], odd)).toEqual({
      1: { full: 51, kept: 26 },
      2: { full: 50, kept: 25 },
    });
  });

  test('a percentage of the part that is not refunded, not of an earlier rounded amount', () => {
    const tiny = (subtotal: number, refunded_total: number) => {
      return { subtotal, grand_total: subtotal, refunded_total };
    };
    expect(earned([terms(1, 25)], tiny(10, 5))).toEqual({ 1: { full: 3, kept: 1 } });
    // A percentage that was cut counts as a fixed amount.
    expect(earned([terms(1, 70), terms(2, 50)], tiny(5, 3))).toEqual({
      1: { full: 4, kept: 1 },
      2: { full: 1, kept: 0 },
    });
    // The first tier is rounded up, so nothing is left for the second.
    expect(earned([terms(1, 50), terms(2, 50)], tiny(2, 1))).toEqual({
      1: { full: 1, kept: 1 },
      2: { full: 1, kept: 0 },
    });
  });

  test('an amount without the agreed tax of the order, and nothing from nothing', () => {
    expect(earned([terms(1, 10)], { subtotal: 11_100, agreed: agreed(11) })).toEqual({
      1: { full: 1000, kept: 1000 },
    });
    expect(earned([])).toEqual({});
    expect(earned([terms(1, 10)], { subtotal: 0, grand_total: 0 })).toEqual({
      1: { full: 0, kept: 0 },
    });
  });
});

test('all tiers together never get more than the base, nor more than the part that was not refunded', () => {
  const tier = fc.record({
    rate: fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 10_000),
    rate_type: fc.constantFrom('percentage', 'fixed'),
    rate_source: fc.constantFrom('product', 'manual'),
    commission: fc.nat(20_000),
  });
  const money = { subtotal: fc.nat(50_000), share: fc.double({ min: 0, max: 1, noNaN: true }) };
  fc.assert(
    fc.property(
      fc.array(tier, { maxLength: 5 }),
      fc.record(money),
      (tiers, { subtotal, share }) => {
        const its = order({
          subtotal,
          grand_total: subtotal,
          refunded_total: Math.floor(subtotal * share),
        });
        const rows = tiers.map((fields, i) => {
          const rate = fields.rate_type === 'fixed' ? Math.floor(fields.rate * 100) : fields.rate;
          return sale({ ...(fields as object), rate, tier: i + 1, base_amount: 50_000 });
        });
        const amounts = [...earnedByTier(rows, its).values()];
        const total = (name: 'full' | 'kept') =>
          amounts.reduce((sum, amount) => sum + amount[name], 0);
        expect(total('full')).toBeLessThanOrEqual(subtotal);
        expect(total('kept')).toBeLessThanOrEqual(keptBase(subtotal, its));
        for (const { full, kept } of amounts) {
          expect(full).toBeGreaterThanOrEqual(0);
          expect(kept).toBeGreaterThanOrEqual(0);
        }
      },
    ),
  );
});

describe('The rows of a new order', () => {
  const tiers = [
    { tier: 1, fee: 20, type: 'percentage' as const },
    { tier: 2, fee: 500, type: 'fixed' as const },
  ];
  const course = product({ affiliate: { enabled: true, tiers } });
  const buyer = person({ id: 4, email: 'buyer@mail.example', phone: '0812', roles: ['member'] });
  const settings = { country: 'ID' };
  const change = (fields: Partial<OrderChange> = {}): OrderChange => {
    const own = { before: null, after: order(), product: course, buyer, settings, now };
    return { ...own, ...fields } as OrderChange;
  };
  const link = (tier: number, fields: Parameters<typeof person>[0] = {}, sales = 0): Link => ({
    tier,
    person: person({ id: 10 + tier, email: `tier-${tier}@mail.example`, ...fields }),
    sales,
    commission_id: 900 + tier,
    others: [],
    trusts: [],
    recent: [],
  });

  test('are one for each tier that pays, in full', () => {
    const [first, second, ...others] = saleRows(change(), [link(1), link(2), link(3)]);
    expect(others).toEqual([]);
    expect(first).toEqual(
      sale({ id: 901, affiliate_id: 11, rate: 20, commission: 2000, base_amount: 10_000 }),
    );
    expect(second).toEqual(
      sale({
        id: 902,
        tier: 2,
        affiliate_id: 12,
        rate: 500,
        rate_type: 'fixed',
        commission: 500,
      }),
    );
  });

  test('are without the tax that the order has in its price, whatever the product has', () => {
    const taxed = (tax: object) => {
      const terms = { ...agreed(), tax: { enabled: true, rate: 11, inclusive: true, ...tax } };
      return saleRows(change({ after: order({ agreed: terms }) }), [link(1)])[0];
    };
    expect(taxed({})).toMatchObject({ base_amount: 9009, commission: 1802 });
    expect(taxed({ inclusive: false })).toMatchObject({ base_amount: 10_000 });
    expect(taxed({ enabled: false })).toMatchObject({ base_amount: 10_000 });
  });

  test('leave out the buyer, who may not promote, and uplines without sales of their own', () => {
    const paid = (...chain: Link[]) => saleRows(change(), chain).map(({ tier }) => tier);
    expect(paid(link(1, { id: 4 }), link(2))).toEqual([2]);
    expect(paid(link(1, { status: 'blocked' }), link(2, { roles: ['member'] }))).toEqual([]);
    const demanding = { group: group({ min_sales_for_upline: 3 }) };
    expect(paid(link(1, demanding, 0), link(2, demanding, 2))).toEqual([1]);
    expect(paid(link(2, demanding, 3))).toEqual([2]);
    expect(paid(link(2, { group: group() }, 0))).toEqual([2]);
  });

  test('are at the rates of the group of the affiliate who earns', () => {
    const rates = group({ commissions: [{ tier: 1, fee: 30, type: 'percentage' }] });
    expect(saleRows(change(), [link(1, { group: rates })])[0]).toMatchObject({
      rate: 30,
      rate_source: 'group',
      commission: 3000,
    });
  });

  test('come with suspicions about their affiliates, and about nobody who earns nothing', () => {
    const shared = { phone: '0812' };
    const other = { id: 77, email: null, phone: '', bank_info: 'BCA 123', bank_account: null };
    const chain: Link[] = [
      link(1, shared),
      { ...link(2, { bank_info: 'BCA 123' }), others: [other] },
      link(3, shared),
    ];
    const found = (sales = saleRows(change(), chain)) => findingsOfSale(change(), sales, chain);
    const first = { kind: 'self-phone', tier: 1, affiliate_id: 11, other_id: 4 };
    const second = { kind: 'shared-bank', tier: 2, affiliate_id: 12, other_id: 77 };
    expect(found()).toEqual([first, second]);
    expect(found([sale({ tier: 2 })])).toEqual([second]);
    expect(found([])).toEqual([]);
    const trusting = chain.map((each) => ({
      ...each,
      trusts: [{ kind: 'self-phone' as const, other_id: 4 }],
    }));
    expect(findingsOfSale(change(), saleRows(change(), chain), trusting)).toEqual([second]);
  });
});
