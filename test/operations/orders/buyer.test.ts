import { expect, test } from 'vitest';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { transaction, untilWaiting } from '../../races/queue.ts';

const opened = useStoreFixture();

const start = async () => {
  const { fixture } = opened;
  const product = await fixture.newProduct({ price: 1000, affiliate: { enabled: true } });
  const count = async (table: 'users' | 'orders') => {
    const { rows } = await fixture.store.database.query<{ count: string }>(
      `select count(*) from ${table}`,
    );
    return Number(rows[0]?.count);
  };
  const narrow = await fixture.store.key('orders:write');
  const order = (body: object, options = {}) =>
    narrow.post('/orders', { product_id: product.id, ...body }, options);
  return { fixture, count, order };
};

/**
 * Makes ten calls while another transaction creates the user with the address, and rolls that back once all ten wait
 * for it.
 */
async function besideAnother<T>(email: string, call: () => Promise<T>): Promise<T[]> {
  const { store } = opened.fixture;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const inserted = Promise.withResolvers<void>();
  const other = transaction(store, async (client) => {
    await client.query(
      `insert into users (id, email, display_name, roles, created_at, updated_at)
        values (nextval('users_id_seq'), $1, 'Another', '{member}', now(), now())`,
      [email],
    );
    inserted.resolve();
    await held;
    return false;
  })();
  await inserted.promise;
  const calls = Array.from({ length: 10 }, call);
  await untilWaiting(store, calls.length);
  release();
  await other;
  return Promise.all(calls);
}

test('An order for an unknown buyer creates the user, in two trips, with a key that writes orders only', async () => {
  const { fixture, order } = await start();
  const { body: hook } = await fixture.api.post('/webhooks', {
    name: 'Feed',
    url: 'https://hooks.example.com/',
    events: ['user.created', 'order.created'],
  });
  const feed = async () => {
    const { rows } = await fixture.store.database.query<{ event: string; object_id: string }>(
      'select event, object_id from outbox where webhook_id = $1 order by id',
      [hook.data.id],
    );
    return rows.map(({ event, object_id }) => [event, Number(object_id)]);
  };
  const buyer = { email: 'Budi.S@Example.com', name: 'Budi Santoso', phone: '+62 812 5550 100' };
  const { status, body, headers } = await order({ buyer });
  expect(status).toBe(201);
  expect(headers.get('server-timing')).toContain('desc="2');
  expect((await feed()).slice(-2)).toEqual([
    ['user.created', body.data.user_id],
    ['order.created', body.data.id],
  ]);
  expect(body.data.user).toMatchObject({
    display_name: 'Budi Santoso',
    email: 'budi.s@example.com',
  });
  const { body: found } = await fixture.api.get(`/users/${body.data.user_id}`);
  expect(found.data).toMatchObject({
    email: 'budi.s@example.com',
    phone: '+62 812 5550 100',
    roles: ['member'],
    version: 1,
  });
});

test('An order for a known address counts for its user, and does not change the user', async () => {
  const { fixture, count, order } = await start();
  const sponsor = await fixture.newAffiliate();
  const user = await fixture.newUser({ display_name: 'Bo', affiliate_id: sponsor.id });
  const users = await count('users');
  const { status, body } = await order({
    buyer: { email: user.email.toUpperCase(), name: 'Somebody Else', phone: '1' },
  });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ user_id: user.id, affiliate_id: sponsor.id });
  expect(await count('users')).toBe(users);
  const { body: after } = await fixture.api.get(`/users/${user.id}`);
  expect(after.data).toMatchObject({ display_name: 'Bo', phone: user.phone, version: 1 });
});

test('An order without a buyer, with two, or with one who cannot be written to is refused, and nothing is written', async () => {
  const { fixture, count, order } = await start();
  const user = await fixture.newUser();
  const before = [await count('users'), await count('orders')];
  const missing = await order({});
  expect([missing.status, missing.body.code]).toEqual([400, 'rest_missing_callback_param']);
  expect(Object.keys(missing.body.data.params)).toEqual(['user_id']);
  const both = await order({ user_id: user.id, buyer: { email: 'x@example.com' } });
  expect([both.status, both.body.code]).toEqual([400, 'rest_invalid_param']);
  expect(Object.keys(both.body.data.params)).toEqual(['buyer']);
  for (const buyer of [{}, { name: 'Budi' }, { email: 'nobody' }, 'x@example.com', null]) {
    const refused = await order({ buyer });
    expect(refused.status, JSON.stringify(buyer)).toBe(400);
  }
  const unknown = await order({ buyer: { email: 'new@example.com' }, affiliate_id: 999_999 });
  expect(unknown.status).toBe(404);
  expect([await count('users'), await count('orders')]).toEqual(before);
});

test('A repeat under one Idempotency-Key creates one user and one order', async () => {
  const { count, order } = await start();
  const before = [await count('users'), await count('orders')];
  const place = () =>
    order(
      { buyer: { email: 'again@example.com' } },
      { headers: { 'idempotency-key': 'buyer-again' } },
    );
  const [first, second] = [await place(), await place()];
  expect(first.status).toBe(201);
  expect(second.body).toEqual(first.body);
  expect([await count('users'), await count('orders')]).toEqual(before.map((n) => n + 1));
});

test('Ten parallel orders of one new buyer create one user', async () => {
  const { count, order } = await start();
  const users = await count('users');
  const email = 'ten@example.com';
  const replies = await besideAnother(email, () => order({ buyer: { email } }));
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(201));
  expect(new Set(replies.map(({ body }) => body.data.user_id)).size).toBe(1);
  expect(await count('users')).toBe(users + 1);
});

test('Control: of ten callers who create the user themselves, all but one are refused', async () => {
  const { fixture } = await start();
  const replies = await besideAnother('control@example.com', () =>
    fixture.api.post('/users', { email: 'control@example.com' }),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
});
