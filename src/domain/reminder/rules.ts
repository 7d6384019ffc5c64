import type { reminderTemplates, ReminderRow } from '../../schema/reminders.ts';
import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import { addSeconds } from '../../lib/instant.ts';
import { withoutUndefined, ifChanged } from '../../lib/objects.ts';
import type { OrderStatus } from '../../schema/lists.ts';
import type { OrderRow } from '../order/rules.ts';
import type { users } from '../../schema/users.ts';
import { recipientRefusal } from './recipients.ts';
import type { ReminderCreate, ReminderUpdate, TemplateCreate, TemplateUpdate } from './schemas.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';

type TemplateRow = typeof reminderTemplates.$inferSelect;

export const toTemplate = ({ offset_days, ...row }: TemplateRow) => ({
  ...row,
  offset: offset_days,
});

export function newTemplate(input: TemplateCreate, id: number, now: Date): TemplateRow {
  const { offset, ...fields } = input;
  return {
    direction: 'after',
    hour: 9,
    media: ['email'],
    active: true,
    ...withoutUndefined(fields),
    id,
    offset_days: offset,
    ...firstVersion(now.toISOString()),
  };
}

/** Returns the same object if nothing changes. */
export const updatedTemplate = (
  before: TemplateRow,
  { offset, ...fields }: TemplateUpdate,
  now: Date,
): TemplateRow =>
  ifChanged(before, {
    ...before,
    ...withoutUndefined(fields),
    offset_days: offset ?? before.offset_days,
    ...nextVersion(before, now),
  });

/** Tells if an order of this status can get a payment reminder. */
export const awaitsPayment = (status: OrderStatus | null | undefined) => status === 'on-hold';

interface Outlook {
  readonly recipient: string;
  readonly order_status: OrderStatus | null;
}

/** Goes to the buyer unless it names a recipient. */
export function newReminder(
  input: ReminderCreate,
  id: number,
  { order }: OrderRow,
  buyer: Pick<typeof users.$inferSelect, 'email' | 'phone'>,
  now: Date,
): ReminderRow | Refusal<'rest_invalid_param'> {
  const media_type = input.media_type ?? 'email';
  const own = media_type === 'email' ? buyer.email : buyer.phone;
  const refusal = recipientRefusal(media_type, input.recipient);
  if (refusal) return refusal;
  const recipient = input.recipient ?? own ?? '';
  if (recipient === '') {
    return refuse('rest_invalid_param', {
      params: { recipient: 'the buyer has none of their own' },
    });
  }
  const at = now.toISOString();
  return {
    id,
    order_id: order.id,
    subscription_id: null,
    user_id: order.user_id,
    recipient,
    recipient_named: input.recipient !== undefined,
    title: input.title,
    content: input.content,
    media_type,
    reminder_type: 'order',
    asks_payment: awaitsPayment(order.status),
    send_day: 0,
    send_hours: 0,
    scheduled_at: input.scheduled_at ?? at,
    status: 'pending',
    sent_at: null,
    attempts: 0,
    last_error: null,
    template_id: null,
    occurrence: '',
    resends: 0,
    resends_since: null,
    ...firstVersion(at),
  };
}

/** Returns the same object if nothing changes. A reminder that is being sent or was sent can't change. */
export function updatedReminder(
  before: ReminderRow,
  input: ReminderUpdate,
  outlook: Outlook,
  now: Date,
):
  | ReminderRow
  | Refusal<
      'reminder_not_pending' | 'rest_invalid_param' | 'reminder_no_recipient' | 'order_not_payable'
    > {
  if (before.status !== 'pending' && before.status !== 'cancelled') {
    return refuse('reminder_not_pending');
  }
  const refusal = recipientRefusal(before.media_type, input.recipient);
  if (refusal) return refusal;
  const { recipient = before.recipient } = input;
  const after = ifChanged(before, {
    ...before,
    ...withoutUndefined(input),
    recipient_named: before.recipient_named || recipient !== before.recipient,
    ...nextVersion(before, now),
  });
  if (after.status !== 'pending') return after;
  if (after.recipient === '' && before.status !== 'pending') return refuse('reminder_no_recipient');
  return isPointless(after, outlook) ? refuse('order_not_payable') : after;
}

/** Tells if a reminder asks for a payment that its order no longer waits for. */
const isPointless = ({ asks_payment }: ReminderRow, { order_status }: Outlook) =>
  asks_payment && !awaitsPayment(order_status);

const resendsPerDay = 5;

const day = 86_400;

/** Sends a reminder once more, at once. */
export function resent(
  before: ReminderRow,
  outlook: Outlook,
  now: Date,
):
  | ReminderRow
  | Refusal<
      'reminder_sending' | 'reminder_no_recipient' | 'order_not_payable' | 'rest_too_many_requests'
    > {
  if (before.status === 'sending') return refuse('reminder_sending');
  if (outlook.recipient === '') return refuse('reminder_no_recipient');
  if (isPointless(before, outlook)) return refuse('order_not_payable');
  const at = now.toISOString();
  const since = before.resends_since;
  const sameDay = since !== null && addSeconds(since, day) > at;
  const resends = sameDay ? before.resends : 0;
  if (resends >= resendsPerDay) {
    const left = Math.ceil((Date.parse(addSeconds(since ?? at, day)) - now.getTime()) / 1000);
    return refuse('rest_too_many_requests', { retryAfter: left });
  }
  return {
    ...before,
    recipient: outlook.recipient,
    status: 'pending',
    scheduled_at: at,
    attempts: 0,
    last_error: null,
    resends: resends + 1,
    resends_since: sameDay ? since : at,
    updated_at: at,
    version: before.version + 1,
  };
}
