import { beforeAll, describe, expect, test } from 'vitest';
import { ConsoleLinks } from '../../../src/cli/console-links.ts';
import { type ApiClient, fromConsole } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();
let person: Awaited<ReturnType<typeof opened.fixture.newAdministrator>>;
let client: ApiClient;

beforeAll(async () => {
  person = await opened.fixture.newAdministrator();
  client = opened.fixture.store.client(
    fromConsole(await opened.fixture.store.consoleSession(person.id)),
  );
});

async function entries(query: Record<string, string | number>) {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const reply = await opened.fixture.api.get(`/audit?${search.toString()}`);
  expect(reply).toMatchObject({ status: 200, trips: 1 });
  return reply.body.data;
}

describe('A change', () => {
  test('in the console leaves an entry with its author, the record before and the record after', async () => {
    const product = await opened.fixture.newProduct({ price: 100 });
    const reply = await client.patch(`//console/api/v1/products/${product.id}`, { price: 200 });
    expect(reply).toMatchObject({ status: 200, trips: 2 });
    expect(await entries({ subject_type: 'products', subject_id: product.id })).toMatchObject([
      {
        actor_type: 'user',
        actor_id: person.id,
        actor_name: person.display_name,
        operation: 'products.update',
        before: { price: 100 },
        after: { price: 200 },
        request_id: reply.headers.get('x-request-id'),
      },
      // The key that made the product.
      { actor_type: 'key', actor_name: 'test', operation: 'products.create', before: null },
    ]);
  });

  test('by an API key leaves an entry, unless it is everyday traffic', async () => {
    const { fixture } = opened;
    const product = await fixture.newProduct();
    const order = await fixture.newOrder({ product_id: product.id });
    await fixture.api.patch(`/orders/${order.id}`, { status: 'in-progress' });
    expect(await entries({ subject_type: 'orders', subject_id: order.id })).toMatchObject([
      {
        operation: 'orders.update',
        subject_number: order.number,
        before: { status: 'on-hold' },
        after: { status: 'in-progress' },
      },
    ]);
    const [created] = await entries({ subject_type: 'products', subject_id: product.id });
    expect(created).toMatchObject({ subject_number: null });
    expect(await entries({ operation: 'orders.create' })).toEqual([]);
    expect(await entries({ operation: 'users.create' })).toEqual([]);
  });

  test('leaves an entry that names its record; only callers who may read users see the names of people', async () => {
    const { fixture } = opened;
    const product = await fixture.newProduct({ title: 'Rye Bread', price: 100 });
    const user = await fixture.newUser({ display_name: 'Sari Dewi' });
    const order = await fixture.newOrder({ product_id: product.id, user_id: user.id });
    await fixture.api.patch(`/orders/${order.id}`, { status: 'completed' });
    await fixture.api.patch(`/products/${product.id}`, { price: 200 });
    await fixture.api.patch(`/users/${user.id}`, { language: 'id' });
    await fixture.api.post(`/orders/${order.id}/refunds`, { amount: 10 });
    const role = await client.post('//console/api/v1/staff-roles', {
      ...{ name: 'Night shift', scopes: ['orders:read'] },
    });
    expect(role.status).toBe(201);
    const coupon = await fixture.api.post('/coupons', { code: 'HEMAT5' });
    expect(coupon.status).toBe(201);
    const nameOf = async (operation: string) => (await entries({ operation }))[0]?.subject_name;
    expect(await nameOf('products.update')).toBe('Rye Bread');
    expect(await nameOf('orders.update')).toBe(order.number);
    expect(await nameOf('refunds.create')).toBe(order.number);
    expect(await nameOf('users.update')).toBe('Sari Dewi');
    expect(await nameOf('staffRoles.create')).toBe('Night shift');
    expect(await nameOf('coupons.create')).toBe('HEMAT5');
    const reader = await fixture.store.key('audit:read');
    const { body } = await reader.get('/audit?operation=users.update');
    expect(body.data[0]).toMatchObject({ subject_id: String(user.id), subject_name: null });
  });

  test('by the session of an administrator leaves an entry', async () => {
    await person.session.patch('/me/settings', { store_name: 'Another name' });
    expect(await entries({ operation: 'me.settings.update' })).toMatchObject([
      { actor_id: person.id, subject_type: 'settings', after: { store_name: 'Another name' } },
    ]);
  });

  test('by a member in their own name leaves no entry', async () => {
    const { fixture } = opened;
    const member = await fixture.newUser();
    const session = await fixture.store.session(member.id);
    await session.patch('/me/profile', { first_name: 'Somebody' });
    expect(await entries({ actor_type: 'user', actor_id: member.id })).toEqual([]);
  });

  test('of a user leaves an entry that names the personal fields and hides their values', async () => {
    const { fixture } = opened;
    const user = await fixture.newUser({ phone: '+62811000111' });
    await fixture.api.patch(`/users/${user.id}`, { phone: '+62811000222', language: 'id' });
    const [entry] = await entries({ subject_type: 'users', subject_id: user.id });
    expect(entry).toMatchObject({
      before: { phone: '[personal]', language: null },
      after: { phone: '[personal]', language: 'id' },
    });
  });

  test('whose answer shows a secret leaves an entry without it', async () => {
    const { fixture } = opened;
    const webhook = await fixture.api.post('/webhooks', {
      name: 'Hook',
      url: 'https://hook.example/in',
      events: ['order.created'],
    });
    const { id, secret } = webhook.body.data;
    await client.post(`//console/api/v1/webhooks/${id}/rotate`);
    const found = await entries({ subject_type: 'webhooks', subject_id: id });
    expect(found).toMatchObject([
      { operation: 'webhooks.rotate', before: null, after: null },
      { operation: 'webhooks.create', before: null, after: null },
    ]);
    expect(JSON.stringify(found)).not.toContain(secret);
  });

  test('leaves an entry about its own record, whatever else its answer shows', async () => {
    const { fixture } = opened;
    const { id } = await fixture.newOrder({
      product_id: (await fixture.newProduct({ price: 100 })).id,
    });
    const proof = await client.post(`//console/api/v1/orders/${id}/confirmations`, { total: 100 });
    expect(proof.status).toBe(201);
    await fixture.api.patch(`/orders/${id}`, { status: 'completed' });
    const refund = await client.post(`//console/api/v1/orders/${id}/refunds`, { amount: 10 });
    expect(refund.status).toBe(201);
    const found = await entries({ actor_type: 'user', actor_id: person.id });
    expect(found.slice(0, 2)).toMatchObject([
      { subject_type: 'refunds', subject_id: String(refund.body.data.refund.id) },
      { operation: 'orders.confirm', subject_type: 'orders', subject_id: String(id) },
    ]);
  });

  test('of an API key is shown in full to callers who may read keys, and without its fields to others', async () => {
    const { fixture } = opened;
    const made = { name: 'Books', scopes: ['orders:read'] };
    const { id } = (await client.post('//console/api/v1/keys', made)).body.data;
    await client.patch(`//console/api/v1/keys/${id}`, { ip_allow: ['203.0.113.7'] });
    const manager = await fixture.newStaff();
    const theirs = fromConsole(await fixture.store.consoleSession(manager.id));
    const ofKey = (path: string) => `${path}?operation=keys.update&subject_id=${id}`;
    const told = { actor_id: person.id, subject_id: String(id) };
    for (const [reader, path, changed] of [
      [client, '//console/api/v1/audit', { ip_allow: ['203.0.113.7/32'] }],
      [fixture.store.client(theirs), '//console/api/v1/audit', null],
      [fixture.api, '/audit', null],
    ] as const) {
      const { body } = await reader.get(ofKey(path));
      expect(body.data).toMatchObject([{ ...told, after: changed }]);
    }
  });

  test('that changes nothing, or is refused, leaves no entry', async () => {
    const { fixture } = opened;
    const product = await fixture.newProduct({ price: 100 });
    await client.patch(`//console/api/v1/products/${product.id}`, { price: 100 });
    await client.patch(`//console/api/v1/products/${product.id}`, { price: -1 });
    const found = await entries({ subject_type: 'products', subject_id: product.id });
    expect(found).toHaveLength(1);
  });

  test('that is repeated under its Idempotency-Key leaves one entry', async () => {
    const product = await opened.fixture.newProduct({ price: 100 });
    const change = () =>
      client.patch(
        `//console/api/v1/products/${product.id}`,
        { price: 300 },
        { headers: { 'idempotency-key': 'a-price' } },
      );
    await Promise.all([change(), change(), change()]);
    const found = await entries({
      operation: 'products.update',
      subject_id: product.id,
      subject_type: 'products',
    });
    expect(found).toHaveLength(1);
  });
});

