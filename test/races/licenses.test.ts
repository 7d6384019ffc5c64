import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { License } from '../../src/domain/license/schemas.ts';
import { crowdOf, long } from '../harness/long.ts';
import type { Reply } from '../harness/client.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock, transaction } from './queue.ts';
import { expectIntegrity } from '../harness/integrity.ts';

const opened = useStoreFixture();

afterAll(() => expectIntegrity(opened.fixture));
let product_id: number;
let user_id: number;

beforeAll(async () => {
  const { fixture } = opened;
  const license = { active: true, count: 3, max_resets: 3 };
  product_id = (await fixture.newProduct({ license })).id;
  user_id = (await fixture.newUser()).id;
});

async function newLicense(): Promise<License> {
  const reply = await opened.fixture.api.post('/licenses', { product_id, user_id });
  return reply.body.data;
}

const lock = ({ id }: License) => `select from licenses where id = ${id} for update`;
const now = async ({ id }: License): Promise<License> =>
  (await opened.fixture.api.get(`/licenses/${id}`)).body.data;
const rows = async ({ id }: License) => {
  const { rowCount } = await opened.fixture.store.database.query(
    'select from license_activations where license_id = $1',
    [id],
  );
  return rowCount;
};

const register = (license: License, string: string) => () =>
  opened.fixture.api.post('/licenses/register', { license: license.code, string });
const callers = <T>(count: number, call: (n: number) => () => Promise<T>) =>
  Array.from({ length: count }, (_, n) => call(n));
const answered = (replies: Reply[], status: number) =>
  replies.filter((reply) => reply.status === status);

const crowd = crowdOf(60);

describe(`${crowd} callers who wait for a lock`, () => {
  test('get the three seats of a licence, and no more', async () => {
    const license = await newLicense();
    const sites = callers(crowd, (n) => register(license, `site-${n}.example`));
    const replies = await behindLock(opened.fixture.store, lock(license), sites);
    expect(answered(replies, 200)).toHaveLength(3);
    const refused = answered(replies, 409);
    expect(refused).toHaveLength(crowd - 3);
    for (const { body } of refused) {
      expect(body).toMatchObject({
        code: 'license_limit_reached',
        data: { activation_limit: 3, activation_count: 3 },
      });
    }
    expect(await now(license)).toMatchObject({ activation_count: 3, remaining: 0 });
    expect(await rows(license)).toBe(3);
  });

  long('would all get a seat if the guard counted the activations', async () => {
    const license = await newLicense();
    const broken = callers(crowd, (n) =>
      transaction(opened.fixture.store, async (client) => {
        const { rowCount } = await client.query(
          `update licenses l set activation_count = activation_count + 1
            where id = $1 and activation_limit > (
              select count(*) from license_activations a where a.license_id = l.id
            )`,
          [license.id],
        );
        if (rowCount === 0) return false;
        await client.query(
          `insert into license_activations
                  (license_id, string, label, meta, seat, first_at, last_seen_at)
           values ($1, $2, '', '{}', true, $3, $3)`,
          [license.id, `site-${n}.example`, opened.fixture.store.clock.now()],
        );
        return true;
      }),
    );
    const results = await behindLock(opened.fixture.store, lock(license), broken);
    expect(results.filter(Boolean).length).toBeGreaterThan(3);
  });
});

const free = (n: number) => `site-${n}.test`;

async function nearlyFull(): Promise<License> {
  const license = await newLicense();
  await opened.fixture.store.database.query(
    `insert into license_activations
            (license_id, string, label, meta, seat, first_at, last_seen_at)
     select $1, 'old-' || n || '.test', '', '{}', false, $2, $2 from generate_series(1, 48) n`,
    [license.id, opened.fixture.store.clock.now()],
  );
  return license;
}

describe('20 callers who wait for a lock', () => {
  test('get the last two development hosts of a licence, and no more', async () => {
    const license = await nearlyFull();
    const sites = callers(20, (n) => register(license, free(n)));
    const replies = await behindLock(opened.fixture.store, lock(license), sites);
    expect(answered(replies, 200)).toHaveLength(2);
    for (const { body } of answered(replies, 409)) {
      expect(body).toMatchObject({
        code: 'license_free_limit_reached',
        data: { free_hosts: 50 },
      });
    }
    expect(await rows(license)).toBe(50);
    expect((await register(license, 'old-1.test')()).status).toBe(200);
    expect((await register(license, 'toko.example')()).status).toBe(200);
  });

  long('would all get one if the guard counted in the waiting statement', async () => {
    const license = await nearlyFull();
    const broken = callers(20, (n) =>
      transaction(opened.fixture.store, async (client) => {
        const { rowCount } = await client.query(
          `update licenses l set activation_count = activation_count
            where id = $1 and 50 > (
              select count(*) from license_activations a where a.license_id = l.id and not a.seat
            )`,
          [license.id],
        );
        if (rowCount === 0) return false;
        await client.query(
          `insert into license_activations
                  (license_id, string, label, meta, seat, first_at, last_seen_at)
           values ($1, $2, '', '{}', false, $3, $3)`,
          [license.id, free(n), opened.fixture.store.clock.now()],
        );
        return true;
      }),
    );
    const results = await behindLock(opened.fixture.store, lock(license), broken);
    expect(results.filter(Boolean).length).toBeGreaterThan(2);
  });
});

