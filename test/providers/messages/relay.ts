import { Webhook } from 'standardwebhooks';
import * as z from 'zod';
import type { Asked } from '../provider.ts';
import type { Answered } from '../server.ts';
import type { TestSender } from './sender.ts';
import { SenderServer } from './server.ts';

const secret = 'whsec_c2VjcmV0IG9mIHRoZSBzZWxsZXIncyBvd24gc2VydmljZQ==';

const Message = z.strictObject({
  id: z.string(),
  message_id: z.int(),
  kind: z.string(),
  reminder_id: z.int().nullable(),
  media_type: z.enum(['email', 'whatsapp', 'sms']),
  recipient: z.string(),
  title: z.string(),
  content: z.string(),
  order_id: z.int().nullable(),
  user_id: z.int().nullable(),
});

/** A seller's own service that sends e-mails: docs/messages/relay.md. */
export class RelayServer extends SenderServer implements TestSender {
  readonly id = 'relay';
  readonly medium = 'email';
  readonly knowsKeys = true;

  get variables() {
    return { REMINDER_URL: `${this.origin}/messages`, REMINDER_SECRET: secret };
  }

  protected answer({ method, path, headers, body }: Asked): Answered {
    if (method !== 'POST' || path !== '/messages') return { status: 404, body: {} };
    const { 'webhook-id': id = '', 'webhook-timestamp': time = '' } = headers;
    const signature = new Webhook(secret).sign(id, new Date(Number(time) * 1000), body);
    if (headers['webhook-signature'] !== signature) return { status: 401, body: {} };
    const message = Message.safeParse(JSON.parse(body));
    if (!message.success || message.data.id !== id) return { status: 422, body: {} };
    const { recipient: to, title: subject, content: text } = message.data;
    const isKnown = this.arrived.some((each) => each.id === id);
    if (!isKnown) this.arrived.push({ id, to, subject, text, html: null });
    return { status: 204, body: undefined };
  }

  protected refused(kind: 'permanent' | 'temporary' | 'setup'): Answered {
    return { status: { permanent: 422, temporary: 429, setup: 401 }[kind], body: {} };
  }

  protected broken() {
    return {};
  }
}
