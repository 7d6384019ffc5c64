import { Webhook } from 'standardwebhooks';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { newSecret } from '../../../src/kernel/events/signing.ts';
import { sendNow } from '../../../src/processes/reminders/sending.ts';
import { useReceiver } from '../../kernel/events/receiver.ts';
import { long } from '../../harness/long.ts';
import { silence } from '../../harness/silence.ts';
import type { ApiClient } from '../../harness/client.ts';
import { useStore } from '../../harness/store.ts';

const opened = useStore();
const provider = useReceiver();
const secret = newSecret();
let api: ApiClient;
let course: number;
let buyer: number;

beforeAll(async () => {
  const environment = await opened.store.environment;
  environment['REMINDER_URL'] = provider.url('/messages');
  environment['REMINDER_SECRET'] = secret;
  await opened.store.database.query(
    "update settings set timezone = 'Asia/Jakarta', currency = 'IDR'",
  );
  // Switches other messages off, which would go to the same address.
  await silence(opened.store);
  api = await opened.store.key();
  const id = async (path: string, body: object) => (await api.post(path, body)).body.data.id;
  course = await id('/products', { title: 'Course', price: 350_000 });
  buyer = await id('/users', { email: 'bo@x.example', first_name: 'Bo', phone: '+6281100001' });
});

beforeEach(async () => {
  provider.received.length = 0;
  provider.answer = () => ({});
  // Removes the reminders of earlier tests, and the rates, since the clock stands still.
  await opened.store.database.query(
    'delete from messages; delete from reminders; delete from message_senders',
  );
});

const place = async () =>
  (await api.post('/orders', { product_id: course, user_id: buyer })).body.data;
const of = async (order: number) => (await api.get(`/reminders?order_id=${order}`)).body.data;
const send = async () => {
  await opened.store.settled();
  await sendNow(await opened.store.services());
};

test('a template has every new order remind its buyer, at its hour in the time zone of the store', async () => {
  const template = await api.post('/reminder-templates', {
    type: 'order',
    offset: 1,
    hour: 8,
    media: ['email', 'whatsapp'],
    title: 'Hello {{name}}',
    content: 'Please pay {{amount}} for {{product-name}}, order {{order-number}}.',
  });
  expect(template).toMatchObject({ status: 201, trips: 2 });
  const order = await place();
  // 2026-03-10 09:00 UTC is 16:00 in Jakarta: a day later at 8:00 is 01:00 UTC.
  expect(await of(order.id)).toMatchObject([
    { media_type: 'whatsapp', recipient: '+6281100001', status: 'pending' },
    {
      media_type: 'email',
      recipient: 'bo@x.example',
      scheduled_at: '2026-03-11T01:00:00.000Z',
      send_day: 1,
      send_hours: 8,
      template_id: template.body.data.id,
    },
  ]);
  opened.store.clock.set('2026-03-11T00:59:59.000Z');
  await send();
  expect(provider.received).toEqual([]);
  opened.store.clock.set('2026-03-11T01:00:00.000Z');
  await send();
  await send();
  const messages = provider.received.map(({ json }) => json);
  const byMedium = messages.toSorted((one, other) => (one.media_type < other.media_type ? -1 : 1));
  expect(byMedium).toMatchObject([
    {
      media_type: 'email',
      recipient: 'bo@x.example',
      title: 'Hello Bo',
      content: expect.stringContaining(
        `Please pay IDR 3,500.00 for Course, order ${order.number}.`,
      ),
    },
    { media_type: 'whatsapp', recipient: '+6281100001' },
  ]);
  expect(await of(order.id)).toMatchObject([{ status: 'sent' }, { status: 'sent', attempts: 1 }]);
});

test("the end of an order's wait cancels its reminders in the same step, and reopening brings them back", async () => {
  const order = await place();
  await api.patch(`/orders/${order.id}`, { status: 'cancelled' });
  expect(await of(order.id)).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }]);
  await api.patch(`/orders/${order.id}`, { status: 'on-hold' });
  expect(await of(order.id)).toMatchObject([{ status: 'pending' }, { status: 'pending' }]);
  await api.patch(`/orders/${order.id}`, { status: 'completed' });
  expect(await of(order.id)).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }]);
});

test('no reminder is sent about a deleted order', async () => {
  const order = await place();
  const { body } = await api.delete(`/orders/${order.id}`);
  expect(body.data).toEqual({ id: order.id, deleted: true });
  expect(await of(order.id)).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }]);
});

const byHand = async (more: object = {}) => {
  const order = await place();
  const body = { order_id: order.id, title: 'A word', content: 'Thank you.', ...more };
  const reply = await api.post('/reminders', body);
  expect(reply.status).toBe(201);
  return reply.body.data;
};

