import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const reminderErrors = {
  reminder_not_pending: [409, 'This reminder is being sent or has been sent.'],
  reminder_no_recipient: [409, 'There is nobody left to send this reminder to.'],
  reminder_sending: [409, 'This reminder is being sent.'],
} as const satisfies ErrorTable;
