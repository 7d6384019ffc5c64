import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../../src/kernel/errors/errors.ts';
import type { OrderStatus } from '../../../src/schema/lists.ts';
import {
  followOrder,
  isLive,
  phaseOf,
  revised,
  withAdjustments,
} from '../../../src/domain/commission/ledger-change.ts';
import { earnedByTier } from '../../../src/domain/commission/ledger.ts';
import { type CommissionColumns } from '../../../src/schema/commissions.ts';
import type { OrderChange } from '../../../src/domain/order/change.ts';
import type { OrderColumns } from '../../../src/schema/orders.ts';
import { at, later, order, product, sale } from '../../harness/rows.ts';

const moment = new Date(later(60));
const week = 7 * 86_400;
const heldUntil = later(60 + week);
const touched = { updated_at: later(60), version: 2 };

/** What becomes of rows when their order changes from some columns into others. */
function follow(
  before: Partial<OrderColumns> | null,
  after: Partial<OrderColumns>,
  rows: CommissionColumns[],
  sales: CommissionColumns[] = [],
) {
  const change = {
    before: before && order(before),
    after: order(after),
    product: product({ affiliate: { enabled: true, hold_days: 7 } }),
    now: moment,
  } as OrderChange;
  const ledger = followOrder(change, rows, sales, [501, 502, 503, 504]);
  if (isRefusal(ledger)) return ledger.refused;
  return ledger;
}

const completed = { status: 'completed' } as const;
const cancelled = { status: 'cancelled' } as const;
const paidOut = { status: 'added', paid_at: at } as const;

test('an order is, to its commissions, on its way, completed or over', () => {
  const phases = (['on-hold', 'in-progress', 'completed', 'cancelled', 'refunded'] as const).map(
    (status) => phaseOf({ status }),
  );
  expect(phases).toEqual(['pending', 'pending', 'added', 'ended', 'ended']);
});

test('a row counts in its tier unless it is cancelled, or made by hand', () => {
  expect(isLive(sale())).toBe(true);
  expect(isLive(sale({ status: 'cancelled' }))).toBe(false);
  expect(isLive(sale({ kind: 'manual' }))).toBe(false);
});

test('a row is revised by a version, and is itself where nothing changes', () => {
  const row = sale();
  expect(revised(row, undefined, moment)).toBe(row);
  expect(revised(row, { commission: 5 }, moment)).toEqual({ ...row, commission: 5, ...touched });
});

describe('A new order', () => {
  test.each([
    ['on-hold', { status: 'pending' }],
    ['completed', { status: 'added', hold_until: heldUntil }],
    ['cancelled', { status: 'cancelled', cancellation: 'order' }],
  ] as const)('that is %s has its commissions so', (status, state) => {
    expect(follow(null, { status }, [], [sale()])).toEqual({
      changed: [],
      added: [sale(state as object)],
    });
  });
});

describe('Commissions of an order that goes on', () => {
  test('are added and held once it is completed', () => {
    expect(follow({}, completed, [sale()])).toEqual({
      changed: [sale({ status: 'added', hold_until: heldUntil, ...touched })],
      added: [],
    });
  });

  test('stay as they are while it stays where it is', () => {
    expect(follow({}, { status: 'in-progress' }, [sale()])).toEqual({ changed: [], added: [] });
    const added = sale({ status: 'added', hold_until: at });
    expect(follow(completed, completed, [added])).toEqual({ changed: [], added: [] });
    // Also where somebody put them elsewhere.
    expect(follow({}, { status: 'in-progress' }, [added])).toEqual({ changed: [], added: [] });
    expect(follow(completed, completed, [sale()])).toEqual({ changed: [], added: [] });
  });

  test('wait again when it is not completed after all', () => {
    const added = sale({ status: 'added', hold_until: at });
    expect(follow(completed, {}, [added])).toEqual({
      changed: [sale({ status: 'pending', hold_until: null, ...touched })],
      added: [],
    });
    const byHand = sale({ status: 'pending' });
    expect(follow(completed, {}, [byHand])).toEqual({ changed: [], added: [] });
    const early = sale({ status: 'added', hold_until: at });
    expect(follow({}, completed, [early])).toEqual({ changed: [], added: [] });
  });

  test('are cancelled with it, and come back with it', () => {
    const gone = { status: 'cancelled', cancellation: 'order', hold_until: null } as const;
    expect(follow({}, cancelled, [sale()])).toEqual({
      changed: [sale({ ...gone, ...touched })],
      added: [],
    });
    expect(follow(cancelled, {}, [sale(gone)])).toEqual({
      changed: [sale({ status: 'pending', ...touched })],
      added: [],
    });
    expect(follow(cancelled, completed, [sale(gone)])).toEqual({
      changed: [sale({ status: 'added', hold_until: heldUntil, ...touched })],
      added: [],
    });
    expect(follow(cancelled, { status: 'refunded' }, [sale(gone)])).toEqual({
      changed: [],
      added: [],
    });
  });

  test('stay cancelled where somebody cancelled them, or it counts for others', () => {
    for (const cancellation of ['hand', 'reassigned'] as const) {
      const row = sale({ status: 'cancelled', cancellation });
      for (const [from, to] of [
        [{}, completed],
        [cancelled, {}],
        [completed, cancelled],
      ] as const) {
        expect(follow(from, to, [row])).toEqual({ changed: [], added: [] });
      }
    }
  });

  test('are left alone where they were paid, or made by hand', () => {
    const manual = sale({ id: 2, kind: 'manual', status: 'added', commission: 70 });
    expect(follow(completed, completed, [sale(paidOut), manual])).toEqual({
      changed: [],
      added: [],
    });
    expect(follow({}, completed, [manual])).toEqual({ changed: [], added: [] });
    expect(follow(completed, cancelled, [manual])).toEqual({ changed: [], added: [] });
  });
});