const read = async (id: number) => (await api.get(`/reminders/${id}`)).body.data;

test('messages are signed so that the receiver can check them', async () => {
  await byHand();
  await send();
  const [{ body, headers }] = provider.received.slice(-1) as [(typeof provider.received)[number]];
  // The store's clock stands still, and the verifier uses the real time.
  const stamp = Number(headers['webhook-timestamp']) * 1000;
  const real = Date.now;
  Date.now = () => stamp;
  try {
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ title: 'A word' });
  } finally {
    Date.now = real;
  }
});

test('a provider that fails, hangs up and recovers gets the message once it answers, under the same id', async () => {
  const answers = [{ status: 500 }, null, {}];
  let tries = 0;
  provider.answer = ({ json }) =>
    json.title === 'Stubborn' ? (answers[tries++] as { status?: number } | null) : {};
  const { id } = await byHand({ title: 'Stubborn' });
  await send();
  expect(await read(id)).toMatchObject({ status: 'sending', attempts: 1, last_error: '500' });
  await send();
  opened.store.clock.advance(60);
  await send();
  expect(await read(id)).toMatchObject({ status: 'sending', attempts: 2, last_error: 'no_answer' });
  opened.store.clock.advance(300);
  await send();
  expect(await read(id)).toMatchObject({ status: 'sent', attempts: 3, last_error: null });
  const posted = provider.received.filter(({ json }) => json.title === 'Stubborn');
  expect(posted).toHaveLength(3);
  expect(new Set(posted.map(({ body }) => body)).size).toBe(1);
  const ids = new Set(posted.flatMap(({ headers, json }) => [headers['webhook-id'], json.id]));
  expect([...ids]).toEqual([expect.stringMatching(/^msg_[0-9a-f-]{36}$/)]);
});

test('after six failures within nine hours a reminder is given up', async () => {
  provider.answer = () => ({ status: 503 });
  const { id } = await byHand();
  await send();
  for (const [failures, pause] of [60, 300, 1800, 7200, 21_600].entries()) {
    opened.store.clock.advance(pause - 1);
    await send();
    expect(await read(id)).toMatchObject({ status: 'sending', attempts: failures + 1 });
    opened.store.clock.advance(1);
    await send();
  }
  expect(await read(id)).toMatchObject({ status: 'failed', attempts: 6, last_error: '503' });
  opened.store.clock.advance(86_400);
  await send();
  expect(provider.received.filter(({ json }) => json.reminder_id === id)).toHaveLength(6);
});

test('a reminder that is permanently refused fails at once', async () => {
  provider.answer = () => ({ status: 422 });
  const { id } = await byHand();
  await send();
  expect(await read(id)).toMatchObject({ status: 'failed', attempts: 1, last_error: '422' });
});

test('an interrupted sender loses no reminder and sends none to others twice', async () => {
  const { id } = await byHand();
  opened.store.neon.faults.next({ statement: 'update "messages" set', cut: 'before commit' });
  await send();
  expect((await read(id)).status).toBe('sending');
  await send();
  expect(provider.received).toHaveLength(1);
  opened.store.clock.advance(61);
  await send();
  expect(await read(id)).toMatchObject({ status: 'sent', attempts: 2 });
  expect(provider.received).toHaveLength(2);
  const ids = provider.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(1);
});

long('two senders at once share the work', async () => {
  for (let i = 0; i < 6; i++) await byHand();
  await Promise.all([send(), send(), send()]);
  const ids = provider.received.map(({ json }) => json.id);
  expect(ids).toHaveLength(6);
  expect(new Set(ids).size).toBe(6);
});

long('a reminder is resent at most five times a day, and not while it is being sent', async () => {
  const { id } = await byHand();
  await send();
  for (let i = 0; i < 5; i++) {
    expect((await api.post(`/reminders/${id}/resend`)).status).toBe(200);
    await opened.store.settled();
    expect((await read(id)).status).toBe('sent');
  }
  const more = await api.post(`/reminders/${id}/resend`);
  expect(more).toMatchObject({ status: 429, body: { code: 'rest_too_many_requests' } });
  expect(Number(more.headers.get('retry-after'))).toBeGreaterThan(0);
  opened.store.clock.advance(86_400);
  expect((await api.post(`/reminders/${id}/resend`)).status).toBe(200);
  await opened.store.settled();
  await opened.store.database.query("update reminders set status = 'sending' where id = $1", [id]);
  expect(await api.post(`/reminders/${id}/resend`)).toMatchObject({
    status: 409,
    body: { code: 'reminder_sending' },
  });
  await opened.store.database.query("update reminders set status = 'sent' where id = $1", [id]);
});

