import { beforeAll, describe, expect, test } from 'vitest';
import { sendNow } from '../../../src/processes/reminders/sending.ts';
import { parseCsv } from '../../exports/csv.ts';
import type { ApiClient } from '../../harness/client.ts';
import { useReceiver } from '../../kernel/events/receiver.ts';
import { useStore } from '../../harness/store.ts';

const opened = useStore();
const provider = useReceiver();
let all: ApiClient;
let writer: ApiClient;
let reader: ApiClient;
let order: number;

beforeAll(async () => {
  const environment = await opened.store.environment;
  environment['REMINDER_URL'] = provider.url('/messages');
  all = await opened.store.key();
  writer = await opened.store.key('reminders:write');
  reader = await opened.store.key('reminders:read');
  const id = async (path: string, body: object) => (await all.post(path, body)).body.data.id;
  const product_id = await id('/products', { title: 'Course', price: 350_000 });
  const user_id = await id('/users', { email: 'bo@x.example', phone: '+6281100001' });
  order = await id('/orders', { product_id, user_id });
});

const plain = () => ({
  order_id: order,
  title: 'A word',
  content: 'Thank you.',
  scheduled_at: '2030-01-01T00:00:00.000Z',
});
const forbidden = { status: 403, body: { code: 'rest_forbidden' } };
const hidden = { recipient: null };

describe('A key with reminders:write alone', () => {
  test('reminds a buyer without learning their address', async () => {
    for (const media_type of ['email', 'whatsapp']) {
      const made = await writer.post('/reminders', { ...plain(), media_type });
      expect(made).toMatchObject({ status: 201, trips: 2, body: { data: hidden } });
      const path = `/reminders/${made.body.data.id}`;
      const changed = await writer.post(path, { title: 'Another word' });
      expect(changed).toMatchObject({ status: 200, body: { data: hidden } });
      const resent = await writer.post(`${path}/resend`);
      expect(resent).toMatchObject({ status: 200, body: { data: hidden } });
    }
  });

  test.each([
    ['a recipient', { recipient: 'stranger@other.example' }],
    ['a placeholder in its title', { title: 'For {{name}}' }],
    ['a placeholder in its text', { content: 'Pay {{ amount }}.' }],
  ])('is refused %s, in a new reminder and in an existing one', async (_, more) => {
    const made = await writer.post('/reminders', { ...plain(), ...more });
    expect(made).toMatchObject(forbidden);
    const { id } = (await all.post('/reminders', plain())).body.data;
    expect(await writer.post(`/reminders/${id}`, more)).toMatchObject(forbidden);
    const both = await opened.store.key('reminders:write', 'orders:read');
    expect((await both.post('/reminders', { ...plain(), ...more })).status).toBe(201);
    expect((await both.post(`/reminders/${id}`, more)).status).toBe(200);
  });

  test("can't learn from a refusal which orders exist", async () => {
    const body = { ...plain(), order_id: 999_999, recipient: 'stranger@other.example' };
    expect(await writer.post('/reminders', body)).toMatchObject(forbidden);
  });

  test('writes no texts to a recipient that somebody else named, but may cancel them', async () => {
    const named = { ...plain(), recipient: 'boss@x.example' };
    const { id } = (await all.post('/reminders', named)).body.data;
    const path = `/reminders/${id}`;
    expect(await writer.post(path, { content: 'Buy at evil.example' })).toMatchObject(forbidden);
    const cancelled = await writer.post(path, { status: 'cancelled' });
    expect(cancelled).toMatchObject({ status: 200, body: { data: hidden } });
  });
});

test('A key with reminders:read alone reads reminders, lists and files without recipients', async () => {
  const { id } = (await all.post('/reminders', plain())).body.data;
  expect((await reader.get(`/reminders/${id}`)).body.data).toMatchObject(hidden);
  const { data } = (await reader.get('/reminders?per_page=100')).body;
  expect(data.length).toBeGreaterThan(0);
  for (const reminder of data) expect(reminder).toMatchObject(hidden);
  const [header = [], ...lines] = parseCsv((await reader.get('/reminders.csv')).body);
  for (const line of lines) expect(line[header.indexOf('recipient')]).toBe('');
  expect((await reader.get('/reminders.ndjson')).body).not.toContain('bo@x.example');

  const both = await opened.store.key('reminders:read', 'orders:read');
  expect((await both.get(`/reminders/${id}`)).body.data.recipient).toBe('bo@x.example');
  expect((await both.get('/reminders.csv')).body).toContain('bo@x.example');
});

test('An event of a reminder names no recipient', async () => {
  const events = ['reminder.*'];
  const webhook = await all.post('/webhooks', { name: 'R', url: provider.url('/hook'), events });
  expect(webhook.status).toBe(201);
  const { scheduled_at: _, ...now } = plain();
  await all.post('/reminders', now);
  await opened.store.settled();
  await sendNow(await opened.store.services());
  const { rows: sent } = await opened.store.database.query<{ data: object }>(
    "select data from outbox where event = 'reminder.sent'",
  );
  expect(sent.length).toBeGreaterThan(0);
  for (const { data } of sent) expect(data).toMatchObject(hidden);
});
