import type { Config } from '../../config.ts';
import type { Outbound } from '../../kernel/events/outbound.ts';
import type { MessageMedium } from '../../schema/lists.ts';
import { signedHeaders } from '../../kernel/events/signing.ts';

/** A message as it goes out, its placeholders filled in. */
export interface Message {
  /** The same in every attempt: a receiver that knows it has sent it already. */
  readonly id: string;
  readonly reminder_id: number;
  readonly media_type: MessageMedium;
  readonly recipient: string;
  readonly title: string;
  readonly content: string;
  readonly order_id: number | null;
  readonly user_id: number;
}

/** Hands messages to whoever sends them. It throws, saying why, when a message was not taken. */
export type Sender = (message: Message, now: Date) => Promise<void>;

/** Longest a provider may take to answer, in milliseconds. */
const timeout = 15_000;

/** The store's sender: HTTP where an address is configured, else the log. */
export function senderOf({ REMINDER_URL, REMINDER_SECRET }: Config, outbound: Outbound): Sender {
  const configured = REMINDER_URL !== undefined && REMINDER_SECRET !== undefined;
  const send = configured ? httpSender(REMINDER_URL, REMINDER_SECRET, outbound) : logSender;
  return async (message, now) => {
    if (message.recipient === '') throw new Error('The user has no address for this medium.');
    await send(message, now);
  };
}

/**
 * Posts messages as JSON, signed like webhooks, so that any provider of e-mail, WhatsApp or SMS can
 * be wired behind the address.
 */
function httpSender(url: string, secret: string, outbound: Outbound): Sender {
  return async (message, now) => {
    const body = JSON.stringify(message);
    const response = await outbound(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
      headers: {
        'content-type': 'application/json',
        ...(await signedHeaders({ id: message.id, at: now, body }, [secret])),
      },
      body,
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The sender answered ${response.status}.`);
  };
}

/** Tells the log that a message is due; who it goes to and what it says stay out of it. */
const logSender: Sender = async ({ reminder_id, media_type }) => {
  // eslint-disable-next-line no-console -- a worker's log is its standard output
  console.log(JSON.stringify({ level: 'info', job: 'reminders', reminder_id, media_type }));
};
