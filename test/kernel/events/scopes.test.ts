import { describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/schema/scopes.ts';
import { catalogue, scopesOf } from '../../../src/domain/webhook/catalogue.ts';
import type { ApiClient } from '../../harness/client.ts';
import { useStore } from '../../harness/store.ts';
import { type Owned, PostOffice } from './post-office.ts';
import { useReceiver } from './receiver.ts';

// Events carry whole records, so only scopes that read the records may give access to them.

const opened = useStore();
const receiver = useReceiver();
const hook = 'https://hooks.example.com/';

/** The feed of a webhook as a key with these scopes reads it. */
const feedOf = async ({ id }: Owned, ...scopes: Scope[]) =>
  (await opened.store.key(...scopes)).get(`//api/svc-notify/v1/feed?webhook_id=${id}`);

describe('A feed', () => {
  test('hides what the scopes of its reader do not cover, and still lists every entry', async () => {
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook(receiver.url('/mixed'));
    const user = { email: 'dewi@mail.example', phone: '+62811', bank_info: 'BCA 123' };
    const user_id = (await office.api.post('/users', user)).body.data.id;
    const body = { title: 'Tool', price: 100, license: { active: true, count: 1 } };
    const product_id = (await office.api.post('/products', body)).body.data.id;
    const order = { product_id, user_id, status: 'completed' };
    expect(await office.api.post('/orders', order)).toMatchObject({ status: 201 });
    await office.store.settled();

    const all = (await feedOf(webhook)).body;
    const seen = (await feedOf(webhook, 'orders:read')).body;
    const kept = (entry: (typeof all.data)[number]) =>
      entry.data.event.startsWith('order.')
        ? entry
        : { ...entry, data: { ...entry.data, data: {} }, redacted: true };
    expect(all.data.map((entry: object) => 'redacted' in entry)).not.toContain(true);
    expect(seen).toEqual({ ...all, data: all.data.map(kept) });
    expect(seen.data).toContainEqual(expect.objectContaining({ type: 'license-created' }));
    expect(seen.data).toContainEqual(expect.objectContaining({ type: 'order-created' }));
    const text = JSON.stringify(seen);
    expect(text).not.toContain('BCA 123');
    const license = all.data.find((entry: { type: string }) => entry.type === 'license-created');
    expect(text).not.toContain(license.data.data.code);

    const more = (await feedOf(webhook, 'orders:read', 'licenses:read')).body;
    expect(more.data).toContainEqual(license);
    expect(JSON.stringify(more)).not.toContain('BCA 123');
    await office.api.delete(`/webhooks/${webhook.id}`);
  });
});

test('The deliveries of a webhook show its answers only to keys that may read the event', async () => {
  const office = await PostOffice.open(opened.store);
  receiver.answer = () => ({ body: 'Thank you, Dewi of BCA 123.' });
  const webhook = await office.webhook(receiver.url('/echo'), { events: ['product.*', 'ping'] });
  await office.product();
  await office.store.settled();
  await office.api.post(`/webhooks/${webhook.id}/test`);
  await office.store.settled();
  receiver.answer = () => ({});
  const deliveries = async (...scopes: Scope[]) =>
    (await (await opened.store.key(...scopes)).get(`/webhooks/${webhook.id}/deliveries`)).body.data;
  const [ping, product] = await deliveries('webhooks:read', 'products:read');
  expect(product).toMatchObject({
    event: 'product.created',
    answer: 'Thank you, Dewi of BCA 123.',
  });
  expect([ping, product].map((row) => 'redacted' in row)).toEqual([false, false]);
  const redacted = { ...product, answer: '', redacted: true };
  expect(await deliveries('webhooks:read')).toEqual([ping, redacted]);
  await office.api.delete(`/webhooks/${webhook.id}`);
});

test.each(Object.entries(catalogue))('%s names the scope that reads it', (_, { scope }) => {
  expect(scope).toMatch(/^[a-z]+:read$/);
});

test('scopesOf names the scope of each event that a pattern matches, and all scopes for every event', () => {
  expect(scopesOf(['order.*', 'user.created'])).toEqual(['orders:read', 'users:read']);
  expect(new Set(scopesOf(['*']))).toEqual(
    new Set(Object.values(catalogue).map(({ scope }) => scope)),
  );
});

describe('A key that may write webhooks', () => {
  const refused = (...missing_scopes: Scope[]) => ({
    status: 403,
    body: {
      code: 'rest_forbidden',
      message: expect.stringMatching(
        new RegExp(`^Insufficient scope\\. .*${missing_scopes.join(', ')}`),
      ),
      data: { status: 403, missing_scopes },
    },
  });
  const writer = (...scopes: Scope[]) => opened.store.key('webhooks:write', ...scopes);
  const made = async (events: string[], fields: object = {}) => {
    const office = await PostOffice.open(opened.store);
    return { office, ...(await office.webhook(hook, { events, ...fields })) };
  };

  test('registers receivers only for events that it may read', async () => {
    const api = await writer('orders:read');
    const order = { url: hook, events: ['order.*'] };
    expect(await api.post('/webhooks', order)).toMatchObject({ status: 201 });
    const more = { url: hook, events: ['order.*', 'license.created', 'user.*'] };
    expect(await api.post('/webhooks', more)).toMatchObject(refused('licenses:read', 'users:read'));
    const { body } = await api.post('/webhooks', { url: hook });
    expect(body.data.missing_scopes).toEqual(
      expect.arrayContaining(['users:read', 'licenses:read', 'webhooks:read']),
    );
    const every = scopesOf(['*']);
    expect(await (await writer(...every)).post('/webhooks', { url: hook })).toMatchObject({
      status: 201,
    });
  });

  test('subscribes a webhook to events that it may read, and changes its other settings freely', async () => {
    const { id } = await made(['user.*']);
    const api = await writer('orders:read');
    const path = `/webhooks/${id}`;
    expect(await api.patch(path, { events: ['user.created'] })).toMatchObject(
      refused('users:read'),
    );
    expect(await api.patch(path, { name: 'Mine', events: ['user.*'] })).toMatchObject({
      status: 200,
    });
    expect(await api.patch(path, { status: 'paused' })).toMatchObject({ status: 200 });
    const both = await writer('orders:read', 'users:read');
    expect(await both.patch(path, { events: ['order.created'] })).toMatchObject({ status: 200 });
    expect(await api.patch(path, { events: ['order.*'] })).toMatchObject({ status: 200 });
  });

  test("can't take over a webhook by first subscribing it to fewer events", async () => {
    const { id, office } = await made(['*']);
    const path = `/webhooks/${id}`;
    const api = await writer('webhooks:read');
    expect(await api.patch(path, { events: ['ping'] })).toMatchObject({
      status: 403,
      body: { data: { missing_scopes: expect.arrayContaining(['orders:read', 'users:read']) } },
    });
    expect((await office.api.get(path)).body.data).toMatchObject({ events: ['*'], version: 1 });
  });

  test('changes the address of a webhook only if it may read all events sent there', async () => {
    const { id, office } = await made(['product.*', 'order.*'], { status: 'paused' });
    const elsewhere = { url: receiver.url('/elsewhere') };
    const api = await writer('orders:read');
    const path = `/webhooks/${id}`;
    const missing = refused('products:read');
    expect(await api.patch(path, elsewhere)).toMatchObject(missing);
    // Subscribing to less at the same time doesn't change which events may already be on their way.
    expect(await api.patch(path, { ...elsewhere, events: ['order.*'] })).toMatchObject(missing);
    await office.product();
    expect(await api.patch(path, { events: ['order.*'] })).toMatchObject(missing);
    await office.api.patch(path, { events: ['order.*'] });
    // The scope for waiting events is still missing.
    expect(await api.patch(path, elsewhere)).toMatchObject(missing);
    const both = await writer('orders:read', 'products:read');
    expect(await both.patch(path, elsewhere)).toMatchObject({ status: 200 });
  });

  test('replays and resends only events that it may read', async () => {
    const { id, office } = await made(['product.*']);
    await office.api.patch(`/webhooks/${id}`, { url: receiver.url('/again') });
    await office.product();
    await office.store.settled();
    // Sent events stay in the log when the webhook's subscription changes.
    await office.api.patch(`/webhooks/${id}`, { events: ['order.*'] });
    const replay = [`/webhooks/${id}/replay`, { from: '2026-01-01T00:00:00Z' }] as const;
    const resend = `/webhooks/${id}/deliveries/1/resend`;
    const orders = await writer('orders:read');
    expect(await orders.post(...replay)).toMatchObject(refused('products:read'));
    expect(await orders.post(resend)).toMatchObject(refused('products:read'));
    const products = await writer('products:read');
    expect(await products.post(...replay)).toMatchObject(refused('orders:read'));
    expect(await products.post(resend)).toMatchObject({ status: 200 });
    await office.store.settled();
    const both: ApiClient = await writer('orders:read', 'products:read');
    expect(await both.post(...replay)).toMatchObject({
      status: 200,
      body: { data: { replayed: 1 } },
    });
    await office.store.settled();
    expect(receiver.at('/again')).toHaveLength(3);
  });

  test('gets a secret only for events that it may read', async () => {
    const { id } = await made(['order.*', 'user.created']);
    const rotate = `/webhooks/${id}/rotate`;
    const missing = refused('users:read');
    expect(await (await writer('orders:read')).post(rotate)).toMatchObject(missing);
    const both = await writer('orders:read', 'users:read');
    expect(await both.post(rotate)).toMatchObject({ status: 200, body: { data: { version: 2 } } });
  });

  test('tests any webhook, since a test contains no data of the store', async () => {
    const { id } = await made(['*']);
    expect(await (await writer()).post(`/webhooks/${id}/test`)).toMatchObject({ status: 200 });
  });

  test('learns nothing by guessing a version: the missing scope is reported first', async () => {
    const { id } = await made(['user.*']);
    const reply = await (
      await writer()
    ).patch(`/webhooks/${id}`, { url: `${hook}new` }, { headers: { 'if-match': '9' } });
    expect(reply).toMatchObject(refused('users:read'));
  });
});

test('A webhook keeps its version if an update changes nothing', async () => {
  const office = await PostOffice.open(opened.store);
  const { id } = await office.webhook(hook, { name: 'Books', events: ['order.*'] });
  const watcher = await office.webhook(hook, { events: ['webhook.*'] });
  const path = `/webhooks/${id}`;
  const { data } = (await office.api.get(path)).body;
  opened.store.clock.advance(60);
  for (const same of [
    {},
    { name: 'Books' },
    { url: hook, events: ['order.*'], status: 'active' },
  ]) {
    expect((await office.api.patch(path, same)).body.data).toEqual(data);
  }
  expect((await office.api.get(path)).body.data).toEqual(data);
  await office.api.patch(path, { status: 'paused' });
  const paused = (await office.api.patch(path, { status: 'paused' })).body.data;
  expect(paused).toMatchObject({ version: 2, paused_reason: 'manual' });
  expect(await office.outbox(watcher)).toHaveLength(1);
});
