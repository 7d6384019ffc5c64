import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { long } from '../harness/long.ts';
import { fromConsole } from '../harness/client.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { recordsOf } from './csv.ts';

const stage = useStoreFixture();
const people = 2300;
let key: { authorization: string };

beforeAll(async () => {
  const { store } = stage.fixture;
  const { token } = await store.createKey({ scopes: ['users:read', 'products:read'] });
  key = { authorization: `Bearer ${token}` };
  await store.database.query(
    `insert into users (email, display_name, roles, phone, created_at, updated_at)
     select n || '@people.example', '=cmd' || n, array[case n % 2 when 0 then 'member' else 'affiliate' end],
            '+62812' || n, $1, $1 from generate_series(1, $2::int) n`,
    [store.clock.now(), people],
  );
});

/** Sends a request without the test client, which reads whole answers. */
const ask = (path: string, headers: Record<string, string> = key, method = 'GET') =>
  stage.fixture.store.fetch(
    new Request(`https://shop.example/api/svc/v1${path}`, { method, headers }),
  );

const trips = () => stage.fixture.store.neon.trips.total;

async function opened(path: string, headers?: Record<string, string>) {
  const response = await ask(path, headers);
  const id = response.headers.get('x-request-id');
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  return {
    reader,
    lines: () => stage.fixture.store.logs.filter((line) => line['request_id'] === id),
  };
}

long(
  'A tree is exported over several pages, with the requested tiers and with whole records',
  async () => {
    const { store } = stage.fixture;
    const { rows } = await store.database.query<{ id: string }>('select max(id) as id from users');
    // All users are below the last one, and the first is a tier deeper.
    await store.database.query(
      `update users set affiliate_id = $1::bigint - case when id = (select min(id) from users) then 1 else 0 end
      where id <> $1`,
      [rows[0]?.id],
    );
    const path = `/users/${rows[0]?.id}/downlines`;
    const all = recordsOf(await (await ask(`${path}.csv`)).text());
    const list = (await (await ask(`${path}?per_page=1000`)).json()) as { data: { id: number }[] };
    expect(all).toHaveLength(people - 1);
    expect(all.at(-1)?.['tier']).toBe('2');
    expect(all.slice(0, 1000).map(({ id }) => Number(id))).toEqual(list.data.map(({ id }) => id));
    const lines = (await (await ask(`${path}.ndjson?limit=1`)).text()).trimEnd().split('\n');
    expect(lines).toHaveLength(people - 2);
    for (const query of ['return=id', 'per_page=5', 'cursor=x', 'page=2'])
      expect((await ask(`${path}.csv?${query}`)).status, query).toBe(400);
    await store.database.query('update users set affiliate_id = null');
  },
);