/** A correction of the first tier's sale. */
const correction = (fields: Partial<CommissionColumns> = {}) =>
  sale({
    id: 501,
    kind: 'refund-adjustment',
    parent_id: 1,
    created_at: later(60),
    updated_at: later(60),
    ...fields,
  });

describe('What a tier has too much or too little', () => {
  test('is a row of its own, where its sale is', () => {
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

  test('counts what was corrected before, and what other tiers have', () => {
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

  test('nets at once where the sale was paid, and is settled with the next payout', () => {
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
    // What is owed on top waits as long as the order does; what is owed back does not.
    expect(follow(completed, {}, [paid])).toEqual({
      changed: [],
      added: [correction({ commission: 500, status: 'pending' })],
    });
    expect(follow(completed, { subtotal: 5000 }, [paid])).toEqual({
      changed: [],
      added: [correction({ commission: -500, base_amount: 5000, status: 'added' })],
    });
  });

  test('is all of what was paid when the order is over', () => {
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

  test('goes back to waiting with the order, unless it is owed back on what was paid', () => {
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
    // Nothing was paid on its tier: it waits, whatever its sign.
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

  test('is nothing where the sale is cancelled', () => {
    const row = sale({ status: 'cancelled', cancellation: 'hand' });
    expect(follow({}, { refunded_total: 5000 }, [row])).toEqual({ changed: [], added: [] });
    const left = correction({ id: 9, commission: -300, status: 'added' });
    expect(follow({}, { refunded_total: 5000 }, [row, left])).toMatchObject({
      added: [{ commission: 300, status: 'pending' }],
    });
  });

  test('needs an id for each row', () => {
    const rest = { order: order({ refunded_total: 1000 }), ids: [], now: moment };
    expect(() => withAdjustments([sale()], [sale()], [], rest)).toThrow(
      'Too few ids were drawn for the adjustments.',
    );
  });
});

describe('An order that comes to count for somebody else', () => {
  const other = sale({ id: 2, affiliate_id: 12 });

  test('cancels what it paid and pays anew', () => {
    const rows = [
      sale(),
      correction({ id: 9, commission: -5 }),
      sale({ id: 3, kind: 'manual' }),
      sale({ id: 4, status: 'cancelled', cancellation: 'reassigned' }),
    ];
    const gone = { status: 'cancelled', cancellation: 'reassigned', hold_until: null, ...touched };
    expect(follow({}, { affiliate_id: 12 }, rows, [other])).toEqual({
      changed: [sale(gone as object), correction({ id: 9, commission: -5, ...(gone as object) })],
      added: [other],
    });
    const done = follow(completed, { ...completed, affiliate_id: 12 }, [sale()], [other]);
    expect(done).toMatchObject({ added: [{ id: 2, status: 'added', hold_until: heldUntil }] });
  });

  test('is refused once anything was paid', () => {
    expect(follow({}, { affiliate_id: 12 }, [sale(paidOut)], [other])).toBe('commission_paid');
    expect(follow({}, { affiliate_id: null }, [sale(paidOut)])).toBe('commission_paid');
    const partly = [sale(paidOut), sale({ id: 2, tier: 2 })];
    expect(follow({}, { affiliate_id: 12 }, partly, [other])).toBe('commission_paid');
    expect(follow({}, {}, [sale(paidOut)], [other])).toMatchObject({ added: [] });
  });

  test('does not pay sales that are loaded for nothing', () => {
    expect(follow({}, {}, [sale()], [other])).toEqual({ changed: [], added: [] });
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
        const ledger = followOrder(change, rows, [], [++id, ++id]);
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