describe('A sign-in', () => {
  test('to the console leaves an entry with the user, the country and the browser', async () => {
    const { store } = opened.fixture;
    const { API_KEY_PEPPERS = '' } = await store.environment;
    const links = new ConsoleLinks(store.database, API_KEY_PEPPERS);
    const link = await links.create(person.email, 'https://shop.example', store.clock.now());
    const [, secret = ''] = (link ?? '').split('#link=');
    const reply = await store
      .client({ ...fromConsole(), 'cf-ipcountry': 'ID', 'user-agent': 'A browser' })
      .post('//console/api/session', { link: secret });
    expect(reply).toMatchObject({ status: 201, trips: 2 });
    expect(await entries({ subject_type: 'console' })).toMatchObject([
      {
        actor_type: 'user',
        actor_id: person.id,
        actor_name: person.display_name,
        operation: 'console.session.create',
        subject_id: `${reply.body.data.session_id}`,
        before: null,
        after: { country: 'ID', user_agent: 'A browser' },
        request_id: reply.headers.get('x-request-id'),
      },
    ]);
    expect(await entries({ operation: 'console.links.create' })).toMatchObject([
      { actor_type: 'system', actor_id: null, subject_type: 'users', subject_id: `${person.id}` },
    ]);
  });

  test('to the console that is refused leaves no entry', async () => {
    const before = await entries({ operation: 'console.session.create' });
    const client = opened.fixture.store.client(fromConsole());
    expect((await client.post('//console/api/session', { link: 'svclink_x' })).status).toBe(401);
    expect(await entries({ operation: 'console.session.create' })).toEqual(before);
  });

  test('by a session that a key issues leaves an entry for an administrator, and none for a member', async () => {
    const { api, newUser, keyId } = opened.fixture;
    const member = await newUser();
    expect(await api.post('/sessions', { user_id: member.id })).toMatchObject({ trips: 1 });
    const reply = await api.post('/sessions', { user_id: person.id });
    expect(reply).toMatchObject({ status: 200, trips: 2 });
    expect(await entries({ operation: 'sessions.create' })).toMatchObject([
      {
        actor_type: 'key',
        actor_id: keyId,
        subject_type: 'sessions',
        subject_id: reply.body.data.sid,
        after: { user_id: person.id },
      },
    ]);
  });
});

test('The log is read in pages by cursor, newest first', async () => {
  const { fixture } = opened;
  for (let n = 0; n < 5; n++) await fixture.newProduct({ title: `Course ${n}` });
  const first = await fixture.api.get('/audit?operation=products.create&per_page=3');
  const ids = first.body.data.map(({ id }: { id: number }) => id);
  expect(ids).toEqual([...ids].sort((one: number, other: number) => other - one));
  const { next_cursor } = first.body.meta;
  const next = await fixture.api.get(
    `/audit?operation=products.create&per_page=3&cursor=${next_cursor}`,
  );
  expect(next.body.data[0].id).toBeLessThan(ids.at(-1));
});
