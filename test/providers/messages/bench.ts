import type { MessageContent } from '../../../src/schema/message-content.ts';
import { afterAll, beforeAll } from 'vitest';
import { type Config, readConfig } from '../../../src/config.ts';
import type { Outbound } from '../../../src/kernel/events/outbound.ts';
import type { Callback } from '../../../src/providers/callback.ts';
import { senderNamed } from '../../../src/providers/messages/index.ts';
import {
  type OutgoingMessage,
  SendError,
  type Sender,
} from '../../../src/providers/messages/sender.ts';
import type { TestSender } from './sender.ts';

export const now = new Date('2026-03-10T09:00:00.000Z');

export const http: Outbound = (url, init) => fetch(url, init);

export const configWith = (variables: object): Config =>
  readConfig({
    DATABASE_URL: 'postgres://service:secret@db.example.test/store',
    API_KEY_PEPPERS: '',
    SESSION_KEYS: '',
    BASE_URL: 'https://shop.example',
    ...variables,
  });

export function senderWith(variables: object, id: string): Sender {
  const sender = senderNamed(configWith(variables), id);
  if (!sender) throw new Error(`There is no sender ${id}.`);
  return sender;
}

export function messageOf({
  content,
  ...message
}: Partial<Omit<OutgoingMessage, 'content'>> & {
  content?: Partial<MessageContent>;
} = {}): OutgoingMessage {
  const medium = message.medium ?? 'email';
  return {
    key: crypto.randomUUID(),
    message_id: 7,
    kind: 'order-placed',
    recipient: medium === 'email' ? 'sari@buyers.example' : '+6281234567890',
    reminder_id: null,
    order_id: 42,
    user_id: 5,
    ...message,
    medium,
    content: {
      subject: 'Your order INV-42',
      text: 'Hello Sari,\n\npay Rp 350.123 to BCA 111.',
      html: medium === 'email' ? '<p>Hello Sari,</p>' : null,
      language: 'en',
      from_name: 'Demo store',
      approved: null,
      unsubscribe_url: null,
      ...content,
    },
  };
}

/** The sender of a store, with its provider's server. */
export function useSender<T extends TestSender>(
  provider: T,
  variables: object = {},
): { readonly provider: T; readonly sender: Sender } {
  let sender: Sender | undefined;
  beforeAll(async () => {
    await provider.open(() => now);
    sender = senderWith({ ...provider.variables, ...variables }, provider.id);
  });
  afterAll(() => provider.close());
  return {
    provider,
    get sender() {
      if (!sender) throw new Error('The provider opens before the first test.');
      return sender;
    },
  };
}

export async function refusalOf(sending: Promise<unknown>): Promise<SendError> {
  try {
    await sending;
  } catch (error) {
    if (error instanceof SendError) return error;
    throw error;
  }
  throw new Error('It was taken.');
}

export const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): Outbound =>
  async () =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });

export async function callbackOf(request: Request): Promise<Callback> {
  const text = await request.text();
  return { text, header: (name) => request.headers.get(name) ?? undefined };
}
