import { describe, expect, test } from 'vitest';
import {
  concernsEarnings,
  isLive,
  isPayable,
  phaseOf,
  revised,
  withAdjustments,
} from '../../../src/domain/commission/ledger-change.ts';
import type { OrderChange } from '../../../src/domain/order/change.ts';
import type { OrderColumns } from '../../../src/schema/orders.ts';
import { at, later, order, sale } from '../../harness/rows.ts';
import {
  moment,
  heldUntil,
  touched,
  completed,
  cancelled,
  paidOut,
  follow,
  correction,
} from './following.ts';

test('the status of an order makes its commissions pending, added or ended', () => {
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

test('a row is payable once it is added and its hold is over, unless it was paid or is held', () => {
  const added = sale({ status: 'added', hold_until: later(60) });
  expect(isPayable(added, moment)).toBe(true);
  expect(isPayable({ ...added, hold_until: null }, moment)).toBe(true);
  expect(isPayable({ ...added, hold_until: later(61) }, moment)).toBe(false);
  expect(isPayable({ ...added, status: 'pending' }, moment)).toBe(false);
  expect(isPayable({ ...added, paid_at: at }, moment)).toBe(false);
  expect(isPayable({ ...added, held: true }, moment)).toBe(false);
});

describe('The earnings of an order', () => {
  const isConcerned = (before: Partial<OrderColumns> | null, after: Partial<OrderColumns>) =>
    concernsEarnings({ before: before && order(before), after: order(after) } as OrderChange);
  const refunded = { refunded_total: 10_000 };

  test.each<[string, Partial<OrderColumns> | null, Partial<OrderColumns>]>([
    ['being new', null, {}],
    ['completing', {}, completed],
    ['ending', {}, cancelled],
    ['another price of its goods', {}, { subtotal: 9000 }],
    ['another price of its goods after a full refund', refunded, { ...refunded, subtotal: 9000 }],
    ['a refund', {}, { refunded_total: 1 }],
    ['another quantity at the same price', {}, { quantity: 2 }],
    ['another affiliate', {}, { affiliate_id: 12 }],
    ['losing its affiliate', {}, { affiliate_id: null }],
  ])('may change with %s', (_, before, after) => {
    expect(isConcerned(before, after)).toBe(true);
  });

  test.each<[string, Partial<OrderColumns>, Partial<OrderColumns>]>([
    ['a note', {}, { note: 'Seen.' }],
    ['its shipping', {}, { shipping_total: 500, grand_total: 10_500 }],
    ['a status of the same phase', {}, { status: 'in-progress' }],
    ['the way in which it ended', cancelled, { status: 'refunded' }],
  ])("don't change with %s", (_, before, after) => {
    expect(isConcerned(before, after)).toBe(false);
  });
});

test('a changed row gets a new version, and an unchanged row stays the same object', () => {
  const row = sale();
  expect(revised(row, undefined, moment)).toBe(row);
  expect(revised(row, { commission: 5 }, moment)).toEqual({ ...row, commission: 5, ...touched });
});

describe('A new order', () => {
  test.each([
    ['on-hold', { status: 'pending' }],
    ['completed', { status: 'added', hold_until: heldUntil }],
    ['cancelled', { status: 'cancelled', cancellation: 'order' }],
  ] as const)('that is %s gives its commissions the status that belongs to it', (status, state) => {
    expect(follow(null, { status }, [], [sale()])).toEqual({
      changed: [],
      added: [sale(state as object)],
    });
  });

  test('holds the commissions of a tier with an open risk, or of all tiers', () => {
    const sales = [sale(), sale({ id: 2, tier: 2, rate: 10, commission: 1000 })];
    const held = (tier: number) =>
      follow(null, {}, [], sales, [
        { tier, status: 'open' },
        { tier: 2, status: 'cleared' },
      ]);
    const [first, second] = sales.map((row) => ({ ...row, held: true }));
    expect(held(2)).toEqual({ changed: [], added: [sales[0], second] });
    expect(held(1)).toEqual({ changed: [], added: [first, second] });
  });
});

describe('A risk that is found in a commission', () => {
  const drafted = sale({ status: 'added', payout_line_id: 7 });
  const after = (row: typeof drafted, status: 'open' | 'cleared') =>
    withAdjustments([drafted], [row], [], {
      ...{ order: order(completed), ids: [], now: moment },
      risks: [{ tier: 1, status }],
    });

  test('takes it out of its payout draft, even if it changes at once', () => {
    const held = { held: true, payout_line_id: null, ...touched };
    expect(after(drafted, 'open')).toEqual({ changed: [{ ...drafted, ...held }], added: [] });
    const noted = revised(drafted, { note: 'Seen.' }, moment);
    expect(after(noted, 'open')).toEqual({
      changed: [{ ...drafted, note: 'Seen.', ...held }],
      added: [],
    });
    expect(after(noted, 'cleared')).toEqual({ changed: [noted], added: [] });
    expect(noted.payout_line_id).toBe(7);
  });
});

describe('Commissions of an order that continues', () => {
  test('are added and held once it is completed', () => {
    expect(follow({}, completed, [sale()])).toEqual({
      changed: [sale({ status: 'added', hold_until: heldUntil, ...touched })],
      added: [],
    });
  });

  test('stay unchanged while its status does', () => {
    expect(follow({}, { status: 'in-progress' }, [sale()])).toEqual({ changed: [], added: [] });
    const added = sale({ status: 'added', hold_until: at });
    expect(follow(completed, completed, [added])).toEqual({ changed: [], added: [] });
    // Commissions that were set to another status by hand stay, too.
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

  test('are cancelled with it, and restored with it', () => {
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
    expect(follow({}, cancelled, [sale(gone)])).toEqual({ changed: [], added: [] });
  });

  test('stay cancelled if somebody cancelled them, or if the order counts for others', () => {
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

  test('are not changed if they were paid', () => {
    expect(follow(completed, completed, [sale(paidOut)])).toEqual({ changed: [], added: [] });
    const manual = sale({ kind: 'manual', commission: 70, ...paidOut });
    expect(follow(completed, cancelled, [manual])).toEqual({ changed: [], added: [] });
  });

  test('move with the order if their amounts are manual, which no refund changes', () => {
    const manual = { kind: 'manual', commission: 70 } as const;
    const added = { status: 'added', hold_until: heldUntil } as const;
    const ended = { status: 'cancelled', cancellation: 'order', hold_until: null } as const;
    expect(follow({}, completed, [sale(manual)])).toEqual({
      changed: [sale({ ...manual, ...added, ...touched })],
      added: [],
    });
    const paid = sale({ id: 2, ...manual, ...paidOut });
    expect(follow(completed, cancelled, [sale({ ...manual, ...added }), paid])).toEqual({
      changed: [sale({ ...manual, ...ended, ...touched })],
      added: [],
    });
    const refunded = { ...completed, refunded_total: 5000 };
    expect(follow(completed, refunded, [sale({ ...manual, ...added })])).toEqual({
      changed: [],
      added: [],
    });
  });
});

describe('An order that is assigned to another affiliate', () => {
  const other = sale({ id: 2, affiliate_id: 12 });

  test('cancels the former commissions and creates new ones', () => {
    const rows = [
      sale(),
      correction({ id: 9, commission: -5 }),
      sale({ id: 3, kind: 'manual' }),
      sale({ id: 4, status: 'cancelled', cancellation: 'reassigned' }),
    ];
    const gone = { status: 'cancelled', cancellation: 'reassigned', hold_until: null, ...touched };
    expect(follow({}, { affiliate_id: 12 }, rows, [other])).toEqual({
      changed: [
        sale(gone as object),
        correction({ id: 9, commission: -5, ...(gone as object) }),
        sale({ id: 3, kind: 'manual', ...(gone as object) }),
      ],
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

  test('takes the loaded sales only if the affiliate really changes', () => {
    expect(follow({}, {}, [sale()], [other])).toEqual({ changed: [], added: [] });
  });
});
