import type { ErrorTable } from '../../kernel/errors/errors.ts';

/** Template tests within an hour. */
export const mostTests = 30;

export const messageErrors = {
  message_queued: [409, 'This message is still waiting to be sent.'],
  message_not_queued: [409, 'This message is no longer waiting to be sent.'],
  message_gathered: [409, 'This message is part of a summary. Resend the summary.'],
  message_sending: [409, 'This message is being sent.'],
  message_of_sign_in: [
    409,
    'Messages of signing in are neither resent nor cancelled. Ask for a new one.',
  ],
  message_test_limit: [
    409,
    `${mostTests} tests were sent within an hour. Send the next one later.`,
  ],
  message_no_sender: [409, 'No sender is set up for this medium.'],
} as const satisfies ErrorTable;
