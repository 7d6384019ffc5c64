import { createHmac } from 'node:crypto';
import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';

const template = { kind: 'order-placed', medium: 'email' };

export const messages: Examples = {
  'messages.list': () => ({}),
  'messages.get': async (scene) => ({ params: { id: (await newMessage(scene, 'sent')).id } }),
  'messages.resend': async (scene) => ({ params: { id: (await newMessage(scene, 'sent')).id } }),
  'messages.cancel': async (scene) => ({ params: { id: (await newMessage(scene, 'queued')).id } }),
  'messages.senders': () => ({}),
  'messages.callback': (scene) => ({
    params: { sender: 'resend' },
    body: { type: 'email.sent', created_at: '2026-03-10T09:00:00Z', data: { email_id: 'e1' } },
    headers: (body) => signed(body, scene),
    trips: 0,
  }),
  'messages.challenge': () => ({
    params: { sender: 'whatsapp' },
    query: {
      'hub.mode': 'subscribe',
      'hub.verify_token': messageSenders.WHATSAPP_VERIFY_TOKEN,
      'hub.challenge': '1158201444',
    },
    trips: 0,
  }),
  'messages.unsubscribePage': async (scene) => ({
    params: { key: (await newMessage(scene, 'sent')).key },
  }),
  'messages.unsubscribe': async (scene) => ({
    params: { key: (await newMessage(scene, 'sent')).key },
  }),

  'messageTemplates.list': () => ({}),
  'messageTemplates.get': () => ({ params: template }),
  'messageTemplates.update': () => ({
    params: template,
    body: { texts: { en: { subject: `Order {{order-number}} ${crypto.randomUUID()}` } } },
  }),
  'messageTemplates.preview': ({ order }) => ({
    params: template,
    body: { order_id: order, language: 'id' },
  }),
  'messageTemplates.test': ({ order }) => ({
    params: template,
    body: { order_id: order, recipient: 'me@demo.example' },
  }),

  'messageSuppressions.list': () => ({}),
  'messageSuppressions.delete': async (scene) => ({ params: { id: await newSuppression(scene) } }),
};

/** Senders without a server behind them; the high rate lets no message wait. */
export const messageSenders = {
  MAIL_FROM: 'hello@demo.example',
  MAIL_RATE: '1000',
  RESEND_API_KEY: 're_test',
  RESEND_WEBHOOK_SECRET: 'whsec_dGVzdC1zZWNyZXQtb2YtcmVzZW5k',
  RESEND_API_URL: 'http://127.0.0.1:9',
  WHATSAPP_RATE: '1000',
  WHATSAPP_TOKEN: 'EAAtest',
  WHATSAPP_PHONE_ID: '15550001',
  WHATSAPP_APP_SECRET: 'app-secret',
  WHATSAPP_VERIFY_TOKEN: 'verify-me',
  WHATSAPP_API_URL: 'http://127.0.0.1:9',
};

/** The signature of a sender's receipts, made like those of webhooks. */
function signed(body: string, { store }: Scene): Record<string, string> {
  const time = Math.floor(store.clock.now().getTime() / 1000);
  const secret = Buffer.from(messageSenders.RESEND_WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
  const hmac = createHmac('sha256', secret).update(`msg_1.${time}.${body}`).digest('base64');
  return { 'svix-id': 'msg_1', 'svix-timestamp': String(time), 'svix-signature': `v1,${hmac}` };
}

async function newMessage(scene: Scene, status: 'queued' | 'sent') {
  const { store, buyer, order } = scene;
  const due = new Date(store.clock.now().getTime() + 86_400_000);
  const { rows } = await store.database.query<{ id: string; key: string }>(
    `insert into messages (kind, medium, user_id, order_id, recipient, content, status, sender,
       provider_id, due_at, sent_at, created_at, updated_at)
     values ('order-placed', 'email', $1, $2, $7, $3, $4::text, 'resend',
       gen_random_uuid()::text, $5, case when $4 = 'sent' then $6::timestamptz end, $6, $6)
     returning id, key`,
    [buyer, order, content, status, due, store.clock.now(), scene.newEmail()],
  );
  return { id: Number(rows[0]?.id), key: rows[0]?.key ?? '' };
}

const content = {
  subject: 'Your order',
  text: 'Thank you.',
  html: '<p>Thank you.</p>',
  language: 'en',
  from_name: 'Demo store',
  approved: null,
  unsubscribe_url: null,
};

async function newSuppression({ store }: Scene): Promise<number> {
  const { rows } = await store.database.query<{ id: string }>(
    `insert into message_suppressions (medium, address, reason, created_at)
     values ('email', gen_random_uuid() || '@mail.example', 'bounced', $1) returning id`,
    [store.clock.now()],
  );
  return Number(rows[0]?.id);
}