test("a reminder that waits for another try can't be resent, and a failed one is resent at once", async () => {
  provider.answer = () => ({ status: 500 });
  const { id } = await byHand();
  await send();
  const sending = { status: 409, body: { code: 'reminder_sending' } };
  expect(await api.post(`/reminders/${id}/resend`)).toMatchObject(sending);
  expect(await api.delete(`/reminders/${id}`)).toMatchObject(sending);
  provider.answer = () => ({ status: 410 });
  opened.store.clock.advance(60);
  await send();
  expect(await read(id)).toMatchObject({ status: 'failed', attempts: 2, last_error: '410' });
  provider.answer = () => ({});
  expect((await api.post(`/reminders/${id}/resend`)).status).toBe(200);
  await opened.store.settled();
  expect(await read(id)).toMatchObject({ status: 'sent', attempts: 1, last_error: null });
});

test('a reminder is a message: it is in the log of messages, where it can be cancelled', async () => {
  provider.answer = () => ({ status: 500 });
  const { id, order_id } = await byHand();
  await send();
  const [message, ...others] = (await api.get(`/messages?order_id=${order_id}`)).body.data;
  expect(others).toEqual([]);
  expect(message).toMatchObject({
    kind: 'reminder',
    reminder_id: id,
    status: 'queued',
    subject: 'A word',
    recipient: 'bo@x.example',
    sender: 'relay',
  });
  expect((await api.post(`/messages/${message.id}/cancel`)).status).toBe(200);
  expect(await read(id)).toMatchObject({ status: 'cancelled' });
  opened.store.clock.advance(60);
  await send();
  expect(provider.received).toHaveLength(1);
});

test('a payment that arrives while a reminder waits for another try cancels it', async () => {
  provider.answer = () => ({ status: 500 });
  const { id, order_id } = await byHand();
  await send();
  await api.patch(`/orders/${order_id}`, { status: 'completed' });
  provider.answer = () => ({});
  opened.store.clock.advance(60);
  await send();
  expect(provider.received).toHaveLength(1);
  expect(await read(id)).toMatchObject({ status: 'cancelled' });
});

test.each(['renewal', 'deletion of the product'])(
  'a %s while a reminder of the end waits for another try cancels it',
  async (event) => {
    const club = await api.post('/products', {
      title: 'Club',
      price: 350_000,
      payment_type: 'recurring',
      subscription: { active: true, regular: { duration: 5, period: 'daily', price: 350_000 } },
    });
    const reader = await api.post('/users', { email: `${event.length}@x.example` });
    const template = await api.post('/reminder-templates', {
      type: 'recurring',
      direction: 'before',
      offset: 1,
      hour: 8,
      media: ['email'],
      title: 'Soon',
      content: 'Until {{end-date}}.',
    });
    const term = {
      product_id: club.body.data.id,
      user_id: reader.body.data.id,
      status: 'completed',
    };
    const first = await api.post('/orders', term);
    provider.answer = () => ({ status: 503 });
    opened.store.clock.advance(5 * 86_400);
    await send();
    expect(provider.received).toHaveLength(1);
    const happened =
      event === 'renewal'
        ? await api.post('/orders', { ...term, order_parent_id: first.body.data.id })
        : await api.delete(`/products/${term.product_id}`);
    expect(happened.status).toBe(event === 'renewal' ? 201 : 200);
    provider.answer = () => ({});
    opened.store.clock.advance(60);
    await send();
    expect(provider.received).toHaveLength(1);
    const { body } = await api.get(`/reminders?order_id=${first.body.data.id}&status=cancelled`);
    expect(body.data).toMatchObject([{ title: 'Soon', attempts: 1 }]);
    await api.delete(`/reminder-templates/${template.body.data.id}`);
  },
);

test.each([
  ['en', 'IDR 3,500.00', '31 January 2026'],
  ['id', 'Rp3.500,00', '31 Januari 2026'],
])('amounts and dates are in the language of its reader: %s', async (language, amount, date) => {
  const title = language === 'id' ? 'Klub' : 'Club';
  const club = await api.post('/products', {
    title,
    price: 350_000,
    payment_type: 'recurring',
    subscription: { active: true, regular: { duration: 21, period: 'daily', price: 350_000 } },
  });
  const reader = await api.post('/users', { email: `${language}@x.example`, language });
  const template = await api.post('/reminder-templates', {
    type: 'recurring',
    direction: 'before',
    offset: 1,
    hour: 8,
    media: ['email'],
    title: 'Soon',
    content: '{{product-name}}: {{amount}} until {{end-date}}.',
  });
  const before = opened.store.clock.now().toISOString();
  opened.store.clock.set('2026-01-10T09:00:00.000Z');
  await api.post('/orders', {
    product_id: club.body.data.id,
    user_id: reader.body.data.id,
    status: 'completed',
  });
  opened.store.clock.set('2026-01-30T01:00:00.000Z');
  await send();
  const contents = provider.received.map(({ json }) => String(json.content).split('\n')[0]);
  expect(contents).toEqual([`${title}: ${amount} until ${date}.`]);
  await api.delete(`/reminder-templates/${template.body.data.id}`);
  opened.store.clock.set(before);
});

