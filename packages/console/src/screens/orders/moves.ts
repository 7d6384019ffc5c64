import type { Order, OrderStatus } from '../../api/generated.ts';

/** A change of status by its meaning for the order; `move-texts.ts` has its texts. */
export type Move =
  | 'pay'
  | 'payAndComplete'
  | 'payAndHandOver'
  | 'payAndShip'
  | 'payAndWork'
  | 'accept'
  | 'check'
  | 'notPaid'
  | 'takeBack'
  | 'hold'
  | 'ship'
  | 'unship'
  | 'complete'
  | 'completeOnDelivery'
  | 'uncomplete'
  | 'reopen'
  | 'refund'
  | 'cancel'
  | 'cancelPaid';

type Moved = Pick<Order, 'status' | 'status_group' | 'paid_at' | 'payment_gateway'> & {
  readonly product: Pick<Order['product'], 'type'>;
};

const isUnpaid = ({ status_group }: Moved) => status_group === 'unpaid';
const isGoods = ({ product }: Moved) => product.type === 'physical';
const isOnDelivery = ({ payment_gateway }: Moved) => payment_gateway === 'cod';

export function moveOf(order: Moved, to: OrderStatus): Move {
  switch (to) {
    case 'on-hold':
      return moveBack(order);
    case 'payment-confirm':
      return 'check';
    case 'in-progress':
      return moveToWork(order);
    case 'shipping':
      return isUnpaid(order) && !isOnDelivery(order) ? 'payAndShip' : 'ship';
    case 'completed':
      return moveToEnd(order);
    case 'refunded':
      return 'refund';
    case 'cancelled':
      return order.paid_at === null ? 'cancel' : 'cancelPaid';
  }
}

function moveBack({ status, paid_at }: Moved): Move {
  if (status === 'cancelled') return 'reopen';
  if (status === 'payment-confirm') return 'notPaid';
  return paid_at === null ? 'hold' : 'takeBack';
}

function moveToWork(order: Moved): Move {
  if (order.status === 'completed') return 'uncomplete';
  if (order.status === 'shipping') return 'unship';
  if (isOnDelivery(order)) return 'accept';
  return isGoods(order) ? 'pay' : 'payAndWork';
}

function moveToEnd(order: Moved): Move {
  if (isOnDelivery(order) && order.paid_at === null) return 'completeOnDelivery';
  if (!isUnpaid(order)) return 'complete';
  return isGoods(order) ? 'payAndHandOver' : 'payAndComplete';
}

/** The everyday moves, in the order of their buttons; the others are rare. */
const everyday: readonly Move[] = [
  ...(['pay', 'payAndComplete', 'accept', 'ship', 'complete', 'completeOnDelivery'] as const),
  ...(['notPaid', 'reopen', 'refund', 'cancel'] as const),
];

/** The everyday moves that lead forward: the first of them stands out. */
const onward: readonly Move[] = everyday.slice(0, 6);

export interface NextStatus {
  readonly to: OrderStatus;
  readonly move: Move;
}

/** The possible next statuses: everyday ones in the order of their buttons, and rare ones. */
export function nextOf(order: Moved & Pick<Order, 'next_statuses'>) {
  const next = order.next_statuses.map((to): NextStatus => ({ to, move: moveOf(order, to) }));
  const isEveryday = ({ move }: NextStatus) =>
    everyday.includes(move) && !(move === 'completeOnDelivery' && isUnpaid(order));
  const usual = next
    .filter(isEveryday)
    .toSorted((one, other) => everyday.indexOf(one.move) - everyday.indexOf(other.move));
  const [first] = usual;
  return {
    usual,
    rare: next.filter((each) => !isEveryday(each)),
    primary: first && onward.includes(first.move) ? first.move : undefined,
  };
}
