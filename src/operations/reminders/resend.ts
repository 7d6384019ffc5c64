import { apiKey, endpoint, IdParams, one } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { findOutlook, findReminder, saveReminder } from '../../queries/reminders.ts';
import { resent } from '../../domain/reminder/rules.ts';
import { toReminder } from '../../actions/reminders/showing.ts';
import { ReminderReply } from '../../domain/reminder/schemas.ts';
import { sendNow } from '../../processes/reminders/sending.ts';
import { whileAwaited } from '../../queries/order-guards.ts';

export const resendReminder = endpoint({
  id: 'reminders.resend',
  route: ['POST /reminders/:id/resend'],
  summary: 'Resend a reminder',
  description:
    'Sends the reminder again at once, at most five times a day. It is refused while the reminder is being sent, if its recipient is gone and, for a payment reminder, once its order no longer waits for payment.',
  access: apiKey('reminders:write'),
  effect: 'write',
  params: IdParams,
  reply: [200, ReminderReply],
  errors: [
    'rest_not_found',
    'reminder_sending',
    'reminder_no_recipient',
    'order_not_payable',
    'rest_too_many_requests',
  ],
}).handle(async ({ params, db, principal, after: afterwards, ifMatch, now }) => {
  const answer = await db.change({
    load: { found: findReminder(params.id), outlook: findOutlook(params.id) },
    decide: ({ found, outlook: [outlook] }) => {
      if (!outlook) return refuse('rest_not_found');
      const before = current(found, ifMatch);
      if (isRefusal(before)) return before;
      const again = resent(before, outlook, now);
      if (isRefusal(again)) return again;
      return {
        write: [...whileAwaited(again), saveReminder(before, again)],
        reply: one(toReminder(again, principal)),
      };
    },
  });
  if (!isRefusal(answer)) afterwards(sendNow);
  return answer;
});
