import { describe, expect, test } from 'vitest';
import type { CommissionColumns } from '../../../src/schema/commissions.ts';
import {
  type HandState,
  decideByHand,
  decideRemoval,
  forEarner,
  stateOf,
  toCommission,
} from '../../../src/domain/commission/rules.ts';
import type { CommissionUpdate } from '../../../src/domain/commission/schemas.ts';
import { agreed, at, later, now, order, sale } from '../../harness/rows.ts';

const moment = new Date(later(60));
const touched = { updated_at: later(60), version: 2 };
const held = later(60 + 3 * 86_400);
const unchanged = { changed: [], added: [] };

/** A ledger whose first row is changed by hand. */
const state = (rows: CommissionColumns[], fields: Partial<HandState> = {}): HandState => {
  const [row = sale()] = rows;
  const facts = { order: order(), holdDays: 3, ids: [501, 502], risks: [], now: moment };
  return { row, rows, ...facts, ...fields };
};

const change = (
  rows: CommissionColumns[],
  input: CommissionUpdate,
  fields: Partial<HandState> = {},
) => decideByHand(state(rows, fields), input);
const refused = (code: string, detail: object = {}) => ({ refused: code, detail });

const added = (fields: Partial<CommissionColumns> = {}) => sale({ status: 'added', ...fields });
const adjustment = (fields: Partial<CommissionColumns> = {}) =>
  sale({ id: 9, kind: 'refund-adjustment', parent_id: 1, commission: 0, ...fields });

test('the state of a commission is its status, or held, payable or paid once it is added', () => {
  expect(stateOf(sale(), now)).toBe('pending');
  expect(stateOf(sale({ status: 'cancelled', paid_at: at }), now)).toBe('cancelled');
  expect(stateOf(added(), now)).toBe('payable');
  expect(stateOf(added({ hold_until: later(1) }), now)).toBe('held');
  expect(stateOf(added({ hold_until: at }), now)).toBe('payable');
  expect(stateOf(added({ paid_at: at, hold_until: later(1) }), now)).toBe('paid');
  expect(toCommission(added({ paid_at: at }), now)).toMatchObject({
    paid_status: true,
    state: 'paid',
  });
  expect(toCommission(sale(), now)).toMatchObject({ paid_status: false, state: 'pending' });
});

test("the earner of a commission sees neither the store's notes nor its suspicions", () => {
  const commission = toCommission(added({ note: 'Odd.', flags: ['velocity'] }), now);
  expect(forEarner(commission)).toEqual({ ...commission, note: null, flags: [] });
});

