import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message } from '../../../src/domain/message/schemas.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { seller, usePost } from './post.ts';

const opened = usePost(['resend', 'fonnte']);
const api = () => opened.post.fixture.api;

beforeAll(() => opened.post.listen());
afterAll(() => expectIntegrity(opened.post));

/** Returns a new user's first e-mail, which the sender refused. */
async function welcomed(
  refusal?: 'permanent' | 'temporary',
  fields: object = {},
): Promise<Message> {
  const { post } = opened;
  // Earlier messages must not get this refusal.
  await post.store.settled();
  if (refusal) post.sender('email').refuse(refusal);
  const [message] = await post.told(() => post.newBuyer({ phone: '', ...fields }));
  if (!message) throw new Error('The user is welcomed.');
  return message;
}

describe('The log', () => {
  test('is newest first, and filtered by the fields of messages', async () => {
    const { post } = opened;
    const buyer = await post.newBuyer();
    const { id: product_id } = await post.fixture.newProduct();
    const { id } = await post.fixture.newOrder({ product_id, user_id: buyer.id });
    await post.store.settled();
    const found = async (filter: string) => {
      const { body } = await api().get(`/messages?${filter}`);
      return body.data.map(({ kind, medium }: Message) => `${kind} ${medium}`);
    };
    expect(await found(`order_id=${id}`)).toEqual([
      'new-order whatsapp',
      'new-order email',
      'order-placed whatsapp',
      'order-placed email',
    ]);
    expect(await found(`order_id=${id}&medium=email`)).toEqual([
      'new-order email',
      'order-placed email',
    ]);
    expect(await found(`order_id=${id}&kind=order-placed&status=sent`)).toHaveLength(2);
    expect(await found(`order_id=${id}&status=failed`)).toEqual([]);
    expect(await found(`user_id=${buyer.id}`)).toHaveLength(4);
  });
});

describe('A message is resent', () => {
  test.each(['sent', 'failed'] as const)(
    'after it was %s, as a new message with the same text',
    async (status) => {
      const { post } = opened;
      const message = await welcomed(status === 'failed' ? 'permanent' : undefined);
      expect(message.status).toBe(status);
      await api().patch(`/users/${message.user_id}`, {
        email: `moved-${message.id}@people.example`,
      });
      const [again, ...others] = await post.told(async () => {
        expect((await api().post(`/messages/${message.id}/resend`)).status).toBe(201);
      });
      expect(others).toEqual([]);
      expect(again).toMatchObject({
        kind: 'welcome',
        status: 'sent',
        attempts: 1,
        text: message.text,
        recipient: `moved-${message.id}@people.example`,
      });
      expect(again?.provider_id).not.toBe(message.provider_id);
      expect(await post.message(message.id)).toEqual(message);
    },
  );

  test('but not while it still waits to be sent', async () => {
    const message = await welcomed('temporary');
    expect(await api().post(`/messages/${message.id}/resend`)).toMatchObject({
      status: 409,
      body: { code: 'message_queued' },
    });
    await opened.post.later(60);
    expect((await api().post(`/messages/${message.id}/resend`)).status).toBe(201);
  });

  test('but not through a medium whose sender is switched off', async () => {
    const { rows } = await opened.post.store.database.query<{ id: string }>(
      `insert into messages (kind, medium, recipient_named, recipient, status, due_at, created_at, updated_at)
       values ('reminder', 'sms', true, '+6281200000000', 'failed', $1, $1, $1) returning id`,
      [opened.post.store.clock.now()],
    );
    expect(await api().post(`/messages/${rows[0]?.id}/resend`)).toMatchObject({
      status: 409,
      body: { code: 'message_no_sender' },
    });
  });

  test('but an unknown message is a 404', async () => {
    expect((await api().post('/messages/999999/resend')).status).toBe(404);
  });
});

