import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../../src/kernel/errors/errors.ts';
import type { OrderStatus } from '../../../src/schema/lists.ts';
import {
  followOrder,
  isLive,
  phaseOf,
  withAdjustments,
} from '../../../src/domain/commission/ledger-change.ts';
import { earnedByTier } from '../../../src/domain/commission/ledger.ts';
import type { OrderChange } from '../../../src/domain/order/change.ts';
import { at, later, order, product, sale } from '../../harness/rows.ts';
import {
  moment,
  heldUntil,
  completed,
  cancelled,
  paidOut,
  follow,
  correction,
} from './following.ts';

describe('The excess or lack of a tier', () => {
  test('is a row of its own, with the status of its sale', () => {
    const added = sale({
      status: 'added',
      hold_until: heldUntil,
      note: 'Fine.',
      flags: ['velocity'],
    });
    const given = { ...completed, refunded_total: 5000 };
    expect(follow(completed, given, [added])).toEqual({
      changed: [],
      added: [
        correction({
          commission: -1000,
          base_amount: 5000,
          status: 'added',
          hold_until: heldUntil,
          flags: ['velocity'],
        }),
      ],
    });
    const waiting = follow({}, { refunded_total: 5000 }, [sale()]);
    expect(waiting).toEqual({
      changed: [],
      added: [correction({ commission: -1000, base_amount: 5000 })],
    });
  });

  test('includes earlier corrections, and the amounts of other tiers', () => {
    const rows = [
      sale(),
      correction({ id: 9, commission: -1000 }),
      correction({ id: 10, commission: -77, status: 'cancelled', cancellation: 'hand' }),
      sale({ id: 3, kind: 'manual', commission: 50 }),
      sale({ id: 2, tier: 2, rate: 10, commission: 1000 }),
    ];
    expect(follow({ refunded_total: 5000 }, { refunded_total: 6000 }, rows)).toEqual({
      changed: [],
      added: [
        correction({ commission: -200, base_amount: 4000 }),
        correction({
          id: 502,
          parent_id: 2,
          tier: 2,
          rate: 10,
          commission: -600,
          base_amount: 4000,
        }),
      ],
    });
  });

  test('nets at once if the sale was paid, and is settled with the next payout', () => {
    const given = { ...completed, refunded_total: 5000 };
    expect(follow(completed, given, [sale({ ...paidOut, payout_id: 6, hold_until: at })])).toEqual({
      changed: [],
      added: [correction({ commission: -1000, base_amount: 5000, status: 'added' })],
    });
    const paid = sale({ ...paidOut, commission: 1500 });
    const more = follow(completed, completed, [paid]);
    expect(more).toEqual({
      changed: [],
      added: [correction({ commission: 500, status: 'added' })],
    });
    // An additional amount waits with the order; an amount to pay back doesn't.
    expect(follow(completed, {}, [paid])).toEqual({
      changed: [],
      added: [correction({ commission: 500, status: 'pending' })],
    });
    expect(follow(completed, { subtotal: 5000 }, [paid])).toEqual({
      changed: [],
      added: [correction({ commission: -500, base_amount: 5000, status: 'added' })],
    });
  });

  test('is everything that was paid if the order has ended', () => {
    expect(follow(completed, cancelled, [sale(paidOut)])).toEqual({
      changed: [],
      added: [correction({ commission: -2000, status: 'added' })],
    });
    const netted = [
      sale(paidOut),
      correction({ id: 9, commission: -1000, status: 'added', hold_until: at }),
    ];
    expect(
      follow(
        { ...completed, refunded_total: 5000 },
        { ...cancelled, refunded_total: 5000 },
        netted,
      ),
    ).toEqual({
      changed: [
        correction({
          id: 9,
          commission: -1000,
          status: 'added',
          hold_until: null,
          version: 2,
        }),
      ],
      added: [correction({ commission: -1000, base_amount: 5000, status: 'added' })],
    });
  });

  test('waits again with the order, unless it is a debt for a paid sale', () => {
    const rows = (commission: number) => [
      sale({ ...paidOut, commission: 2000 - commission }),
      correction({ id: 9, commission, status: 'added', hold_until: at }),
    ];
    expect(follow(completed, {}, rows(-300))).toEqual({ changed: [], added: [] });
    expect(follow(completed, {}, rows(0))).toMatchObject({ changed: [{ status: 'pending' }] });
    expect(follow(completed, {}, rows(300))).toEqual({
      changed: [
        correction({ id: 9, commission: 300, status: 'pending', hold_until: null, version: 2 }),
      ],
      added: [],
    });
    // Nothing was paid on the tier, so the amount waits, whatever its sign.
    const unpaid = [
      sale({ status: 'added', commission: 2300 }),
      correction({ id: 9, commission: -300, status: 'added', hold_until: at }),
    ];
    expect(follow(completed, {}, unpaid)).toMatchObject({
      changed: [
        { id: 1, status: 'pending' },
        { id: 9, status: 'pending' },
      ],
    });
  });

  test('is nothing if the sale is cancelled', () => {
    const row = sale({ status: 'cancelled', cancellation: 'hand' });
    expect(follow({}, { refunded_total: 5000 }, [row])).toEqual({ changed: [], added: [] });
    const left = correction({ id: 9, commission: -300, status: 'added' });
    expect(follow({}, { refunded_total: 5000 }, [row, left])).toMatchObject({
      added: [{ commission: 300, status: 'pending' }],
    });
  });

  test('joins the payout draft of its tier, if it is payable', () => {
    const rows = [
      sale({ id: 2, tier: 2, status: 'added', rate: 10, commission: 1000, payout_line_id: 8 }),
      sale({ ...paidOut, payout_id: 6 }),
      correction({ id: 9, commission: -500, status: 'added', payout_line_id: 7 }),
      sale({ id: 3, tier: 3, status: 'added', rate: 5, commission: 500 }),
    ];
    const refunds = (refunded_total: number) => ({ ...completed, refunded_total });
    expect(follow(refunds(2500), refunds(5000), rows)).toMatchObject({
      changed: [],
      added: [
        { tier: 2, commission: -500, payout_line_id: 8 },
        { tier: 1, commission: -500, payout_line_id: 7 },
        { tier: 3, commission: -250, payout_line_id: null },
      ],
    });
    const held = sale({ status: 'added', hold_until: heldUntil, payout_line_id: 7 });
    expect(follow(completed, refunds(5000), [held])).toMatchObject({
      added: [{ commission: -1000, hold_until: heldUntil, payout_line_id: null }],
    });
  });

  test('joins the payout draft of its sale once it is payable', () => {
    const rows = (fields: object) => [
      sale({ ...paidOut, payout_id: 6 }),
      correction({ id: 9, commission: -1000, status: 'added', payout_line_id: 7 }),
      correction({ id: 10, commission: 500, ...fields }),
    ];
    const refunded = { ...completed, refunded_total: 2500 };
    const free = follow(refunded, { ...refunded, refunded_total: 3000 }, rows({ status: 'added' }));
    expect(free).toMatchObject({
      changed: [{ id: 10, payout_line_id: 7, version: 2 }],
      added: [{ commission: -100, payout_line_id: 7 }],
    });
    const held = { status: 'added', hold_until: later(3600) };
    expect(follow(refunded, { ...refunded, refunded_total: 3000 }, rows(held))).toMatchObject({
      changed: [],
    });
  });

  test('joins no payout draft of another affiliate of its tier', () => {
    const manual = { kind: 'manual', status: 'added', commission: 1000 } as const;
    const rows = [
      sale({ ...manual, id: 2, affiliate_id: 12, payout_line_id: 8 }),
      sale({ status: 'added', hold_until: null }),
    ];
    expect(follow(completed, { ...completed, refunded_total: 5000 }, rows)).toMatchObject({
      changed: [],
      added: [{ affiliate_id: 11, payout_line_id: null }],
    });
  });

  test('needs an id for each row', () => {
    const rest = { order: order({ refunded_total: 1000 }), ids: [], risks: [], now: moment };
    expect(() => withAdjustments([sale()], [sale()], [], rest)).toThrow(
      'Too few ids were drawn for the adjustments.',
    );
  });
});

