import { reaction } from './reaction.ts';
import type { OrderColumns } from '../schema/orders.ts';
import {
  cancelForOrder,
  cancelForTerm,
  scheduleForOrder,
  scheduleForTerm,
} from '../queries/reminders.ts';
import { firstOfChain } from '../domain/order/change.ts';
import { awaitsPayment } from '../domain/reminder/rules.ts';

const isTerm = ({ type }: OrderColumns) => type !== 'regular';

/**
 * Schedules payment reminders while an order waits for its payment. Reminders of a subscription's end follow each
 * change of the end, so this runs after the subscriptions.
 */
export const reminders = reaction({
  errors: [],
  load: () => ({}),
  decide: ({ before, after, now }) => {
    if (before?.status === after.status) return { write: [] };
    return {
      write: [
        ...(awaitsPayment(after.status) ? [scheduleForOrder(after, now)] : []),
        ...(awaitsPayment(before?.status) && !awaitsPayment(after.status)
          ? [cancelForOrder(after, now)]
          : []),
        ...(isTerm(after) && before ? [cancelForTerm(firstOfChain(after), now)] : []),
        ...(isTerm(after) ? [scheduleForTerm(firstOfChain(after), now)] : []),
      ],
    };
  },
});
