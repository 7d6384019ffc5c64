import { beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../../harness/client.ts';
import { openStore, useStore } from '../../harness/store.ts';

const opened = useStore();
let admin: ApiClient;
let api: ApiClient;

beforeAll(async () => {
  api = await opened.store.key();
  const { body } = await api.post('/users', { email: 'admin@x.example' });
  await opened.store.database.query("update users set roles = '{administrator}' where id = $1", [
    body.data.id,
  ]);
  admin = await opened.store.session(body.data.id, { admin: true });
});

const account = { id: 'BCA', bank: 'BCA', owner: 'Store', account_number: '123' };

test('an administrator reads and changes the settings', async () => {
  const before = await admin.get('/me/settings');
  expect(before).toMatchObject({ trips: 1, body: { data: { timezone: 'UTC', currency: 'USD' } } });
  const changed = await admin.patch('/me/settings', {
    timezone: 'Asia/Jakarta',
    currency: 'IDR',
    currency_exponent: 0,
    unique_code: { enabled: true, operation: 'reduced' },
    manual_accounts: [account],
  });
  expect(changed).toMatchObject({ status: 200, trips: 2, body: { data: { version: 2 } } });
  const after = await admin.get('/me/settings');
  expect(after.body.data).toEqual(changed.body.data);
});

test('notification_email takes exactly one address, in any form of RFC 5321', async () => {
  const change = (notification_email: string) =>
    admin.patch('/me/settings', { notification_email });
  const taken = await change('Orders&Co/1@xn--e1afmkfd.xn--p1ai');
  expect(taken.body.data.notification_email).toBe('orders&co/1@xn--e1afmkfd.xn--p1ai');
  for (const wrong of ['a@x.example, b@x.example', 'a@x.example\nBcc: b@x.example', 'a@b']) {
    const refused = await change(wrong);
    expect(Object.keys(refused.body.data.params)).toEqual(['notification_email']);
  }
  expect((await change('')).body.data.notification_email).toBe('');
});

test('a single field of unique_code can be changed', async () => {
  const change = async (unique_code: object) =>
    (await admin.patch('/me/settings', { unique_code })).body.data.unique_code;
  const reduced = { enabled: true, operation: 'reduced', largest: 999 };
  expect(await change({ enabled: true, operation: 'reduced' })).toEqual(reduced);
  expect(await change({ enabled: false })).toEqual({ ...reduced, enabled: false });
  const added = { enabled: false, operation: 'added', largest: 999 };
  expect(await change({ operation: 'added' })).toEqual(added);
  expect(await change({ largest: 9999 })).toEqual({ ...added, largest: 9999 });
  expect(await change({ largest: 999 })).toEqual(added);
});

test.each([
  ['an unknown time zone', { timezone: 'Mars/Olympus' }],
  ['a time zone only the runtime knows', { timezone: 'US/Pacific-New' }],
  ['a currency in small letters', { currency: 'usd' }],
  ['a site that is no address', { site_url: 'javascript:alert(1)' }],
  ['a site with a query, which paths are put after', { site_url: 'https://shop.example/?a=1' }],
  ['a site with a fragment', { site_url: 'https://shop.example/#top' }],
  ['a site that is not encoded', { site_url: 'https://shop.example/ü' }],
  ['a site with a user name, which links would tell', { site_url: 'https://a:b@shop.example' }],
  ['a site with a password alone', { site_url: 'https://:b@shop.example' }],
  ['a site with a backslash', { site_url: 'https://shop.example\\@elsewhere.example' }],
  ['two accounts of one id', { manual_accounts: [account, { ...account, bank: 'BNI' }] }],
  ['a session shorter than five minutes', { session_ttl: 10 }],
  ['codes of more than 9,999', { unique_code: { largest: 10_000 } }],
  ['codes of less than 999', { unique_code: { largest: 998 } }],
  ['null', { store_name: null }],
])('%s is refused', async (_, body) => {
  const reply = await admin.patch('/me/settings', body);
  expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
});

test('an update of an older version is a conflict', async () => {
  const { body } = await admin.get('/me/settings');
  const stale = { headers: { 'if-match': String(body.data.version - 1) } };
  const reply = await admin.patch('/me/settings', { store_name: 'Mine' }, stale);
  expect(reply).toMatchObject({ status: 409, body: { code: 'rest_conflict' } });
});

test('settings that orders depend on are fixed by the first order', async () => {
  const product = await api.post('/products', { title: 'A', price: 5000 });
  const user = await api.post('/users', { email: 'buyer@x.example' });
  const order = { product_id: product.body.data.id, user_id: user.body.data.id };
  expect((await api.post('/orders', order)).status).toBe(201);
  const refused = await admin.patch('/me/settings', { timezone: 'UTC', store_name: 'Mine' });
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'setting_locked', data: { params: { timezone: expect.any(String) } } },
  });
  const { body } = await admin.get('/me/settings');
  expect(body.data.store_name).not.toBe('Mine');
  const harmless = await admin.patch('/me/settings', { store_name: 'Mine' });
  expect(harmless.status).toBe(200);
});

test('an order that is placed between the decision and the change stops the change', async () => {
  const store = await openStore();
  try {
    const key = await store.key();
    const { body: owner } = await key.post('/users', { email: 'admin@x.example' });
    await store.database.query("update users set roles = '{administrator}'");
    const session = await store.session(owner.data.id, { admin: true });
    const product = await key.post('/products', { title: 'A', price: 1 });
    const order = { product_id: product.body.data.id, user_id: owner.data.id };
    // The change has read "no orders", and commits only after one is placed.
    const held = store.neon.faults.next({ statement: 'from "orders" limit', hold: true });
    const change = session.patch('/me/settings', { currency: 'EUR' });
    await held.reached;
    expect((await key.post('/orders', order)).status).toBe(201);
    held.release();
    expect(await change).toMatchObject({ status: 409, body: { code: 'setting_locked' } });
  } finally {
    await store.close();
  }
});
