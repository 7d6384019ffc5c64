import type { ErrorTable } from '../../kernel/errors/errors.ts';

/** What messages refuse with. */
export const messageErrors = {
  message_queued: [409, 'This message is still waiting to be sent.'],
  message_not_queued: [409, 'This message is no longer waiting to be sent.'],
  message_sending: [409, 'This message is being sent.'],
  message_no_sender: [409, 'No sender is set up for this medium.'],
} as const satisfies ErrorTable;