test('whatever happens to an order, the live rows of a tier sum to what it earns', () => {
  const step = fc.record({
    status: fc.constantFrom<OrderStatus>('on-hold', 'completed', 'cancelled', 'refunded'),
    refunded_total: fc.nat(10_000),
    paid: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      let before = order();
      let rows = [sale(), sale({ id: 2, tier: 2, affiliate_id: 12, rate: 7.5, commission: 750 })];
      let id = 1000;
      for (const { paid, ...fields } of steps) {
        const after = order(fields);
        const change = { before, after, product: product(), now: moment } as OrderChange;
        const ledger = followOrder(change, rows, [], [++id, ++id], []);
        if (isRefusal(ledger)) throw new Error(ledger.refused);
        const changed = new Map(ledger.changed.map((row) => [row.id, row]));
        rows = [...rows.map((row) => changed.get(row.id) ?? row), ...ledger.added];
        const earned = earnedByTier(
          rows.filter(({ kind }) => kind === 'sale'),
          after,
        );
        for (const tier of [1, 2]) {
          const live = rows.filter((row) => row.tier === tier && isLive(row));
          const sum = live.reduce((total, { commission }) => total + commission, 0);
          expect(sum).toBe(phaseOf(after) === 'ended' ? 0 : earned.get(tier)?.kept);
        }
        if (paid) {
          rows = rows.map((row) => (row.status === 'added' ? { ...row, paid_at: at } : row));
        }
        before = after;
      }
    }),
  );
});
