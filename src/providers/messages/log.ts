import { SendError, type Sender } from './sender.ts';

/**
 * Logs due reminders of media without a sender, without recipient and text. Other messages are refused: they waited for
 * a sender that was removed.
 */
export const log: Sender = {
  id: 'log',
  rate: 50,
  replays: Number.POSITIVE_INFINITY,
  send: async ({ message_id, reminder_id, kind, medium }) => {
    if (kind !== 'reminder') throw new SendError('permanent', 'no_sender');
    // eslint-disable-next-line no-console -- a worker's log is its standard output
    console.log(
      JSON.stringify({ level: 'info', job: 'messages', message_id, reminder_id, medium }),
    );
    return null;
  },
};
