import { defineEvents } from '../../kernel/events/define.ts';
import { Reminder } from './schemas.ts';

export const reminderEvent = defineEvents('reminders:read', {
  'reminder.sent': { summary: 'A reminder was handed over for sending.', payload: Reminder },
  'reminder.failed': { summary: 'A reminder could not be sent.', payload: Reminder },
});