long('20 callers who register the same string take one seat, and all succeed', async () => {
  const license = await newLicense();
  const same = callers(20, () => register(license, 'https://www.same.example/'));
  const replies = await behindLock(opened.fixture.store, lock(license), same);
  expect(answered(replies, 200)).toHaveLength(20);
  const ids = new Set(replies.map(({ body }) => body.data.activation.id));
  expect(ids.size).toBe(1);
  expect(await now(license)).toMatchObject({ activation_count: 1, strings: ['same.example'] });
});

test('a seat that several callers release at once is released once', async () => {
  const license = await newLicense();
  for (const string of ['a.example', 'b.example']) await register(license, string)();
  const unregister = () =>
    opened.fixture.api.post('/licenses/unregister', { license: license.code, string: 'a.example' });
  const replies = await behindLock(
    opened.fixture.store,
    lock(license),
    callers(10, () => unregister),
  );
  expect(answered(replies, 200)).toHaveLength(1);
  expect(answered(replies, 404)).toHaveLength(9);
  expect(await now(license)).toMatchObject({ activation_count: 1, strings: ['b.example'] });
});

long('resets, registrations and removals at once leave the count right', async () => {
  const license = await newLicense();
  const { api } = opened.fixture;
  for (const n of [0, 1, 2]) await register(license, `site-${n}.example`)();
  const mixed = callers(30, (n) => {
    const asked = { license: license.code, string: `site-${n % 7}.example` };
    if (n % 3 === 0) return () => api.post('/licenses/unregister', asked);
    if (n % 10 === 1) return () => api.post('/licenses/reset', { license: license.code });
    return register(license, asked.string);
  });
  const replies = await Promise.all(mixed.map((call) => call()));
  for (const { status } of replies) expect([200, 404, 409]).toContain(status);
  const { activation_count, strings } = await now(license);
  expect(activation_count).toBe(strings.length);
  expect(activation_count).toBeLessThanOrEqual(3);
});

test('of 20 resets at once, three succeed', async () => {
  const license = await newLicense();
  await opened.fixture.store.database.query(
    `insert into license_activations
            (license_id, string, label, meta, seat, first_at, last_seen_at)
     select $1, 'n' || n || '.test', '', '{}', false, $2, $2 from generate_series(0, 19) n`,
    [license.id, opened.fixture.store.clock.now()],
  );
  const resets = callers(
    20,
    (n) => () =>
      opened.fixture.api.post('/licenses/reset', { license: license.code, string: `n${n}.test` }),
  );
  const replies = await behindLock(opened.fixture.store, lock(license), resets);
  expect(answered(replies, 200)).toHaveLength(3);
  expect(answered(replies, 409)).toHaveLength(17);
  expect(await now(license)).toMatchObject({ reset_count: 3 });
  expect(await rows(license)).toBe(17);
});

long('an order that several callers complete at once issues its licences once', async () => {
  const { api, store, newOrder } = opened.fixture;
  const order = await newOrder({ product_id, user_id, quantity: 2 });
  const complete = callers(
    20,
    () => () => api.patch(`/orders/${order.id}`, { status: 'completed' }),
  );
  const replies = await behindLock(
    store,
    `select from orders where id = ${order.id} for update`,
    complete,
  );
  expect(replies.filter(({ body }) => body.changed)).toHaveLength(1);
  const { body } = await api.get(`/licenses?order_id=${order.id}`);
  expect(body.data).toHaveLength(2);
});

test('two orders of a chain that are completed at once both add their time', async () => {
  const { api, store, newOrder, newProduct } = opened.fixture;
  const license = { active: true, count: 1, expires_days: 30 };
  const timed = await newProduct({ license });
  const first = await newOrder({ product_id: timed.id, user_id, status: 'completed' });
  const renewals = [1, 2].map(() => newOrder({ product_id: timed.id, user_id }));
  const ids = (await Promise.all(renewals)).map(({ id }) => id);
  await store.database.query('update orders set order_parent_id = $1 where id = any($2)', [
    first.id,
    ids,
  ]);
  const [issued] = (await api.get(`/licenses?order_id=${first.id}`)).body.data;
  const replies = await behindLock(
    store,
    lock(issued),
    ids.map((id) => () => api.patch(`/orders/${id}`, { status: 'completed' })),
  );
  expect(answered(replies, 200)).toHaveLength(2);
  const after = await now(issued);
  expect(after.terms).toHaveLength(3);
  const days = (Date.parse(after.expires_at ?? '') - store.clock.now().getTime()) / 86_400_000;
  expect(days).toBe(90);
});

test('an update by hand keeps the seats that are taken meanwhile', async () => {
  const license = await newLicense();
  const { api, store } = opened.fixture;
  const held = store.neon.faults.next({ statement: '"licenses"."id" = $1', hold: true });
  const update = api.post(`/licenses/${license.id}`, { note: 'Checked.' });
  await held.reached;
  expect((await register(license, 'a.example')()).status).toBe(200);
  held.release();
  expect((await update).status).toBe(200);
  expect(await now(license)).toMatchObject({ note: 'Checked.', activation_count: 1 });
});

test("a licence that is turned off meanwhile can't be registered", async () => {
  const license = await newLicense();
  const { api, store } = opened.fixture;
  const held = store.neon.faults.next({ statement: 'nextval($1)', hold: true });
  const registering = register(license, 'a.example')();
  await held.reached;
  await api.post(`/licenses/${license.id}`, { status: 'inactive' });
  held.release();
  expect((await registering).body).toMatchObject({ valid: false, code: 'INACTIVE' });
  expect(await rows(license)).toBe(0);
});
