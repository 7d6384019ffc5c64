import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../src/domain/webhook/catalogue.ts';
import type { ApiClient } from '../../harness/client.ts';
import { useStore } from '../../harness/store.ts';
import { PostOffice } from './post-office.ts';

const opened = useStore();

/** Runs writes, and returns their events, which a paused webhook keeps. */
async function eventsOf(write: (api: ApiClient) => Promise<unknown>) {
  const office = await PostOffice.open(opened.store);
  const events = await office.webhook('https://hooks.example.com/', { status: 'paused' });
  await write(office.api);
  await office.api.delete(`/webhooks/${events.id}`);
  const { rows } = await opened.store.database.query<{
    event: keyof typeof catalogue;
    object_id: string;
    data: unknown;
  }>('select event, object_id, data from outbox where webhook_id = $1 order by id', [events.id]);
  for (const { event, data } of rows) {
    expect(catalogue[event].payload.strict().safeParse(data).error).toBeUndefined();
  }
  return rows.map(({ event, object_id }) => `${event} ${object_id}`);
}

/** Leaves out the events of an order's effects. */
const ofOrders = (events: string[]) =>
  events.filter((event) => /^order\.(?!refund-created)/.test(event));

let people = 0;
const newUser = async (api: ApiClient): Promise<number> =>
  (await api.post('/users', { email: `person-${++people}@mail.example` })).body.data.id;
const newProduct = async (api: ApiClient, fields: object = {}): Promise<number> =>
  (await api.post('/products', { title: 'Course', price: 100, ...fields })).body.data.id;

describe('A change raises events', () => {
  test('of users', async () => {
    let id = 0;
    const events = await eventsOf(async (api) => {
      id = await newUser(api);
      await api.patch(`/users/${id}`, { first_name: 'Bo' });
      await api.delete(`/users/${id}`);
    });
    expect(events).toEqual([
      ...[`user.created ${id}`, `user.updated ${id}`],
      ...[`user.state-changed ${id}`, `user.deleted ${id}`],
    ]);
  });

  test('of products', async () => {
    let id = 0;
    const events = await eventsOf(async (api) => {
      id = await newProduct(api);
      await api.patch(`/products/${id}`, { price: 200 });
      await api.delete(`/products/${id}`);
    });
    expect(events).toEqual([
      `product.created ${id}`,
      `product.updated ${id}`,
      `product.deleted ${id}`,
    ]);
  });

  test('of orders: each status by name, beside the general events', async () => {
    const api = await opened.store.key();
    const body = { user_id: await newUser(api), product_id: await newProduct(api) };
    let id = 0;
    const events = await eventsOf(async () => {
      id = (await api.post('/orders', body)).body.data.id;
      await api.patch(`/orders/${id}`, { note: 'Gift' });
      for (const status of ['payment-confirm', 'on-hold', 'in-progress', 'completed', 'refunded']) {
        expect(await api.patch(`/orders/${id}`, { status })).toMatchObject({ status: 200 });
      }
      await api.delete(`/orders/${id}`);
    });
    const moved = (status: string) => ['order.updated', 'order.status-updated', `order.${status}`];
    expect(ofOrders(events)).toEqual(
      [
        'order.created',
        'order.updated',
        ...moved('payment-confirm'),
        'order.updated',
        'order.status-updated',
        ...['in-progress', 'completed', 'refunded'].flatMap(moved),
        'order.deleted',
      ].map((event) => `${event} ${id}`),
    );
  });

  test('of an order that costs nothing, which is completed at once', async () => {
    const api = await opened.store.key();
    const body = { user_id: await newUser(api), product_id: await newProduct(api, { price: 0 }) };
    let id = 0;
    const events = await eventsOf(async () => {
      id = (await api.post('/orders', body)).body.data.id;
    });
    expect(ofOrders(events)).toEqual([`order.created ${id}`, `order.completed ${id}`]);
  });
});

describe('No event is raised', () => {
  test('by a change that was refused, or changed nothing', async () => {
    const api = await opened.store.key();
    const body = { user_id: await newUser(api), product_id: await newProduct(api) };
    const { id } = (await api.post('/orders', body)).body.data;
    const events = await eventsOf(async () => {
      expect(await api.patch(`/orders/${id}`, { status: 'on-hold' })).toMatchObject({
        status: 200,
      });
      expect(await api.patch(`/orders/${id}`, { status: 'refunded' })).toMatchObject({
        status: 409,
      });
      expect(await api.post('/orders', { ...body, user_id: 999 })).toMatchObject({ status: 404 });
    });
    expect(events).toEqual([]);
  });

  test('twice by a request that is repeated with its Idempotency-Key', async () => {
    const api = await opened.store.key();
    const headers = { 'idempotency-key': 'once' };
    const events = await eventsOf(async () => {
      for (const status of [201, 201]) {
        const reply = await api.post('/products', { title: 'Course', price: 1 }, { headers });
        expect(reply.status).toBe(status);
      }
    });
    expect(events).toHaveLength(1);
  });

  test('by a change that was not committed', async () => {
    const api = await opened.store.key();
    const { faults } = opened.store.neon;
    const events = await eventsOf(async () => {
      faults.next({ statement: 'svc_publish_events', cut: 'before commit' });
      const reply = await api.post('/products', { title: 'Never made', price: 1 });
      expect(reply.status).toBe(503);
    });
    expect(events).toEqual([]);
    const { rowCount } = await opened.store.database.query(
      "select from products where title = 'Never made'",
    );
    expect(rowCount).toBe(0);
  });
});

test('An event goes to every webhook that subscribes to it, by name, resource or all, and to no other', async () => {
  const office = await PostOffice.open(opened.store);
  const wanting = (events: string[], status = 'paused') =>
    office.webhook('https://hooks.example.com/', { events, status });
  const webhooks = {
    all: await wanting(['*']),
    resource: await wanting(['product.*', 'product.created']),
    name: await wanting(['user.deleted', 'product.created']),
    other: await wanting(['product.updated', 'order.*']),
    disabled: await wanting(['*'], 'disabled'),
  };
  const deleted = await wanting(['*']);
  await office.api.delete(`/webhooks/${deleted.id}`);
  await office.product();
  const told = await Promise.all(
    Object.entries({ ...webhooks, deleted }).map(async ([name, webhook]) => {
      const rows = await office.outbox(webhook);
      return [name, rows.length] as const;
    }),
  );
  expect(Object.fromEntries(told)).toEqual({
    all: 1,
    resource: 1,
    name: 1,
    other: 0,
    disabled: 0,
    deleted: 0,
  });
  const ids = await Promise.all([webhooks.all, webhooks.name].map((hook) => office.outbox(hook)));
  expect(new Set(ids.flat().map(({ event_id }) => event_id)).size).toBe(1);
});