long('each resend is a message of its own to the receiver, on other days too', async () => {
  const { id } = await byHand();
  await send();
  for (const pause of [0, 0, 86_400, 86_400]) {
    opened.store.clock.advance(pause);
    expect((await api.post(`/reminders/${id}/resend`)).status).toBe(200);
    await opened.store.settled();
  }
  const ids = provider.received
    .filter(({ json }) => json.reminder_id === id)
    .map(({ json }) => json.id);
  expect(ids).toHaveLength(5);
  expect(new Set(ids).size).toBe(5);
});

test.each(['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-14:00'])(
  'a reminder is not scheduled for %s, which is outside the years 1 to 9999',
  async (scheduled_at) => {
    const refused = {
      status: 400,
      body: {
        code: 'rest_invalid_param',
        data: { params: { scheduled_at: 'must be in the years 1 to 9999' } },
      },
    };
    const { id, order_id } = await byHand({ scheduled_at: '2030-01-01T07:00:00+07:00' });
    const body = { order_id, title: 'A word', content: 'Thank you.', scheduled_at };
    expect(await api.post('/reminders', body)).toMatchObject(refused);
    expect(await api.post(`/reminders/${id}`, { scheduled_at })).toMatchObject(refused);
    expect(await read(id)).toMatchObject({ scheduled_at: '2030-01-01T00:00:00.000Z', version: 1 });
  },
);

test('a reminder can be changed and deleted while it waits, and not once it is sent', async () => {
  const { id } = await byHand({ scheduled_at: '2030-01-01T00:00:00Z' });
  const changed = await api.post(`/reminders/${id}`, { title: 'Other' });
  expect(changed).toMatchObject({ status: 200, body: { data: { title: 'Other', version: 2 } } });
  expect((await api.delete(`/reminders/${id}`)).status).toBe(200);
  expect((await api.get(`/reminders/${id}`)).status).toBe(404);
  const sent = await byHand();
  await send();
  expect(await api.post(`/reminders/${sent.id}`, { title: 'Other' })).toMatchObject({
    status: 409,
    body: { code: 'reminder_not_pending' },
  });
});

test('a time of any offset is kept as the same moment in UTC', async () => {
  const { id, scheduled_at } = await byHand({ scheduled_at: '2030-01-01T07:00:00+07:00' });
  expect(scheduled_at).toBe('2030-01-01T00:00:00.000Z');
  const never = { scheduled_at: '0000-01-01T00:00:00Z' };
  expect((await api.post(`/reminders/${id}`, never)).status).toBe(400);
});

test('lists filter by order, user, status and medium', async () => {
  const { id, order_id } = await byHand({
    media_type: 'sms',
    scheduled_at: '2030-01-01T00:00:00Z',
  });
  const ids = async (filter: string) =>
    (await api.get(`/reminders?${filter}`)).body.data.map((row: { id: number }) => row.id);
  expect(await ids(`order_id=${order_id}&media_type=sms`)).toEqual([id]);
  expect(await ids('media_type=sms&status=pending')).toEqual([id]);
  expect(await ids(`user_id=${buyer}&media_type=sms`)).toEqual([id]);
  expect(await ids('media_type=sms&status=failed')).toEqual([]);
});

test('a medium that a template names twice is stored once', async () => {
  const [template] = (await api.get('/reminder-templates')).body.data;
  const path = `/reminder-templates/${template.id}`;
  const changed = await api.patch(path, { media: ['email', 'email'] });
  expect(changed.body.data).toMatchObject({ media: ['email'], version: 2 });
  expect(await of((await place()).id)).toHaveLength(1);
});

test('templates are changed and deleted; scheduled reminders stay', async () => {
  const { body } = await api.get('/reminder-templates');
  const [template] = body.data;
  expect(
    (await api.patch(`/reminder-templates/${template.id}`, { active: false })).body.data,
  ).toMatchObject({ active: false, version: 3 });
  const silent = await place();
  expect(await of(silent.id)).toEqual([]);
  expect((await api.delete(`/reminder-templates/${template.id}`)).status).toBe(200);
  expect((await api.get('/reminder-templates')).body.data).toEqual([]);
});
