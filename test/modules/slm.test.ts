import { beforeAll, describe, expect, test } from 'vitest';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock } from '../races/queue.ts';

// Requests of plugins that were sold with Software License Manager.

const opened = useStoreFixture();
const secret = '5f3c8a1e9b7d42';
let product: { id: number; slug: string };

beforeAll(async () => {
  const { fixture } = opened;
  Object.assign(await fixture.store.environment, { SLM_SECRET_KEY: secret });
  fixture.store.restart();
  product = await fixture.newProduct({ title: 'Invoice Desk' });
});

const base = 'https://shop.example/slm';

async function bodyOf(request: Request) {
  const response = await opened.fixture.store.fetch(request);
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

const post = (fields: Record<string, string>) =>
  bodyOf(new Request(base, { method: 'POST', body: new URLSearchParams(fields) }));

const get = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  bodyOf(new Request(`${base}?${new URLSearchParams(fields).toString()}`, { headers }));

async function newLicense(fields: object = {}) {
  const { fixture } = opened;
  const { body } = await fixture.api.post('/licenses', {
    product_id: product.id,
    user_id: (await fixture.newUser({ name: 'Dewi' })).id,
    activation_limit: 1,
    ...fields,
  });
  return body.data as { id: number; code: string };
}

const asked = (slm_action: string, license_key: string, fields: Record<string, string> = {}) => ({
  slm_action,
  secret_key: secret,
  license_key,
  registered_domain: 'toko.example',
  item_reference: 'My+First+Plugin',
  ...fields,
});

describe.each([
  ['a form', post],
  ['an address', get],
])('A request that comes as %s', (_, send) => {
  test('activates, checks and deactivates a licence', async () => {
    const { code } = await newLicense({ expires_at: '2099-06-30T23:59:59Z' });
    expect(await send(asked('slm_check', code))).toMatchObject({
      result: 'success',
      status: 'pending',
      registered_domains: [],
    });
    expect((await send(asked('slm_activate', code)))['result']).toBe('success');
    expect(await send(asked('slm_check', code))).toMatchObject({
      result: 'success',
      license_key: code,
      status: 'active',
      max_allowed_domains: '1',
      registered_domains: [{ lic_key: code, registered_domain: 'toko.example' }],
      date_expiry: '2099-06-30',
      product_ref: String(product.id),
      email: '',
      first_name: '',
    });
    expect((await send(asked('slm_deactivate', code)))['result']).toBe('success');
    expect(await send(asked('slm_deactivate', code))).toMatchObject({
      result: 'error',
      error_code: 80,
    });
  });

  test('takes one seat for a domain, and none if all are taken', async () => {
    const { id, code } = await newLicense({ activation_limit: 2 });
    const activate = async (registered_domain: string) =>
      (await send(asked('slm_activate', code, { registered_domain })))['error_code'] ?? 0;
    expect(await activate('one.example')).toBe(0);
    expect(await activate('one.example')).toBe(40);
    expect(await activate('two.example')).toBe(0);
    expect(await activate('two.example')).toBe(110);
    expect(await activate('three.example')).toBe(50);
    expect(await activate('')).toBe(70);
    const { body } = await opened.fixture.api.get(`/licenses/${id}`);
    expect(body.data.activation_count).toBe(2);
  });

  test.each([
    [{ expires_at: '2020-01-31T23:59:59Z' }, 'expired', 30],
    [{ status: 'inactive' }, 'blocked', 20],
  ])('says that a licence with %o is %s', async (fields, status, error_code) => {
    const { code } = await newLicense(fields);
    expect(await send(asked('slm_check', code))).toMatchObject({ result: 'success', status });
    expect(await send(asked('slm_activate', code))).toMatchObject({ result: 'error', error_code });
  });

  test('reports an unknown licence', async () => {
    for (const action of ['slm_check', 'slm_activate']) {
      const body = await send(asked(action, 'nothing'));
      expect(body).toMatchObject({ result: 'error', error_code: 60 });
    }
  });
});

test('a licence is valid for its item, if that is a product', async () => {
  const { code } = await newLicense();
  const other = await opened.fixture.newProduct({ title: 'Another' });
  const check = async (item_reference: string) =>
    (await post(asked('slm_check', code, { item_reference })))['result'];
  expect(await check(product.slug)).toBe('success');
  expect(await check(String(product.id))).toBe('success');
  expect(await check('')).toBe('success');
  expect(await check(other.slug)).toBe('error');
  expect(await check(String(other.id))).toBe('error');
  expect(await check('20240131')).toBe('success');
});

describe('software finds its own domain among the registered domains', () => {
  const registered = async (code: string, registered_domain: string, agent: string) =>
    (await get(asked('slm_check', code, { registered_domain }), { 'user-agent': agent }))[
      'registered_domains'
    ];

  test('spelled as it was in the request', async () => {
    const { code } = await newLicense();
    await post(asked('slm_activate', code, { registered_domain: 'www.toko.example' }));
    for (const domain of ['www.toko.example', 'toko.example', 'https://Toko.example/']) {
      const entry = { lic_key: code, registered_domain: domain };
      expect(await registered(code, domain, '')).toEqual([entry]);
    }
  });

  test('spelled as WordPress does, if the request names no domain', async () => {
    const { code } = await newLicense();
    await post(asked('slm_activate', code, { registered_domain: 'www.toko.example' }));
    const entry = { lic_key: code, registered_domain: 'www.toko.example' };
    expect(await registered(code, '', 'WordPress/6.4; https://www.toko.example/blog')).toEqual([
      entry,
    ]);
    for (const agent of ['', 'WordPress/6.4; https://other.example', 'Mozilla/5.0 (X11; Linux)'])
      expect(await registered(code, '', agent)).toEqual([]);
  });
});

test('an answer never names the other domains of a licence', async () => {
  const { code } = await newLicense();
  await post(asked('slm_activate', code));
  const elsewhere = asked('slm_check', code, { registered_domain: 'other.example' });
  expect(JSON.stringify(await post(elsewhere))).not.toContain('toko.example');
});

test('domains that ask for the last seat at once do not both get it', async () => {
  const { fixture } = opened;
  const { id, code } = await newLicense();
  const replies = await behindLock(
    fixture.store,
    `select from licenses where id = ${id} for update`,
    [1, 2, 3].map(
      (n) => () => post(asked('slm_activate', code, { registered_domain: `site-${n}.example` })),
    ),
  );
  expect(replies.map((body) => String(body['error_code'])).sort()).toEqual([
    '50',
    '50',
    'undefined',
  ]);
  expect((await fixture.api.get(`/licenses/${id}`)).body.data.activation_count).toBe(1);
});

test('the module refuses every request without its secret', async () => {
  const { store } = opened.fixture;
  const { code } = await newLicense();
  const wrong = { result: 'error', error_code: 90 };
  expect(await post(asked('slm_check', code, { secret_key: 'wrong' }))).toMatchObject(wrong);
  delete (await store.environment)['SLM_SECRET_KEY'];
  store.restart();
  for (const secret_key of [secret, '', 'undefined']) {
    expect(await post(asked('slm_check', code, { secret_key }))).toMatchObject(wrong);
  }
});