describe('A change by hand:', () => {
  test('an update that repeats the present values changes nothing, even if the commission was paid', () => {
    const paid = added({ paid_at: at, note: 'Ok.' });
    const same = { status: 'added', paid_status: true, commission: 2000, note: 'Ok.' } as const;
    expect(change([paid], { ...same, reason: 'Why not.' })).toEqual(unchanged);
    expect(change([sale()], {})).toEqual(unchanged);
    expect(change([sale()], { paid_status: false, note: null })).toEqual(unchanged);
  });

  test('a paid commission is never changed', () => {
    const paid = added({ paid_at: at });
    for (const input of [
      { note: 'x' },
      { paid_status: false },
      { status: 'cancelled' },
      { commission: 1, reason: 'x' },
    ] as const) {
      expect(change([paid], input)).toEqual(refused('commission_paid'));
    }
  });

  test('an adjustment follows its sale, and takes a note', () => {
    const rows = [adjustment({ status: 'added', hold_until: null }), added()];
    const follows = refused('commission_adjustment', { data: { parent_id: 1 } });
    expect(change(rows, { status: 'cancelled' })).toEqual(follows);
    expect(change(rows, { commission: 5, reason: 'x' })).toEqual(follows);
    expect(change(rows, { note: 'Seen.' })).toEqual({
      changed: [adjustment({ status: 'added', note: 'Seen.', ...touched })],
      added: [],
    });
    expect(change(rows, { paid_status: true })).toMatchObject({
      changed: [{ paid_at: later(60) }],
    });
  });

  test('a status can change to every other, with the hold of the product', () => {
    expect(change([sale()], { status: 'added' })).toEqual({
      changed: [sale({ status: 'added', hold_until: held, ...touched })],
      added: [],
    });
    expect(change([added({ hold_until: at })], { status: 'pending' })).toEqual({
      changed: [sale({ status: 'pending', ...touched })],
      added: [],
    });
    expect(change([added({ hold_until: at })], { status: 'cancelled' })).toEqual({
      changed: [sale({ status: 'cancelled', cancellation: 'hand', ...touched })],
      added: [],
    });
    const gone = sale({ status: 'cancelled', cancellation: 'hand' });
    expect(change([gone], { status: 'pending' })).toEqual({
      changed: [sale(touched)],
      added: [],
    });
  });

  test('a status can not change if the order has ended, or counts for somebody else', () => {
    const over = { order: order({ status: 'cancelled' }) };
    const gone = (cancellation: CommissionColumns['cancellation']) =>
      sale({ status: 'cancelled', cancellation });
    const no = (from: string, to: string, allowed: string[]) =>
      refused('rest_invalid_transition', {
        message: `The commission may not change from ${from} to ${to}.`,
        data: { from, to, allowed },
      });
    expect(change([gone('order')], { status: 'added' }, over)).toEqual(
      no('cancelled', 'added', []),
    );
    for (const cancellation of ['reassigned', 'risk'] as const) {
      expect(change([gone(cancellation)], { status: 'pending' })).toEqual(
        no('cancelled', 'pending', []),
      );
    }
    expect(change([added()], { status: 'pending' }, over)).toEqual(
      no('added', 'pending', ['cancelled']),
    );
  });

  test('a tier changes as one: adjustments with the status of the sale change with it', () => {
    const rows = [
      added({ commission: 2400 }),
      adjustment({ id: 5, status: 'added', commission: -400 }),
      adjustment({ id: 6, status: 'added', commission: -30, paid_at: at }),
      adjustment({ id: 7, status: 'pending', commission: 30 }),
      adjustment({ id: 8, status: 'added', commission: 10, parent_id: 2 }),
      adjustment({ id: 9, status: 'added', commission: -10, cancellation: 'hand' }),
    ];
    expect(change(rows, { status: 'pending', note: 'Wait.' })).toEqual({
      changed: [
        sale({ commission: 2400, note: 'Wait.', ...touched }),
        adjustment({ id: 5, commission: -400, ...touched }),
      ],
      added: [],
    });
  });

  test('a payable commission is paid, even in the change that makes it payable', () => {
    expect(change([added()], { paid_status: true, note: 'Cash.' })).toEqual({
      changed: [added({ paid_at: later(60), note: 'Cash.', ...touched })],
      added: [],
    });
    const notYet = refused('commission_not_payable');
    expect(change([sale()], { paid_status: true })).toEqual(notYet);
    expect(change([added({ hold_until: later(61) })], { paid_status: true })).toEqual(notYet);
    expect(change([sale()], { status: 'added', paid_status: true })).toEqual(notYet);
    expect(change([sale()], { status: 'added', paid_status: true }, { holdDays: 0 })).toMatchObject(
      {
        changed: [{ status: 'added', hold_until: later(60), paid_at: later(60) }],
      },
    );
  });

  test('a commission in a payout run is paid by the run alone', () => {
    expect(change([added({ payout_line_id: 7 })], { paid_status: true })).toEqual(
      refused('commission_not_payable', { message: 'The commission is in a payout run.' }),
    );
    expect(change([added({ payout_line_id: 7 })], { note: 'Seen.' })).toMatchObject({
      changed: [{ payout_line_id: 7, note: 'Seen.' }],
    });
  });
});

