import { beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock } from '../races/queue.ts';

// Requests of plugins that were sold by Easy Digital Downloads, in WordPress's forms and addresses.

const opened = useStoreFixture();
let product: { id: number; title: string };

beforeAll(async () => {
  product = await opened.fixture.newProduct({ title: 'Invoice Desk & Co' });
});

const base = 'https://shop.example/edd-sl';

async function answerOf(request: Request) {
  const response = await opened.fixture.store.fetch(request);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Sends a POST like `wp_remote_post`. */
const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  answerOf(new Request(base, { method: 'POST', body: new URLSearchParams(fields), headers }));

/** Sends a GET like `wp_remote_get`. */
const get = (fields: Record<string, string>) =>
  answerOf(new Request(`${base}?${new URLSearchParams(fields).toString()}`));

async function newLicense(fields: object = {}) {
  const { fixture } = opened;
  const user = await fixture.newUser({ name: 'Dewi' });
  const { body } = await fixture.api.post('/licenses', {
    product_id: product.id,
    user_id: user.id,
    activation_limit: 1,
    ...fields,
  });
  return body.data as { id: number; code: string };
}

const asked = (edd_action: string, license: string, fields: Record<string, string> = {}) => ({
  edd_action,
  license,
  item_id: String(product.id),
  url: 'https://toko.example',
  ...fields,
});

const ended = { expires_at: '2020-01-31T23:59:59Z' };

describe.each([
  ['a form', post],
  ['an address', get],
])('A request that comes as %s', (_, send) => {
  test('activates, checks and deactivates a licence', async () => {
    const { code } = await newLicense({ expires_at: '2099-06-30T23:59:59Z' });
    const shown = {
      item_id: product.id,
      item_name: product.title,
      expires: '2099-06-30 23:59:59',
      payment_id: 0,
      customer_name: '',
      customer_email: '',
      license_limit: 1,
      price_id: false,
    };
    const free = { ...shown, site_count: 0, activations_left: 1 };
    const taken = { ...shown, site_count: 1, activations_left: 0 };
    const said = async (action: string) => {
      const { status, body } = await send(asked(action, code));
      expect(status).toBe(200);
      return body;
    };
    expect(await said('check_license')).toEqual({ success: true, license: 'inactive', ...free });
    const active = { success: true, license: 'valid', ...taken };
    expect(await said('activate_license')).toEqual(active);
    expect(await said('activate_license')).toEqual(active);
    expect(await said('check_license')).toEqual(active);
    const gone = { success: true, license: 'deactivated', ...free };
    expect(await said('deactivate_license')).toEqual(gone);
    expect(await said('deactivate_license')).toEqual({
      success: false,
      license: 'failed',
      ...free,
    });
  });

  test('takes no seat if all are taken', async () => {
    const { code } = await newLicense();
    await send(asked('activate_license', code));
    const second = { url: 'https://second.example/' };
    expect((await send(asked('activate_license', code, second))).body).toMatchObject({
      success: false,
      license: 'invalid',
      error: 'no_activations_left',
      site_count: 1,
    });
    expect((await send(asked('check_license', code, second))).body['license']).toBe(
      'site_inactive',
    );
  });

  test('reports an unknown licence', async () => {
    expect((await send(asked('activate_license', 'nothing'))).body).toEqual({
      success: false,
      license: 'invalid',
      error: 'missing',
      item_id: false,
      item_name: '',
    });
    expect((await send(asked('check_license', 'nothing'))).body['license']).toBe('invalid');
    expect((await send(asked('deactivate_license', 'nothing'))).body['license']).toBe('failed');
  });

  test.each([
    [ended, 'expired'],
    [{ status: 'inactive' }, 'disabled'],
  ])('says that a licence with %o is %s', async (fields, status) => {
    const { code } = await newLicense(fields);
    const refused = { success: false, license: 'invalid', error: status };
    expect((await send(asked('activate_license', code))).body).toMatchObject(refused);
    const judged = { success: true, license: status };
    expect((await send(asked('check_license', code))).body).toMatchObject(judged);
  });

  test('never announces an update', async () => {
    expect((await send(asked('get_version', 'any'))).body).toMatchObject({
      new_version: '',
      package: '',
      sections: { changelog: '' },
    });
  });
});

test('a licence belongs to its item, given by id or by name, encoded or not', async () => {
  const { code } = await newLicense();
  const check = async (fields: Record<string, string>) =>
    (await post(asked('activate_license', code, fields))).body['error'] ?? 'valid';
  const other = await opened.fixture.newProduct({ title: 'Another' });
  expect(await check({ item_id: String(other.id) })).toBe('invalid_item_id');
  expect(await check({ item_id: '', item_name: 'Another' })).toBe('item_name_mismatch');
  expect(await check({ item_id: '', item_name: product.title })).toBe('valid');
  expect(await check({ item_id: '', item_name: 'Invoice+Desk+%26+Co' })).toBe('valid');
  for (const item_name of ['Invoice Desk &amp; Co', 'Invoice Desk &#038; Co', 'invoice-desk-co'])
    expect(await check({ item_id: '', item_name })).toBe('valid');
  for (const item_name of ['&amp;', '—', 'Invoice Desk'])
    expect(await check({ item_id: '', item_name })).toBe('item_name_mismatch');
  const wrong = asked('check_license', code, { item_id: String(other.id) });
  expect((await post(wrong)).body['license']).toBe('invalid_item_id');
  const foreign = asked('deactivate_license', code, { item_id: String(other.id) });
  expect((await post(foreign)).body['license']).toBe('failed');
});

test("a request without a url is from the site in WordPress's user agent", async () => {
  const { code } = await newLicense();
  const nowhere = asked('activate_license', code, { url: '' });
  expect((await post(nowhere)).body['error']).toBe('missing_url');
  const agent = { 'user-agent': 'WordPress/6.4; https://toko.example' };
  expect((await post(nowhere, agent)).body['license']).toBe('valid');
  expect((await post(asked('check_license', code))).body['license']).toBe('valid');
});

test('a form may contain files, and the query may contain fields that the form lacks', async () => {
  const { code } = await newLicense({ activation_limit: 0 });
  const form = new FormData();
  for (const [name, value] of Object.entries(asked('check_license', code))) form.set(name, value);
  const body = (await answerOf(new Request(base, { method: 'POST', body: form }))).body;
  expect(body).toMatchObject({ license: 'inactive', activations_left: 'unlimited' });
  const query = new URLSearchParams(asked('activate_license', code)).toString();
  const bare = await answerOf(new Request(`${base}?${query}`, { method: 'POST' }));
  expect(bare.body['license']).toBe('valid');
});

test('a body that is no form, or has no action, is refused', async () => {
  const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
  expect((await answerOf(new Request(base, json))).status).toBe(415);
  expect((await get({})).body['code']).toBe('rest_missing_callback_param');
  expect((await get({ edd_action: 'other' })).status).toBe(400);
});

test('an activation raises the usual webhook event', async () => {
  const { fixture } = opened;
  const { id, code } = await newLicense();
  const { body } = await fixture.api.post('/webhooks', {
    url: 'https://hooks.example.com/',
    events: ['license.*'],
    status: 'paused',
  });
  await post(asked('activate_license', code));
  await post(asked('check_license', code));
  await post(asked('deactivate_license', code));
  const { rows } = await fixture.store.database.query<{ event: string; object_id: string }>(
    'select event, object_id from outbox where webhook_id = $1 order by id',
    [body.data.id],
  );
  expect(rows).toEqual([
    { event: 'license.activated', object_id: String(id) },
    { event: 'license.deactivated', object_id: String(id) },
  ]);
});

test('a caller over the limit is refused by address', async () => {
  const { store } = opened.fixture;
  const { code } = await newLicense();
  const counted: string[] = [];
  const services = await store.services();
  const callers = {
    binding: {
      limit: async ({ key }: { key: string }) => ({ success: counted.push(key) === 1 }),
    },
    allowed: undefined,
  };
  const app = createApp({ ...services, callers }, () => {});
  const ask = async (method: string) => {
    const query = new URLSearchParams(asked('check_license', code)).toString();
    const headers = { 'cf-connecting-ip': '192.0.2.7' };
    return (
      await app.fetch(new Request(`${base}?${query}`, { method, headers }), {}, store.context)
    ).status;
  };
  expect([await ask('GET'), await ask('GET'), await ask('POST')]).toEqual([200, 429, 429]);
  expect(new Set(counted).size).toBe(1);
});

test('sites that ask for the last seat at once do not both get it', async () => {
  const { fixture } = opened;
  const { id, code } = await newLicense();
  const replies = await behindLock(
    fixture.store,
    `select from licenses where id = ${id} for update`,
    [1, 2, 3].map(
      (n) => () => post(asked('activate_license', code, { url: `https://site-${n}.example` })),
    ),
  );
  const said = replies.map(({ body }) => String(body['error'] ?? body['license']));
  expect(said.sort()).toEqual(['no_activations_left', 'no_activations_left', 'valid']);
  expect((await fixture.api.get(`/licenses/${id}`)).body.data.activation_count).toBe(1);
});
