import { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { lanes } from '../../kernel/events/outbound.ts';
import type { Services } from '../../kernel/endpoint/services.ts';
import { addSeconds } from '../../lib/instant.ts';
import { formatMoney } from '../../lib/money.ts';
import { reminderEvent } from '../../domain/reminder/events.ts';
import { type Placeholders, filledIn, messageId } from '../../domain/reminder/rules.ts';
import { type Message, type Sender, senderOf } from '../../domain/reminder/senders.ts';
import {
  type DueReminder,
  type Sent,
  claimDue,
  recordSent,
} from '../../queries/reminder-claims.ts';

/** How often a reminder is tried, and the seconds after each failure. */
const tries = 3;
const pauses = [300, 1800];

/** Sends what is due; for the time after an answer, of which the platform gives about 30 s. */
export const sendNow = (services: Services) => sendUntil(services, 12);

/** Sends what is due; for the jobs. */
export const sendDue = (services: Services) => sendUntil(services, 30);

/**
 * Sends the reminders that are due, until there are none or the time for beginning is over. They are
 * taken with a lease first, as many as go out at once: a run that is cut off leaves them to a later
 * one, and what was handed over carries the same id again.
 */
async function sendUntil(services: Services, seconds: number): Promise<void> {
  const { connection, clock, config, outbound } = services;
  const send = senderOf(config, outbound);
  const end = clock.now().getTime() + seconds * 1000;
  for (let more = true; more && clock.now().getTime() < end;) {
    const token = crypto.randomUUID();
    const unit = new UnitOfWork(connection, undefined);
    const rows = await unit.write([], claimDue(token, lanes, clock.now()));
    const attempts = await Promise.allSettled(
      rows.map((due) => attempt(due, token, send, services)),
    );
    const failed = attempts.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
    more = rows.length === lanes;
  }
}

/** Sends one, and writes back what became of it. */
async function attempt(
  due: DueReminder,
  token: string,
  send: Sender,
  { connection, clock }: Services,
): Promise<void> {
  const error = await send(messageOf(due), clock.now()).then(
    () => null,
    (reason: Error) => reason.message,
  );
  const statements = recordSent(token, outcomeOf(due, error, clock.now()), clock.now());
  await new UnitOfWork(connection, undefined).write(statements);
}

function messageOf(due: DueReminder): Message {
  const { id, media_type, recipient, title, content, order_id, user_id } = due.reminder;
  const values = placeholdersOf(due);
  return {
    id: messageId(due.reminder),
    reminder_id: id,
    media_type,
    recipient,
    title: filledIn(title, values),
    content: filledIn(content, values),
    order_id,
    user_id,
  };
}

const placeholdersOf = (due: DueReminder): Placeholders => ({
  name: due.name,
  ...(due.number !== null && { 'order-number': due.number }),
  ...(due.product !== null && { 'product-name': due.product }),
  ...(due.amount !== null && {
    amount: formatMoney(Number(due.amount), due.currency ?? '', due.exponent),
  }),
  ...(due.end_date !== null && { 'end-date': due.end_date }),
});

/** What an attempt means: sent, to be tried again, or given up. */
function outcomeOf({ reminder }: DueReminder, error: string | null, now: Date): Sent {
  const { id, attempts } = reminder;
  if (error !== null && attempts < tries) {
    const retryAt = addSeconds(now.toISOString(), pauses[attempts - 1] ?? 0);
    return { id, status: 'pending', error, retryAt, event: undefined };
  }
  const status = error === null ? 'sent' : 'failed';
  const event = reminderEvent(`reminder.${status}`, {
    ...reminder,
    status,
    last_error: error,
    scheduled_at: utc(reminder.scheduled_at),
    created_at: utc(reminder.created_at),
    updated_at: now.toISOString(),
    sent_at: error === null ? now.toISOString() : null,
  });
  return { id, status, error, retryAt: null, event };
}

/** An instant out of a JSON document of the database, as records carry it. */
const utc = (text: string) => new Date(text).toISOString();
