import { ownGateways } from '../domain/order/gateways.ts';
import { isUnpaid, statusGroup } from '../domain/order/transitions.ts';
import { supersedeSessions } from '../queries/payment-sessions.ts';
import type { OrderColumns } from '../schema/orders.ts';
import { reaction } from './reaction.ts';

const isOwn = ({ payment_gateway }: OrderColumns) =>
  (ownGateways as readonly string[]).includes(payment_gateway.split(':')[0] ?? '');

/** The gateway and amount that an order waits for; undefined once it is paid, cancelled or deleted. */
const awaited = ({ status, deleted_at, payment_gateway, grand_total }: OrderColumns) =>
  isUnpaid(status) && deleted_at === null ? `${payment_gateway} ${grand_total}` : undefined;

const isOver = ({ status, deleted_at }: OrderColumns) =>
  statusGroup(status) === 'closed' || deleted_at !== null;

/**
 * Closes an order's open page at the provider when the order waits for another payment, or for none. The page of a
 * reversed payment is open until the order is over.
 */
export const paymentSessions = reaction({
  errors: [],
  load: () => ({}),
  decide: ({ before, after, now }) => {
    if (before === null || isOwn(before)) return { write: [] };
    const waited = awaited(before);
    const isMoot =
      waited === undefined ? isOver(after) && !isOver(before) : waited !== awaited(after);
    return { write: isMoot ? [supersedeSessions(after.id, now)] : [] };
  },
});
