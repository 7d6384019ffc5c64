import { SendError, type Sender } from './sender.ts';

/**
 * Tells the log that a reminder is due, where nobody sends messages of its medium; who it goes to and
 * what it says stay out of it. Whatever else waits there was meant for a sender that was taken away.
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
