import { orderEffect } from '../orders/effect.ts';
import type { OrderColumns } from '../orders/rules.ts';
import { cancelForOrder, cancelForTerm, scheduleForOrder, scheduleForTerm } from './queries.ts';

/** Whether reminders of an order's payment make sense. */
const awaitsPayment = (order: OrderColumns | null) => order?.status === 'on-hold';

/** Whether an order is part of a subscription. */
const isTerm = ({ type }: OrderColumns) => type !== 'regular';

/**
 * Reminders of a payment are scheduled while an order waits for it, and cancelled by what ends the
 * wait; those of a subscription's end follow each change of that end. It comes after the effect that
 * writes subscriptions.
 */
export const reminderEffect = orderEffect({
  name: 'reminders',
  errors: [],
  load: () => ({}),
  decide: ({ before, after, now }) => {
    if (before?.status === after.status) return { write: [] };
    return {
      write: [
        ...(awaitsPayment(after) ? [scheduleForOrder(after, now)] : []),
        ...(awaitsPayment(before) && !awaitsPayment(after) ? [cancelForOrder(after, now)] : []),
        ...(isTerm(after) && before ? [cancelForTerm(after, now)] : []),
        ...(isTerm(after) ? [scheduleForTerm(after, now)] : []),
      ],
    };
  },
});
