import type { ErrorTable } from '../../kernel/errors/errors.ts';

/** What reminders refuse with. */
export const reminderErrors = {
  reminder_not_pending: [409, 'This reminder is on its way or was sent.'],
  reminder_no_recipient: [409, 'There is nobody left whom this reminder could be sent to.'],
  reminder_sending: [409, 'This reminder is on its way.'],
} as const satisfies ErrorTable;
