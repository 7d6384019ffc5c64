import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exponentOf } from '../../../src/lib/currencies.ts';
import type { ApiClient } from '../../harness/client.ts';
import { type Store, openStore } from '../../harness/store.ts';

let store: Store;
let api: ApiClient;
let admin: ApiClient;
let cart: { product_id: number; user_id: number };

beforeAll(async () => {
  store = await openStore('new');
  api = await store.key();
  const user = (await api.post('/users', { email: 'admin@x.example' })).body.data;
  await store.database.query("update users set roles = '{administrator}'");
  admin = await store.session(user.id, { admin: true });
  const product = (await api.post('/products', { title: 'Kopi', price: 25_000 })).body.data;
  expect(product.currency).toBeNull();
  cart = { product_id: product.id, user_id: user.id };
});
afterAll(() => store.close());

const set = async (settings: object) => (await admin.patch('/me/settings', settings)).body.data;

describe('A new store', () => {
  test('has no currency, and POST /checkout/calculate, GET /checkout/quote and POST /orders say how to set one', async () => {
    expect((await admin.get('/me/settings')).body.data).toMatchObject({
      currency: null,
      currency_exponent: null,
    });
    const { product_id, user_id } = cart;
    const replies = [
      await api.post('/checkout/calculate', cart),
      await api.get(`/checkout/quote?product_id=${product_id}&user_id=${user_id}`),
      await api.post('/orders', cart),
      await api.post('/orders', { ...cart, status: 'completed' }),
    ];
    for (const reply of replies)
      expect(reply).toMatchObject({
        status: 409,
        body: {
          code: 'store_currency_unset',
          message: expect.stringMatching(/PATCH \/me\/settings.*npm run settings -- currency=IDR/),
        },
      });
    expect((await api.get('/orders')).body.data).toEqual([]);
  });

  test('answers null in every read that names a currency', async () => {
    for (const path of [
      '/overview',
      '/orders/sum',
      '/products',
      `/products/${cart.product_id}/shipping-options`,
      '/payments/gateways',
      '/affiliates/leaderboard',
    ]) {
      const { status, body } = await api.get(path);
      expect([path, status]).toEqual([path, 200]);
      const named = JSON.stringify(body).match(/"currency":("[^"]*"|null)/g) ?? [];
      expect(named.filter((text) => text !== '"currency":null')).toEqual([]);
    }
    for (const path of ['/me/home-summary', '/me/admin-summary', '/me/commission-summary']) {
      const { status, body } = await admin.get(path);
      expect([path, status, body.data.currency]).toEqual([path, 200, null]);
    }
    const preview = await api.post('/message-templates/order-placed/email/preview', {});
    expect(preview).toMatchObject({ status: 200 });
    expect(JSON.stringify(preview.body)).toContain('350,123');
  });

  test('refuses decimals without a currency, and a code outside ISO 4217 without its decimals', async () => {
    expect(await admin.patch('/me/settings', { currency_exponent: 2 })).toMatchObject({
      status: 400,
      body: { data: { params: { currency_exponent: expect.stringContaining('`currency`') } } },
    });
    expect(await admin.patch('/me/settings', { currency: 'XQQ' })).toMatchObject({
      status: 400,
      body: { data: { params: { currency: expect.stringContaining('`currency_exponent`') } } },
    });
    expect((await admin.patch('/me/settings', { currency: null })).status).toBe(400);
  });

  test('gets the decimals of ISO 4217 with its currency, unless both are given, and its products get the currency', async () => {
    expect(await set({ currency: 'JPY' })).toMatchObject({ currency: 'JPY', currency_exponent: 0 });
    expect(await set({ currency: 'USD' })).toMatchObject({ currency: 'USD', currency_exponent: 2 });
    expect(await set({ currency: 'KWD' })).toMatchObject({ currency_exponent: 3 });
    expect(await set({ currency: 'XQQ', currency_exponent: 1 })).toMatchObject({
      currency: 'XQQ',
      currency_exponent: 1,
    });
    // An unchanged currency keeps its decimals.
    expect(await set({ currency: 'XQQ', store_name: 'Kopi' })).toMatchObject({
      currency_exponent: 1,
    });
    expect(await set({ currency: 'IDR' })).toMatchObject({ currency: 'IDR', currency_exponent: 0 });
    const product = (await api.get(`/products/${cart.product_id}`)).body.data;
    expect(product).toMatchObject({ currency: 'IDR', price: 25_000 });
    expect(await api.post('/checkout/calculate', cart)).toMatchObject({
      status: 200,
      body: { data: { currency: 'IDR', grand_total: 25_000 } },
    });
    expect((await api.post('/orders', cart)).body.data.currency).toBe('IDR');
    expect(await admin.patch('/me/settings', { currency: 'USD' })).toMatchObject({
      status: 409,
      body: { code: 'setting_locked' },
    });
  });
});

test('A store that lost its currency, but has orders, takes that of its orders alone', async () => {
  const { database } = store;
  const lose = () =>
    database.query('update settings set currency = null, currency_exponent = null');
  const locked = { status: 409, body: { code: 'setting_locked' } };
  await lose();
  expect(await admin.patch('/me/settings', { currency: 'USD' })).toMatchObject(locked);
  const moved = { currency: 'IDR', timezone: 'Asia/Tokyo' };
  expect(await admin.patch('/me/settings', moved)).toMatchObject(locked);
  const { rows } = await database.query('select id, currency from orders');
  expect(rows).toEqual([{ id: expect.anything(), currency: 'IDR' }]);
  expect(await set({ currency: 'IDR' })).toMatchObject({ currency: 'IDR', currency_exponent: 0 });
  expect(await admin.patch('/me/settings', { currency_exponent: 2 })).toMatchObject(locked);
  const { id } = (await api.post('/orders', cart)).body.data;
  await database.query(`update orders set currency = 'USD' where id = $1`, [id]);
  await lose();
  for (const currency of ['IDR', 'USD'])
    expect(await admin.patch('/me/settings', { currency })).toMatchObject(locked);
});

test('The decimals of a currency are those of ISO 4217, and none for the rupiah', () => {
  expect(['IDR', 'JPY', 'EUR', 'BHD', 'CLF', 'RSD', 'XQQ'].map(exponentOf)).toEqual([
    0,
    0,
    2,
    3,
    4,
    2,
    undefined,
  ]);
});

test('The migration keeps the currency of existing stores, and gives a new store none', async () => {
  const folder = resolve(import.meta.dirname, '../../../drizzle');
  const name = readdirSync(folder).find((file) => file.endsWith('_stores_without_a_currency.sql'));
  const migration = readFileSync(join(folder, name ?? ''), 'utf8');
  const { database } = store;
  const migrated = async () => {
    await database.query("update settings set currency = 'USD', currency_exponent = 2");
    await database.query(migration);
    const { rows } = await database.query('select currency, currency_exponent from settings');
    return rows[0] as object;
  };
  expect(await migrated()).toEqual({ currency: 'USD', currency_exponent: 2 });
  await database.query('delete from stored_functions');
  expect(await migrated()).toEqual({ currency: null, currency_exponent: null });
});
