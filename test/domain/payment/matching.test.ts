import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gatewaysInto, payingOrder } from '../../../src/domain/payment/matching.ts';

const accounts = [
  { id: 'BCA', bank: 'BCA', owner: 'Store', account_number: '123-456-7890' },
  { id: 'BRI', bank: 'BRI', owner: 'Store', account_number: '9876 5432' },
];

const start = Date.parse('2026-03-10T09:00:00.000Z');
const seconds = (n: number) => new Date(start + n * 1000).toISOString();

/** A transfer into BCA that pays `order`, and all surroundings in which it does. */
const transfer = {
  direction: 'credit' as const,
  account_number: '1234567890',
  amount: 500_123,
  currency: 'IDR',
  occurred_at: seconds(3600),
};
const order = {
  id: 1,
  payment_gateway: 'manual',
  currency: 'IDR',
  grand_total: 500_123,
  created_at: seconds(0),
};
const alone = { waiting: [order], held_until: null };

const pays = (changed: Partial<typeof order>, more: Partial<typeof transfer> = {}) =>
  payingOrder(
    { ...transfer, ...more },
    { ...alone, waiting: [{ ...order, ...changed }] },
    accounts,
  );

describe('A transfer pays the order that waits for it', () => {
  test.each([
    ['by the account it names', { payment_gateway: 'manual:BCA' }, {}],
    ['of the same minute', { created_at: seconds(3659) }, {}],
    ['whatever blanks and hyphens the account is written with', {}, { account_number: '98765432' }],
  ])('%s', (_, changed, more) => {
    expect(pays(changed, more)).toBe(1);
  });

  test('after another order no longer reserves the amount', () => {
    expect(payingOrder(transfer, { ...alone, held_until: seconds(3600) }, accounts)).toBe(1);
  });
});

describe('A transfer pays no order', () => {
  test.each([
    ['that names another account', { payment_gateway: 'manual:BRI' }, {}],
    ['that is paid another way', { payment_gateway: 'stripe' }, {}],
    ['of another currency', { currency: 'USD' }, {}],
    ['of another amount', { grand_total: 500_124 }, {}],
    ['that is younger', { created_at: seconds(3660) }, {}],
    ['where money goes', {}, { direction: 'debit' as never }],
    ["into an account that isn't the store's", {}, { account_number: '1234567891' }],
    ['into an account without a number', {}, { account_number: '-' }],
  ])('%s', (_, changed, more) => {
    expect(pays(changed, more)).toBeUndefined();
  });

  test('while it may be for an order that no longer waits', () => {
    expect(
      payingOrder(transfer, { ...alone, held_until: seconds(3601) }, accounts),
    ).toBeUndefined();
  });

  test('of an account of a store whose accounts have no numbers', () => {
    expect(gatewaysInto('', [{ id: 'A', bank: '', owner: '', account_number: '' }])).toEqual([]);
  });
});

describe('Among any orders', () => {
  const waiting = fc.record({
    id: fc.nat(1000),
    payment_gateway: fc.constantFrom('manual', 'manual:BCA', 'manual:BRI', 'cod', 'stripe'),
    currency: fc.constantFrom('IDR', 'USD'),
    grand_total: fc.constantFrom(500_122, 500_123),
    created_at: fc.integer({ min: -86_400, max: 86_400 }).map((n) => seconds(3600 + n)),
  });
  const world = fc.record({
    orders: fc.uniqueArray(waiting, { selector: ({ id }) => id, maxLength: 6 }),
    held: fc.option(fc.integer({ min: -86_400, max: 86_400 }).map((n) => seconds(3600 + n))),
    into: fc.constantFrom('1234567890', '98765432', '555'),
    direction: fc.constantFrom('credit' as const, 'debit' as const),
  });

  /** Decides if a transfer may pay an order, by a second implementation. */
  const fits = (one: typeof order, into: string) => {
    const named = { '1234567890': 'manual:BCA', '98765432': 'manual:BRI' }[into];
    const late = Date.parse(one.created_at) - Date.parse(transfer.occurred_at);
    return (
      named !== undefined &&
      ['manual', named].includes(one.payment_gateway) &&
      one.currency === 'IDR' &&
      one.grand_total === 500_123 &&
      late < 60_000
    );
  };

  test('a transfer pays the only order that it fits if nobody else may have sent it, or else none', () => {
    fc.assert(
      fc.property(world, ({ orders, held, into, direction }) => {
        const mine = { ...transfer, account_number: into, direction };
        const paid = payingOrder(mine, { waiting: orders, held_until: held }, accounts);
        const fitting = orders.filter((one) => fits(one, into));
        const isHeld = held !== null && held > transfer.occurred_at;
        const clear = direction === 'credit' && !isHeld && fitting.length === 1;
        expect(paid).toBe(clear ? fitting[0]?.id : undefined);
      }),
      { numRuns: 2000 },
    );
  });

  test('a transfer that may also pay a second order is left to a person', () => {
    fc.assert(
      fc.property(world, ({ orders, into }) => {
        const mine = { ...transfer, account_number: into };
        const among = { waiting: orders, held_until: null };
        const paid = payingOrder(mine, among, accounts);
        const twin = { ...order, id: 5000 };
        const two = payingOrder(mine, { ...among, waiting: [...orders, twin] }, accounts);
        if (paid !== undefined) expect(two).toBeUndefined();
        else expect([undefined, 5000]).toContain(two);
      }),
      { numRuns: 2000 },
    );
  });
});
