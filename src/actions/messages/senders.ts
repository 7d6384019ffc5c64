import * as z from 'zod';
import type { Config } from '../../config.ts';
import type { Results } from '../../kernel/database/statements.ts';
import { Instant } from '../../lib/schemas.ts';
import { sendersOf } from '../../providers/messages/index.ts';
import { countQueued, findSenders } from '../../queries/message-claims.ts';
import { messageMedia } from '../../schema/lists.ts';

export const MessageSender = z
  .object({
    medium: z.enum(messageMedia),
    sender: z
      .string()
      .nullable()
      .describe('Null where none is set up: reminders are then only noted in the log.')
      .meta({ examples: ['resend'] }),
    queued: z.int().describe('Messages waiting to be sent.'),
    problem: z
      .string()
      .nullable()
      .describe(
        "The fault of the account, as the sender's code. Messages wait until it is corrected; the service tries again every five minutes.",
      )
      .meta({ examples: [null] }),
    problem_since: Instant.nullable(),
  })
  .meta({ id: 'MessageSender' });

export const loadSenders = () => ({ states: findSenders(), queued: countQueued() });

/** Includes media without a sender. */
export function sendersShown(
  { states, queued }: Results<ReturnType<typeof loadSenders>>,
  config: Config,
): z.output<typeof MessageSender>[] {
  const senders = sendersOf(config);
  return messageMedia.map((medium) => {
    const state = states.find((one) => one.medium === medium);
    return {
      medium,
      sender: senders[medium]?.id ?? null,
      queued: queued.find((one) => one.medium === medium)?.total ?? 0,
      problem: state?.problem ?? null,
      problem_since: state?.problem_since ?? null,
    };
  });
}