describe('A figure set by hand', () => {
  const second = (fields = {}) => sale({ id: 2, tier: 2, rate: 10, commission: 1000, ...fields });
  const hand = { rate_source: 'manual', base_amount: 10_000 } as const;

  test('replaces the amount of the tier, or adds a row if the tier was paid', () => {
    expect(
      change([sale({ note: 'Old.' }), second()], { commission: 2500, reason: 'Bonus.' }),
    ).toEqual({
      changed: [sale({ ...hand, commission: 2500, note: 'Bonus.', ...touched })],
      added: [],
    });
    expect(change([sale({ note: 'Old.' })], { commission: 2500 })).toMatchObject({
      changed: [{ note: 'Old.' }],
    });
    const partly = change(
      [sale({ base_amount: 7 })],
      { commission: 2500 },
      {
        order: order({ refunded_total: 5000 }),
      },
    );
    expect(partly).toMatchObject({
      changed: [{ commission: 2500, base_amount: 10_000 }],
      added: [{ commission: -1250, parent_id: 1, id: 501 }],
    });
  });

  test('is no more than the other tiers leave of the base', () => {
    const rows = [sale(), second()];
    expect(change(rows, { commission: 9000 })).toMatchObject({ changed: [{ commission: 9000 }] });
    expect(change(rows, { commission: 9001 })).toEqual(
      refused('rest_invalid_param', {
        params: { commission: 'may be 9000 at most: all tiers share 10000' },
      }),
    );
    const free = [
      sale(),
      second({ status: 'cancelled', cancellation: 'reassigned' }),
      adjustment({ id: 3, tier: 3, rate: 50, commission: 0 }),
    ];
    expect(change(free, { commission: 10_000 })).toMatchObject({
      changed: [{ commission: 10_000 }],
    });
    const taxed = { order: order({ agreed: agreed(25) }) };
    expect(change([sale()], { commission: 8001 }, taxed)).toMatchObject({
      refused: 'rest_invalid_param',
    });
    expect(change([sale()], { commission: 8000 }, taxed)).toMatchObject({
      changed: [{ commission: 8000, base_amount: 8000 }],
    });
  });

  test('may be any amount if the row was made by hand', () => {
    const manual = sale({ kind: 'manual', commission: 10, note: 'Gift.' });
    expect(change([manual], { commission: 99_999, reason: 'More.' })).toEqual({
      changed: [sale({ kind: 'manual', commission: 99_999, note: 'More.', ...touched })],
      added: [],
    });
    expect(change([manual], { commission: 99_999 })).toMatchObject({
      changed: [{ note: 'Gift.' }],
    });
  });
});

describe('Removing a commission', () => {
  const removed = { deleted_at: later(60), ...touched };
  const cancelled = { status: 'cancelled', cancellation: 'hand', hold_until: null } as const;

  test('removes a sale with all unpaid rows of its tier', () => {
    const rows = [
      added({ commission: 2300, hold_until: at }),
      adjustment({ id: 5, status: 'pending', commission: -300 }),
      adjustment({ id: 6, parent_id: 2 }),
      sale({ id: 2, tier: 2, rate: 10, commission: 1000 }),
    ];
    expect(decideRemoval(state(rows))).toEqual({
      changed: [
        sale({ commission: 2300, ...cancelled, ...removed }),
        adjustment({ id: 5, commission: -300, ...cancelled, ...removed }),
      ],
      added: [],
    });
  });

  test('keeps a reassigned commission reassigned', () => {
    const row = sale({ status: 'cancelled', cancellation: 'reassigned' });
    expect(decideRemoval(state([row]))).toEqual({
      changed: [{ ...row, ...removed }],
      added: [],
    });
  });

  test('is refused for paid commissions, and for an adjustment alone', () => {
    expect(decideRemoval(state([added({ paid_at: at })]))).toEqual(refused('commission_paid'));
    expect(decideRemoval(state([adjustment()]))).toEqual(
      refused('commission_adjustment', { data: { parent_id: 1 } }),
    );
  });
});
