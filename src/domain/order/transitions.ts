import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import { addSeconds } from '../../lib/instant.ts';
import {
  type OrderStatus,
  type PaymentStatus,
  type ProductType,
  type StatusGroup,
  statusGroupMembers,
} from '../../schema/lists.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import { isPaidOnDelivery } from './gateways.ts';

/** `shipping` also needs a physical product. */
const successors: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  'on-hold': ['payment-confirm', 'in-progress', 'shipping', 'completed', 'cancelled'],
  'payment-confirm': ['on-hold', 'in-progress', 'shipping', 'completed', 'cancelled'],
  'in-progress': ['on-hold', 'shipping', 'completed', 'refunded', 'cancelled'],
  shipping: ['in-progress', 'completed', 'refunded'],
  completed: ['in-progress', 'refunded'],
  cancelled: ['on-hold'],
  refunded: [],
};

/** The possible next statuses: only goods are shipped, only received money is refunded. */
export const nextStatuses = (
  { status, paid_at }: Pick<OrderColumns, 'status' | 'paid_at'>,
  type: ProductType,
): OrderStatus[] =>
  successors[status].filter(
    (next) =>
      (next !== 'shipping' || type === 'physical') && (next !== 'refunded' || paid_at !== null),
  );

const groupByStatus = Object.fromEntries(
  Object.entries(statusGroupMembers).flatMap(([group, members]) =>
    members.map((status) => [status, group]),
  ),
) as Record<OrderStatus, StatusGroup>;

export const statusGroup = (status: OrderStatus): StatusGroup => groupByStatus[status];

export function paymentStatus(
  order: Pick<OrderColumns, 'status' | 'paid_at' | 'refunded_total'>,
): PaymentStatus {
  switch (order.status) {
    case 'on-hold':
      return 'unpaid';
    case 'payment-confirm':
      return 'in-review';
    case 'cancelled':
      return order.paid_at === null ? 'void' : 'refunded';
    case 'refunded':
      return 'refunded';
    case 'in-progress':
    case 'shipping':
    case 'completed':
      if (order.paid_at === null) return 'unpaid';
      if (order.refunded_total === 0) return 'paid';
      return 'partially-refunded';
  }
}

/** Goods are still to be sent. */
export const statusWhenPaid = (type: ProductType) =>
  type === 'physical' ? 'in-progress' : 'completed';

/** Tells if nothing was paid or reported as paid. */
export const isUnpaid = (status: OrderStatus) => statusGroup(status) === 'unpaid';

export const isReopening = (before: HasStatus, after: HasStatus): boolean =>
  statusGroup(before.status) === 'closed' && statusGroup(after.status) !== 'closed';

/** Tells if a paid order waits for its payment again, without a refund. */
export const isTakenBack = ({
  before,
  after,
}: {
  readonly before: Pick<OrderColumns, 'status' | 'paid_at'> | null;
  readonly after: Pick<OrderColumns, 'paid_at'>;
}): boolean =>
  before !== null &&
  before.paid_at !== null &&
  after.paid_at === null &&
  statusGroup(before.status) !== 'closed';

type HasStatus = Pick<OrderColumns, 'status'>;

export interface TransitionContext {
  readonly type: ProductType;
  readonly autoCancelDays: number;
  readonly now: Date;
}

/** Moves an order to a status and sets that status's times, or returns the reason why it may not. */
export function transition(
  order: OrderColumns,
  to: OrderStatus,
  { type, autoCancelDays, now }: TransitionContext,
): OrderColumns | Refusal<'rest_invalid_transition' | 'rest_invalid_param'> {
  const from = order.status;
  if (from === to) return order;
  const allowed = nextStatuses(order, type);
  if (!allowed.includes(to)) {
    return refuse('rest_invalid_transition', {
      message: `The order may not change from ${from} to ${to}.`,
      data: { from, to, allowed },
    });
  }
  if (to === 'shipping' && !order.shipping?.tracking_number) {
    return refuse('rest_invalid_param', {
      params: { tracking_number: 'is needed to ship the order' },
    });
  }
  return entered(order, to, now.toISOString(), autoCancelDays);
}

export const entered = (
  order: OrderColumns,
  status: OrderStatus,
  at: string,
  autoCancelDays = 0,
): OrderColumns => ({ ...order, ...moments(order, status, at, autoCancelDays), status });

/** The time at which an order that waits for payment from `at` on is cancelled; null for 0 days and payment on delivery. */
export const expiry = (gateway: string, at: string, autoCancelDays: number) =>
  autoCancelDays === 0 || isPaidOnDelivery(gateway)
    ? null
    : addSeconds(at, autoCancelDays * 86_400);

function moments(
  order: OrderColumns,
  to: OrderStatus,
  at: string,
  autoCancelDays: number,
): Partial<OrderColumns> {
  switch (to) {
    case 'on-hold':
      // The order waits for a new payment: the earlier one bounced, or all of it was refunded.
      return {
        paid_at: null,
        cancelled_at: null,
        refunded_at: null,
        refunded_total: order.refunded_total < order.grand_total ? order.refunded_total : 0,
        expires_at: expiry(order.payment_gateway, at, autoCancelDays),
      };
    case 'payment-confirm':
      return { expires_at: null };
    case 'in-progress':
    case 'shipping':
      // Cash on delivery is paid when the order completes.
      return {
        expires_at: null,
        completed_at: null,
        paid_at: order.paid_at ?? (isPaidOnDelivery(order.payment_gateway) ? null : at),
      };
    case 'completed':
      return { expires_at: null, completed_at: at, paid_at: order.paid_at ?? at };
    case 'refunded':
      return { refunded_at: at, refunded_total: order.grand_total };
    case 'cancelled':
      return {
        expires_at: null,
        cancelled_at: at,
        ...(order.paid_at !== null && { refunded_at: at, refunded_total: order.grand_total }),
      };
  }
}
