import { defineEvents } from '../../kernel/events/define.ts';
import { Reminder } from './schemas.ts';

export const reminderEvent = defineEvents('reminders:read', {
  'reminder.sent': { summary: 'A reminder was handed to its sender.', payload: Reminder },
  'reminder.failed': { summary: 'A reminder could not be sent.', payload: Reminder },
});
