import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const orderErrors = {
  rest_invalid_transition: [409, 'The order cannot change to this status.'],
  order_not_erasable: [409, 'Only a cancelled order on which no money moved can be erased.'],
  order_not_unpaid: [
    409,
    'This can only change while the order is unpaid. The total of a paid order can only be lowered.',
  ],
  order_payment_reversed: [
    409,
    "The bank took this order's payment back. Set the order to on-hold first, so that the other money can pay it.",
  ],
  order_has_payment: [
    409,
    'The payment provider holds money for this order. Refund or cancel the order to return it.',
  ],
  order_closed: [
    409,
    'The order is refunded or cancelled: its total, quantity, gateway and affiliate cannot change.',
  ],
} as const satisfies ErrorTable;
