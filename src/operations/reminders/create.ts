import { apiKey, endpoint, one } from '../../kernel/endpoint/declare.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { isRefusal, unknownReference } from '../../kernel/errors/errors.ts';
import { findOrder } from '../../queries/orders.ts';
import { insertReminder } from '../../queries/reminders.ts';
import { newReminder } from '../../domain/reminder/rules.ts';
import { reminderScopeRefusal, toReminder } from '../../actions/reminders/showing.ts';
import { ReminderCreate, ReminderReply } from '../../domain/reminder/schemas.ts';
import { whileAwaited } from '../../queries/order-guards.ts';
import { findBuyerOf } from '../../queries/users.ts';

export const createReminder = endpoint({
  id: 'reminders.create',
  route: ['POST /reminders'],
  summary: 'Schedule a reminder',
  description:
    'The reminder is about an order. It goes to the buyer unless `recipient` names someone else, and at once unless `scheduled_at` names a time. While the order waits for payment, the reminder is a payment reminder: it is cancelled when the order no longer waits. A `recipient`, and placeholders in its texts, require `orders:read` as well.',
  access: apiKey('reminders:write'),
  effect: 'write',
  fresh: true,
  body: ReminderCreate,
  reply: [201, ReminderReply],
  errors: ['rest_not_found', 'rest_invalid_param', 'rest_forbidden'],
}).handle(async ({ body, db, principal, now }) =>
  db.change({
    load: {
      id: drawId('reminders'),
      found: findOrder(body.order_id),
      buyer: findBuyerOf(body.order_id),
    },
    decide: ({ id, found: [order], buyer: [buyer] }) => {
      const refusal = reminderScopeRefusal(principal, body);
      if (refusal) return refusal;
      if (!order || !buyer) return unknownReference('order_id');
      const reminder = newReminder(body, nextId(id), order, buyer, now);
      if (isRefusal(reminder)) return reminder;
      return {
        write: [...whileAwaited(reminder), insertReminder(reminder)],
        reply: one(toReminder(reminder, principal)),
      };
    },
  }),
);
