import { expect, test } from 'vitest';
import type { OrderStatus } from '../../packages/console/src/api/generated.ts';
import { nextOf } from '../../packages/console/src/screens/orders/moves.ts';
import { nextStatuses, statusGroup } from '../../src/domain/order/transitions.ts';

const paid = '2026-03-10T09:00:00.000Z';

function orderIn(
  status: OrderStatus,
  type: 'digital' | 'physical',
  paid_at: string | null,
  gateway = 'manual',
) {
  return {
    ...{ status, paid_at, payment_gateway: gateway, product: { type } },
    status_group: statusGroup(status),
    next_statuses: nextStatuses({ status, paid_at }, type),
  };
}

test.each([
  [orderIn('on-hold', 'digital', null), ['payAndComplete', 'cancel'], ['check', 'payAndWork']],
  [
    orderIn('on-hold', 'physical', null),
    ['pay', 'cancel'],
    ['check', 'payAndShip', 'payAndHandOver'],
  ],
  [
    orderIn('on-hold', 'physical', null, 'cod'),
    ['accept', 'ship', 'cancel'],
    ['check', 'completeOnDelivery'],
  ],
  [
    orderIn('payment-confirm', 'digital', null),
    ['payAndComplete', 'notPaid', 'cancel'],
    ['payAndWork'],
  ],
  [orderIn('in-progress', 'digital', paid), ['complete', 'refund'], ['takeBack', 'cancelPaid']],
  [
    orderIn('in-progress', 'physical', paid),
    ['ship', 'complete', 'refund'],
    ['takeBack', 'cancelPaid'],
  ],
  [
    orderIn('in-progress', 'physical', null, 'cod'),
    ['ship', 'completeOnDelivery', 'cancel'],
    ['hold'],
  ],
  [orderIn('shipping', 'physical', paid), ['complete', 'refund'], ['unship']],
  [orderIn('completed', 'digital', paid), ['refund'], ['uncomplete']],
  [orderIn('cancelled', 'digital', null), ['reopen'], []],
  [orderIn('refunded', 'digital', paid), [], []],
])('an order %o offers %j at once and %j on demand', (order, usual, rare) => {
  const next = nextOf(order);
  expect(next.usual.map(({ move }) => move)).toEqual(usual);
  expect(next.rare.map(({ move }) => move)).toEqual(rare);
});

test('the usual next status stands out, and a refund never does', () => {
  const primaryOf = (...of: Parameters<typeof orderIn>) => nextOf(orderIn(...of)).primary;
  expect(primaryOf('on-hold', 'physical', null)).toBe('pay');
  expect(primaryOf('in-progress', 'physical', paid)).toBe('ship');
  expect(primaryOf('shipping', 'physical', null, 'cod')).toBe('completeOnDelivery');
  expect(primaryOf('completed', 'digital', paid)).toBeUndefined();
});
