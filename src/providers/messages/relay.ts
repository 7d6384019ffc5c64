import type { Config } from '../../config.ts';
import { signedHeaders } from '../../kernel/events/signing.ts';
import { isSuccess, post, refusal } from './posting.ts';
import type { OutgoingMessage, Sender } from './sender.ts';

/** Messages a second. */
const rate = 10;

/**
 * A service of the seller's own at REMINDER_URL, which sends messages by any means. It gets messages as JSON, signed
 * like webhooks, and recognises repeats by the message's id.
 * @returns undefined until both its address and the secret are set
 */
export function relay({ REMINDER_URL: url, REMINDER_SECRET: secret }: Config): Sender | undefined {
  if (url === undefined || secret === undefined) return undefined;
  return {
    id: 'relay',
    rate,
    replays: Number.POSITIVE_INFINITY,
    async send(message, http, now) {
      const id = `msg_${message.key}`;
      const body = JSON.stringify(bodyOf(id, message));
      const answer = await post(http, {
        url,
        headers: {
          'content-type': 'application/json',
          ...(await signedHeaders({ id, at: now, body }, [secret])),
        },
        body,
      });
      if (!isSuccess(answer)) throw refusal(answer, now);
      return null;
    },
  };
}

const bodyOf = (id: string, { medium, content, ...message }: OutgoingMessage) => ({
  id,
  message_id: message.message_id,
  kind: message.kind,
  reminder_id: message.reminder_id,
  media_type: medium,
  recipient: message.recipient,
  title: content.subject,
  content: content.text,
  order_id: message.order_id,
  user_id: message.user_id,
});