describe('A list as a file', () => {
  test('has all records, over several pages', async () => {
    const response = await ask('/users.csv?role=member&sort=id');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=UTF-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="users.csv"');
    const records = recordsOf(await response.text());
    expect(records).toHaveLength(people / 2);
    expect(records.map(({ display_name }) => display_name)).toEqual(
      Array.from({ length: people / 2 }, (_, n) => `=cmd${2 * n + 2}`),
    );
    const lines = (await (await ask('/users.ndjson')).text()).trimEnd().split('\n');
    expect(lines).toHaveLength(people);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ email: `${people}@people.example` });
  });

  test('runs no formula that is in it', async () => {
    const text = await (await ask('/users.csv?search=7@people.example')).text();
    expect(text).toContain(",'=cmd");
    expect(text).toContain(",'+62812");
    expect(text).not.toMatch(/,"?[=+]/);
  });

  test('of a list without records still has its columns', async () => {
    const empty = await (await ask('/users.csv?search=nobody-has-this')).text();
    const one = await (await ask('/users.csv?search=7@people.example')).text();
    expect(empty).toBe(`${one.split('\r\n')[0]}\r\n`);
    expect(empty).toMatch(/^id,/);
    expect(await (await ask('/users.ndjson?search=nobody-has-this')).text()).toBe('');
  });

  test('is requested by the Accept header, the preferred type first', async () => {
    const typeFor = async (accept: string) =>
      (await ask('/products', { ...key, accept })).headers.get('content-type')?.split(';')[0];
    expect(await typeFor('text/csv')).toBe('text/csv');
    expect(await typeFor('text/csv;q=0.5, application/x-ndjson')).toBe('application/x-ndjson');
    expect(await typeFor('application/json, text/csv;q=0.9')).toBe('application/json');
    expect(await typeFor('text/html, */*;q=0.8')).toBe('application/json');
    expect(await typeFor('text/csv, */*;q=0.8')).toBe('text/csv');
    expect(await typeFor('*/*, text/csv;q=0.1')).toBe('application/json');
    expect(await typeFor('*/*, text/csv;q=0')).toBe('application/json');
  });

  test('sends Vary if the Accept header decides the format', async () => {
    const variesOf = async (path: string, headers = {}) =>
      (await ask(path, { ...key, ...headers })).headers.get('vary');
    expect(await variesOf('/products')).toBe('Accept');
    expect(await variesOf('/products', { accept: 'text/csv' })).toBe('Accept');
    expect(await variesOf('/products.csv')).toBeNull();
    expect(await variesOf('/products/1')).toBeNull();
  });

  test('is read a page at a time, each when the one before was taken', async () => {
    const before = trips();
    const { reader, lines } = await opened('/users.ndjson');
    for (const page of [1, 2, 3]) {
      await reader.read();
      expect(trips() - before).toBe(page);
    }
    expect(lines()).toEqual([]);
    expect(await reader.read()).toMatchObject({ done: true });
    expect(lines()).toMatchObject([{ level: 'info', status: 200, trips: 3 }]);
  });

  test('is read no further when its reader disconnects', async () => {
    const before = trips();
    const { reader, lines } = await opened('/users.csv');
    await reader.read();
    await reader.cancel();
    expect(lines()).toMatchObject([{ level: 'info', trips: 1 }]);
    expect(trips() - before).toBe(1);
  });

  long('of large records is read in smaller pages', async () => {
    const { fixture } = stage;
    const { id } = await fixture.newProduct();
    await fixture.store.database.query(
      `insert into products
       select (jsonb_populate_record(p, jsonb_build_object('id', 100000 + n, 'slug', 'copy-' || n,
         'meta', jsonb_build_object('long', repeat('x', 90000))))).*
         from products p, generate_series(1, 150) n where p.id = $1`,
      [id],
    );
    const text = await (await ask('/products.ndjson')).text();
    expect(text.trimEnd().split('\n')).toHaveLength(151);
  });

  test('answers HEAD with its headers alone', async () => {
    const response = await ask('/users.csv', key, 'HEAD');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=UTF-8');
    expect(await response.text()).toBe('');
    const id = response.headers.get('x-request-id');
    const lines = stage.fixture.store.logs.filter((line) => line['request_id'] === id);
    expect(lines).toMatchObject([{ method: 'HEAD', status: 200 }]);
  });
});

