import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addSeconds } from '../../../src/lib/instant.ts';
import { following } from '../../../src/domain/license/lifecycle.ts';
import type { LicenseRow } from '../../../src/domain/license/rules.ts';
import { type Term, laid, withEnd, withOrder } from '../../../src/domain/license/terms.ts';

const start = '2026-01-01T00:00:00.000Z';
const day = (n: number) => addSeconds(start, n * 86_400);
const at = (n: number) => new Date(day(n));

describe('the terms of a licence', () => {
  test('follow one another, whenever the next is paid', () => {
    const first = withOrder([], 1, 30, at(0));
    const second = withOrder(first, 2, 30, at(20));
    expect(laid(second)).toEqual({
      periods: [
        { order_id: 1, from: day(0), to: day(30) },
        { order_id: 2, from: day(30), to: day(60) },
      ],
      end: day(60),
    });
  });

  test('start again after a gap', () => {
    const terms = withOrder(withOrder([], 1, 30, at(0)), 2, 30, at(100));
    expect(laid(terms).periods[1]).toEqual({ order_id: 2, from: day(100), to: day(130) });
  });

  test('have no end once one of them has none', () => {
    const terms = withOrder(withOrder([], 1, 0, at(0)), 2, 30, at(10));
    expect(laid(terms)).toEqual({
      periods: [
        { order_id: 1, from: day(0), to: null },
        { order_id: 2, from: day(10), to: day(40) },
      ],
      end: null,
    });
  });

  test('end on the date that somebody sets, and later orders extend it', () => {
    const byHand = withEnd(withOrder([], 1, 30, at(0)), day(10), at(5));
    expect(laid(byHand).end).toBe(day(10));
    expect(laid(withOrder(byHand, 2, 30, at(6))).end).toBe(day(40));
    expect(laid(withEnd(byHand, null, at(7))).end).toBeNull();
    expect(withEnd(byHand, null, at(7))).toHaveLength(2);
  });
});

/** The end of terms, computed in another way: the latest of each term's start with all days from there on. */
function endOf(terms: readonly Pick<Term, 'at' | 'days'>[]): string | null {
  if (terms.some(({ days }) => days === 0)) return null;
  const ends = terms.map(({ at }, i) =>
    addSeconds(at, 86_400 * terms.slice(i).reduce((sum, { days }) => sum + days, 0)),
  );
  return ends.sort().at(-1) ?? null;
}

const license: LicenseRow = {
  terms: [],
  pauses: [],
  activations: [],
  license: {
    id: 1,
    code: '',
    product_id: 1,
    order_id: 1,
    ordinal: 1,
    user_id: 1,
    status: 'active',
    off_by_hand: false,
    activation_limit: 1,
    activation_count: 0,
    expires_at: null,
    max_resets: 1,
    resets: [],
    note: null,
    meta: {},
    created_at: start,
    updated_at: start,
    version: 1,
  },
};

const order = (id: number, status: Parameters<typeof following>[1]['status']) => ({
  id,
  order_parent_id: id === 1 ? null : 1,
  user_id: 1,
  quantity: 1,
  status,
});

const step = fc.record({
  order: fc.integer({ min: 1, max: 4 }),
  status: fc.constantFrom('completed', 'in-progress', 'on-hold', 'refunded', 'cancelled'),
  days: fc.integer({ min: 0, max: 400 }).map((n) => (n < 10 ? 0 : n)),
  wait: fc.integer({ min: 0, max: 500 }),
});

test('after any history a licence has the time of the orders that count, and no other', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let row = license;
      let today = 0;
      // The orders that count, in the order of their completion.
      let paid: { id: number; at: string; days: number }[] = [];
      for (const { order: id, status, days, wait } of steps) {
        today += wait;
        const next = following(row, order(id, status), days, at(today));
        if (status === 'completed' && !paid.some((term) => term.id === id)) {
          paid.push({ id, at: day(today), days });
        }
        if (['on-hold', 'refunded', 'cancelled'].includes(status)) {
          paid = paid.filter((term) => term.id !== id);
        }
        expect(next.terms.map(({ order_id }) => order_id)).toEqual(paid.map(({ id }) => id));
        const lost = row.terms.length > 0 && paid.length === 0;
        const unpaid = status === 'on-hold' ? 'pending' : 'inactive';
        expect(next.license).toMatchObject({
          ...(paid.length > 0 && { status: 'active', expires_at: endOf(paid) }),
          ...(lost && { status: unpaid, expires_at: row.license.expires_at }),
        });
        const versions = next.license.version - row.license.version;
        expect(versions).toBe(next === row ? 0 : 1);
        row = next;
      }
    }),
    { numRuns: 2000 },
  );
});

describe('a licence', () => {
  const completed = following(license, order(1, 'completed'), 30, at(0));

  test('gains nothing from an order that is completed again', () => {
    const reopened = following(completed, order(1, 'in-progress'), 30, at(5));
    expect(reopened).toBe(completed);
    expect(following(reopened, order(1, 'completed'), 30, at(6))).toBe(completed);
  });

  test('keeps its time when an unpaid renewal ends', () => {
    expect(following(completed, order(2, 'cancelled'), 30, at(5))).toBe(completed);
    expect(following(completed, order(2, 'on-hold'), 30, at(5))).toBe(completed);
  });

  test('that was turned off by hand stays off, but is still extended', () => {
    const off: LicenseRow = {
      ...completed,
      license: { ...completed.license, status: 'inactive' },
    };
    const renewed = following(off, order(2, 'completed'), 30, at(5));
    expect(renewed.license).toMatchObject({ status: 'inactive', expires_at: day(60) });
    const back = following(off, order(1, 'on-hold'), 30, at(5));
    expect(back.license.status).toBe('inactive');
  });

  test('that was turned off by hand stays off when its order loses its money and is paid again', () => {
    const off: LicenseRow = {
      ...completed,
      license: { ...completed.license, status: 'inactive' },
    };
    for (const lost of ['on-hold', 'cancelled', 'refunded'] as const) {
      const unpaid = following(off, order(1, lost), 30, at(5));
      const waiting = following(unpaid, order(1, 'on-hold'), 30, at(6));
      const paid = following(waiting, order(1, 'completed'), 30, at(7));
      expect([unpaid, waiting, paid].map((row) => row.license.status)).toEqual(
        Array.from({ length: 3 }, () => 'inactive'),
      );
      expect(paid.terms).toHaveLength(1);
    }
  });

  test('that was turned on by hand after a refund is left alone by other orders', () => {
    const refunded = following(completed, order(1, 'refunded'), 30, at(5));
    expect(refunded.license.status).toBe('inactive');
    const on: LicenseRow = { ...refunded, license: { ...refunded.license, status: 'active' } };
    expect(following(on, order(2, 'cancelled'), 30, at(6))).toBe(on);
  });

  test('waits while its order waits for money again, and ends if the order does', () => {
    const waiting = following(completed, order(1, 'on-hold'), 30, at(5));
    expect(waiting.license.status).toBe('pending');
    expect(following(waiting, order(1, 'cancelled'), 30, at(6)).license.status).toBe('inactive');
    const paid = following(waiting, order(1, 'completed'), 30, at(7));
    expect(paid.license).toMatchObject({ status: 'active', expires_at: day(37) });
  });

  test('of a cancelled order waits when the order is reopened', () => {
    const cancelled = following(completed, order(1, 'cancelled'), 30, at(5));
    const reopened = following(cancelled, order(1, 'on-hold'), 30, at(6));
    expect([cancelled, reopened].map(({ license }) => license.status)).toEqual([
      'inactive',
      'pending',
    ]);
  });
});
