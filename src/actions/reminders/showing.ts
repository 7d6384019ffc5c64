import type { ScopedPrincipal } from '../../kernel/auth/principals.ts';
import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import type { ReminderRow } from '../../schema/reminders.ts';
import { namesIn } from '../../domain/message/filling.ts';
import type { ReminderUpdate } from '../../domain/reminder/schemas.ts';

/** Shows the recipient only with `orders:read`. */
export const toReminder = (reminder: ReminderRow, principal: ScopedPrincipal) => ({
  ...reminder,
  recipient: principal.has('orders:read') ? reminder.recipient : null,
});

/**
 * Without `orders:read`, a caller may not name a recipient, write to a named one, or use placeholders: they could send
 * an order's data to any address.
 */
export function reminderScopeRefusal(
  principal: ScopedPrincipal,
  { recipient, title = '', content = '' }: Pick<ReminderUpdate, 'recipient' | 'title' | 'content'>,
  before?: ReminderRow,
): Refusal<'rest_forbidden'> | undefined {
  if (principal.has('orders:read')) return undefined;
  const texts = `${title}\n${content}`;
  const isNamed = recipient !== undefined || (texts !== '\n' && before?.recipient_named === true);
  if (!isNamed && namesIn(texts).length === 0) return undefined;
  return refuse('rest_forbidden', {
    message:
      'Naming a recipient, writing to a named recipient and using placeholders also require orders:read.',
  });
}
