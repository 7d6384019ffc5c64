import * as z from 'zod';
import { endpoint, open } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { receiptsOf } from '../../domain/message/receipts.ts';
import { toMessage } from '../../domain/message/rules.ts';
import { messageEvent } from '../../domain/message/events.ts';
import { reminderEvents } from '../../domain/message/reminders.ts';
import { senderNamed } from '../../providers/messages/index.ts';
import { findReceived, insertSuppression } from '../../queries/message-receipts.ts';
import { followed } from '../../queries/message-claims.ts';
import { saveMessage } from '../../queries/messages.ts';

/** Bytes. */
const limit = 262_144;

export const SenderParams = z.object({
  sender: z
    .string()
    .max(32)
    .meta({ examples: ['resend'] }),
});

export const receiveReceipts = endpoint({
  id: 'messages.callback',
  route: ['POST /messages/:sender/callback'],
  summary: "Receive a sender's receipts",
  description:
    "Called by a sender when something happens to a message: it was delivered or read, it bounced, or its reader reported it as spam. It is accepted only with the sender's signature. A receipt that comes twice, late or in another order changes nothing. When a message bounces for good or its reader complains, nothing more is sent to the address until its suppression is lifted.",
  access: open('the sender proves its identity by signature'),
  effect: 'write',
  conditional: false,
  params: SenderParams,
  rawBody: limit,
  reply: [200, z.object({ received: z.literal(true) })],
  errors: ['rest_not_found', 'callback_forged'],
}).handle(async ({ params, db, config, request, now }) => {
  const sender = senderNamed(config, params.sender);
  if (!sender?.receipts) return refuse('rest_not_found');
  const callback = {
    text: await request.text(),
    header: (name: string) => request.header(name),
  };
  const receipts = await sender.receipts(callback, now);
  if (receipts === 'forged') return refuse('callback_forged');
  const reply = { received: true as const };
  if (receipts.length === 0) return reply;
  return db.change({
    load: { found: findReceived(sender.id, receipts) },
    decide: ({ found }) => {
      const outcomes = found.map(({ message: before, reminder }) => ({
        before,
        // The reminder of an answered message may be on its way again.
        reminder: before.status === 'queued' ? reminder : null,
        ...receiptsOf(before, receipts, now),
      }));
      return {
        write: outcomes.flatMap(({ before, after, reminder, suppressions }) => [
          ...(after === before ? [] : [saveMessage(before, after)]),
          ...(reminder ? followed(after) : []),
          ...suppressions.map(insertSuppression),
        ]),
        events: outcomes.flatMap(({ after, event, reminder }) => [
          ...(event ? [messageEvent(event, toMessage(after))] : []),
          ...(reminder ? reminderEvents(reminder, after) : []),
        ]),
        reply,
      };
    },
  });
});