describe('a refusal before a file begins is answered as JSON', () => {
  test.each([
    ['/users.csv', {}, 401, 'rest_forbidden'],
    ['/orders.csv', undefined, 403, 'rest_forbidden'],
    ['/users.csv?role=king', undefined, 400, 'rest_invalid_param'],
    ['/webhooks.xml', undefined, 404, 'rest_no_route'],
    ['/users/1.csv', undefined, 404, 'rest_no_route'],
  ])('%s', async (path, headers, status, code) => {
    const response = await ask(path, headers);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8');
    expect(await response.json()).toMatchObject({ code, data: { status } });
  });

  test.each([
    ...['page=2', 'page=', 'per_page=10', 'cursor=aWQ6MQ'],
    ...['limit=10', 'offset=0', 'statsu=active&limit=10'],
  ])('%s asks for a range', async (part) => {
    const response = await ask(`/users.csv?${part}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'rest_invalid_param',
      data: {
        params: {
          [part.match(/\w+(?==[^&]*$)/)?.[0] ?? '']:
            'does not apply to a file, which has the whole list',
        },
      },
    });
  });

  test('an unknown filter', async () => {
    for (const [path, accept] of [
      ['/users.csv?role=member&rloe=member', '*/*'],
      ['/users?rloe=member', 'application/x-ndjson'],
    ] as const) {
      const response = await ask(path, { ...key, accept });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: 'rest_invalid_param',
        data: { params: { rloe: 'is not a parameter of this list' } },
      });
    }
  });

  test('an unreachable database', async () => {
    const { neon } = stage.fixture.store;
    neon.faults.next({ sqlState: '57P03', match: () => true });
    const response = await ask('/users.csv');
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'rest_unavailable' });
  });
});

describe('an incomplete file is cut off', () => {
  test('if the database fails, and the log says why', async () => {
    const { neon } = stage.fixture.store;
    const { reader, lines } = await opened('/users.csv');
    await reader.read();
    neon.faults.next({ sqlState: '57P03', match: () => true });
    await expect(reader.read()).rejects.toThrow();
    expect(lines()).toMatchObject([{ level: 'error', status: 200, sqlstate: '57P03' }]);
  });

  test('if its request has no calls left, after 11 pages of 1,000 records and a note of its key', async () => {
    const { store } = stage.fixture;
    const environment = await store.environment;
    environment['SUBREQUESTS'] = '12';
    store.restart();
    onTestFinished(() => {
      delete environment['SUBREQUESTS'];
      store.restart();
    });
    await store.database.query(
      `insert into message_suppressions (medium, address, reason, created_at)
       select 'email', n || '@people.example', 'bounced', $1 from generate_series(1, 12500) n`,
      [store.clock.now()],
    );
    const { token } = await store.createKey({ scopes: ['messages:read'] });
    const { reader, lines } = await opened('/message-suppressions.ndjson', { 'x-svc-key': token });
    for (let pages = 0; pages < 11; pages++) expect((await reader.read()).done).toBe(false);
    await expect(reader.read()).rejects.toThrow();
    expect(lines()).toMatchObject([{ level: 'error', status: 200, cause: 'BudgetSpent' }]);
  });

  test('if the key is revoked', async () => {
    const { store } = stage.fixture;
    const { id, token } = await store.createKey({ scopes: ['users:read'] });
    const { reader } = await opened('/users.csv', { 'x-svc-key': token });
    await reader.read();
    await store.database.query('update api_keys set revoked_at = $2 where id = $1', [
      id,
      store.clock.now(),
    ]);
    await expect(reader.read()).rejects.toThrow();
  });
});

test('users can download files of their own records, and no others', async () => {
  const { fixture } = stage;
  const product = await fixture.newProduct();
  const [one, other] = [await fixture.newUser(), await fixture.newUser()];
  const order = await fixture.newOrder({ product_id: product.id, user_id: one.id });
  await fixture.newOrder({ product_id: product.id, user_id: other.id });
  const session = await fixture.store.session(one.id);
  const { body } = await session.get('/me/orders.csv');
  expect(recordsOf(body).map(({ id }) => id)).toEqual([String(order.id)]);
  expect((await session.get('/me/orders.ndjson?scope=affiliate')).body).toBeUndefined();
});

test("an affiliate's file of orders hides the buyers' addresses, as the list does", async () => {
  const { fixture } = stage;
  const { id: affiliate_id } = await fixture.newAffiliate();
  const options = [{ id: 'reg', courier: 'JNE', cost: 100 }];
  const { id: product_id } = await fixture.newProduct({
    ...{ type: 'physical', affiliate: { enabled: true }, shipping: { active: true, options } },
  });
  const { id: user_id } = await fixture.newUser();
  const shipping = { option_id: 'reg', receiver: 'Ben', phone: '0812-777', address: 'Jl. Dua 5' };
  await fixture.newOrder({ product_id, user_id, affiliate_id, shipping });
  const session = await fixture.store.session(affiliate_id);
  for (const type of ['csv', 'ndjson']) {
    const text = JSON.stringify((await session.get(`/me/orders.${type}?scope=affiliate`)).body);
    expect(text).toContain('JNE');
    expect(text).not.toMatch(/Jl\. Dua|0812-777|Ben/);
  }
});

test('the console can download them too, with its session alone', async () => {
  const { fixture } = stage;
  const { id } = await fixture.newAdministrator();
  const cookie = await fixture.store.consoleSession(id);
  const path = '//console/api/v1/users.csv?search=7@people.example';
  const file = await fixture.store.client(fromConsole(cookie)).get(path);
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="users.csv"');
  expect((await fixture.store.client(fromConsole()).get(path)).status).toBe(401);
});