describe('A message is cancelled', () => {
  test('while it waits for another try, and then is not sent', async () => {
    const { post } = opened;
    const message = await welcomed('temporary');
    const before = post.sender('email').journal.length;
    const path = `/messages/${message.id}/cancel`;
    const ifMatch = (version: number) => ({ headers: { 'if-match': String(version) } });
    expect(await api().post(path, undefined, ifMatch(message.version - 1))).toMatchObject({
      status: 409,
      body: { code: 'rest_conflict' },
    });
    const reply = await api().post(path, undefined, ifMatch(message.version));
    expect(reply).toMatchObject({ status: 200, body: { data: { status: 'cancelled' } } });
    await post.later(86_400);
    expect(await post.message(message.id)).toMatchObject({ status: 'cancelled', attempts: 1 });
    expect(post.sender('email').journal).toHaveLength(before);
    expect(await post.events(message.id)).toEqual([]);
  });

  test('but not after it was sent or cancelled', async () => {
    const refused = { status: 409, body: { code: 'message_not_queued' } };
    const message = await welcomed();
    expect(await api().post(`/messages/${message.id}/cancel`)).toMatchObject(refused);
    const waiting = await welcomed('temporary');
    await api().post(`/messages/${waiting.id}/cancel`);
    expect(await api().post(`/messages/${waiting.id}/cancel`)).toMatchObject(refused);
  });

  test('but not while it is being sent', async () => {
    const { post } = opened;
    const release = post.sender('email').hold();
    const user = await post.newBuyer({ phone: '' });
    const handed = post.sender('email').journal.length;
    // Waits until the begin of the attempt is recorded.
    while (post.sender('email').journal.length === handed) await new Promise(setImmediate);
    const [message] = await post.log(`user_id=${user.id}`);
    expect(await api().post(`/messages/${message?.id}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'message_sending' },
    });
    release();
    await post.store.settled();
    expect(await post.message(message?.id ?? 0)).toMatchObject({ status: 'sent' });
  });
});

describe('After a user was erased', () => {
  test('no message to them keeps its recipient or its text, and none is sent', async () => {
    const { post } = opened;
    const sent = await welcomed();
    const waiting = await post.told(() => {
      post.sender('email').refuse('temporary');
      return api().post(`/messages/${sent.id}/resend`);
    });
    await post.store.database.query(
      `insert into message_suppressions (medium, address, reason, created_at)
       values ('email', $1, 'unsubscribed', $2)`,
      [sent.recipient, post.store.clock.now()],
    );
    expect((await api().delete(`/users/${sent.user_id}`)).status).toBe(200);
    const blank = { recipient: '', subject: '', text: '' };
    expect(await post.message(sent.id)).toMatchObject({ ...blank, status: 'sent' });
    expect(await post.message(waiting[0]?.id ?? 0)).toMatchObject({
      ...blank,
      status: 'cancelled',
    });
    const { body } = await api().get(`/message-suppressions?address=${sent.recipient}`);
    expect(body.data).toEqual([]);
    const before = post.sender('email').journal.length;
    await post.later(86_400);
    expect(post.sender('email').journal).toHaveLength(before);
  });

  test('the messages to the seller about their orders keep no text', async () => {
    const { post } = opened;
    const buyer = await post.newBuyer({ display_name: 'Kencana Wulandari' });
    const { id: product_id } = await post.fixture.newProduct();
    const { id } = await post.fixture.newOrder({ product_id, user_id: buyer.id });
    await post.store.settled();
    const told = await post.log(`order_id=${id}&kind=new-order`);
    expect(told).toMatchObject([
      { recipient: seller.email, text: expect.stringContaining('Kencana') },
      { recipient: seller.phone },
    ]);
    // A test of a template with their order concerns them as well.
    await api().post('/message-templates/new-order/email/test', {
      order_id: id,
      recipient: 'me@shop.example',
    });
    await post.store.settled();
    expect((await api().delete(`/users/${buyer.id}`)).status).toBe(200);
    const { rows } = await post.store.database.query(
      `select id from messages where content::text ~ 'Kencana' or content::text ~ $1`,
      [buyer.email],
    );
    expect(rows).toEqual([]);
  });

  test('the messages to the affiliates of their orders stay', async () => {
    const { post } = opened;
    const affiliate = await post.newBuyer({ roles: ['affiliate'], phone: '' });
    const buyer = await post.newBuyer();
    const terms = { enabled: true, tiers: [{ tier: 1, fee: 10, type: 'percentage' }] };
    const { id: product_id } = await post.fixture.newProduct({ affiliate: terms });
    const sale = { product_id, user_id: buyer.id, affiliate_id: affiliate.id, status: 'completed' };
    await post.fixture.newOrder(sale);
    await post.store.settled();
    const earned = () => post.log(`user_id=${affiliate.id}&kind=commission-earned`);
    const before = await earned();
    expect(before).toMatchObject([{ status: 'sent' }]);
    expect((await api().delete(`/users/${buyer.id}`)).status).toBe(200);
    expect(await earned()).toEqual(before);
  });
});

describe('One medium, message or webhook', () => {
  test('that is slow delays no other', async () => {
    const { post } = opened;
    const release = post.sender('whatsapp').hold();
    const user = await post.newBuyer();
    const emails = async () =>
      (await post.log(`user_id=${user.id}&medium=email`)).map(({ status }) => status);
    while ((await emails())[0] !== 'sent') await new Promise(setImmediate);
    expect(await post.log(`user_id=${user.id}&medium=whatsapp`)).toMatchObject([
      { status: 'queued' },
    ]);
    release();
    await post.store.settled();
    expect(await post.log(`user_id=${user.id}&medium=whatsapp`)).toMatchObject([
      { status: 'sent' },
    ]);
  });

  test.each(['permanent', 'temporary', 'setup'] as const)(
    'that is refused (%s) changes nothing for the other medium',
    async (kind) => {
      const { post } = opened;
      post.sender('whatsapp').refuse(kind);
      const messages = await post.told(() => post.newBuyer());
      expect(messages).toMatchObject([
        { medium: 'email', status: 'sent' },
        { medium: 'whatsapp', status: kind === 'permanent' ? 'failed' : 'queued' },
      ]);
      await post.later(300);
    },
  );

  test('that is refused changes nothing for the messages beside it', async () => {
    const { post } = opened;
    const others = ['permanent', 'temporary'] as const;
    for (const kind of others) post.sender('email').refuse(kind);
    post.sender('email').fail('dropped');
    post.sender('email').fail('lying');
    const statuses: string[] = [];
    for (let n = 0; n < 6; n++) statuses.push((await welcomed()).status);
    expect(statuses).toEqual(['failed', 'queued', 'queued', 'queued', 'sent', 'sent']);
    await post.later(60);
    const { body } = await api().get('/messages?status=queued');
    expect(body.data).toEqual([]);
  });
});
