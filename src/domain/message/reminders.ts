import type { DomainEvent } from '../../kernel/events/define.ts';
import type { MessageRow } from '../../schema/messages.ts';
import type { ReminderRow } from '../../schema/reminders.ts';
import { reminderEvent } from '../reminder/events.ts';

export const reminderStatus = {
  queued: 'sending',
  sent: 'sent',
  delivered: 'sent',
  read: 'sent',
  failed: 'failed',
  suppressed: 'failed',
  cancelled: 'cancelled',
  gathered: 'sent',
} as const;

/** The events of a reminder whose message no longer waits. */
export function reminderEvents(reminder: ReminderRow, message: MessageRow): DomainEvent[] {
  const status = reminderStatus[message.status];
  if (status !== 'sent' && status !== 'failed') return [];
  const { attempts, last_error, sent_at, updated_at } = message;
  const record = {
    ...reminder,
    status,
    recipient: null,
    attempts,
    last_error,
    sent_at,
    updated_at,
  };
  return [reminderEvent(`reminder.${status}`, record)];
}
