import { describe, expect, test } from 'vitest';
import { newCode } from '../../../src/domain/license/codes.ts';
import { useLicenses } from './stage.ts';

const { opened, product, buyer, newLicense, register, validate } = useLicenses();

describe('the verdict on a licence', () => {
  test('is the same by GET and POST, by validate and status, under either name', async () => {
    const { api } = opened.fixture;
    const { code } = await newLicense();
    await register(code, 'toko.example');
    const query = new URLSearchParams({ license: code, string: 'https://toko.example' }).toString();
    const aliases = new URLSearchParams({ code, host: 'toko.example' }).toString();
    const replies = [
      await api.get(`/licenses/status?${query}`),
      await api.get(`/licenses/status?${aliases}`),
      await api.post('/licenses/status', { code, host: 'toko.example' }),
      await api.get(`/licenses/validate?${query}`),
      await api.post('/licenses/validate', { license: code, string: 'toko.example' }),
    ];
    expect(replies[0]).toMatchObject({
      status: 200,
      trips: 1,
      body: {
        success: true,
        valid: true,
        code: 'VALID',
        message: expect.any(String),
        data: {
          license: { code },
          activation: { string: 'toko.example' },
          subscription: null,
          order_id: null,
          product_id: product(),
          product_title: 'Invoice Desk',
        },
      },
    });
    for (const reply of replies) expect(reply.body).toEqual(replies[0]?.body);
    for (const reply of replies) expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('records a validate as last seen, but not a status', async () => {
    const { api, store } = opened.fixture;
    const { code, id } = await newLicense();
    await register(code, 'toko.example');
    const before = store.clock.now().toISOString();
    store.clock.advance(3600);
    const seen = async () =>
      (await api.get(`/licenses/${id}`)).body.data.activations[0].last_seen_at;
    await api.post('/licenses/status', { license: code, string: 'toko.example' });
    expect(await seen()).toBe(before);
    const { body } = await validate(code, { string: 'toko.example' });
    expect(body.data.activation.last_seen_at).toBe(store.clock.now().toISOString());
    expect(await seen()).toBe(store.clock.now().toISOString());
    expect((await api.get(`/licenses/${id}`)).body.data.version).toBe(1);
  });

  test('gives the reason', async () => {
    const { fixture } = opened;
    const other = (await fixture.newProduct()).id;
    const { code } = await newLicense();
    const verdict = async (more: object) => {
      const reply = await validate(code, more);
      expect(reply).toMatchObject({ status: 200, body: { success: true } });
      expect(reply.body.valid).toBe(reply.body.code === 'VALID');
      return reply.body.code;
    };
    expect(await verdict({})).toBe('VALID');
    expect(await verdict({ product_id: product(), user_id: buyer() })).toBe('VALID');
    expect(await verdict({ product_id: other })).toBe('PRODUCT_MISMATCH');
    expect(await verdict({ user_id: buyer() + 1 })).toBe('USER_MISMATCH');
    expect(await verdict({ string: 'a.example' })).toBe('NO_ACTIVATION');
    expect(await verdict({ string: 'localhost' })).toBe('VALID');
    await register(code, 'a.example');
    expect(await verdict({ string: 'a.example' })).toBe('VALID');
    expect(await verdict({ string: 'b.example' })).toBe('STRING_MISMATCH');
    await register(code, 'c.example');
    expect(await verdict({ string: 'b.example' })).toBe('LIMIT_REACHED');
    expect(await verdict({ string: 'c.example' })).toBe('VALID');
  });

  test('distinguishes inactive, pending and expired licences', async () => {
    const { store } = opened.fixture;
    const code = async (fields: object) => (await newLicense(fields)).code;
    const pending = await code({ status: 'pending' });
    const inactive = await code({ status: 'inactive' });
    const soon = new Date(store.clock.now().getTime() + 60_000).toISOString();
    const ending = await code({ expires_at: soon });
    const verdict = async (license: string) => (await validate(license)).body.code;
    expect(await verdict(pending)).toBe('PENDING');
    expect(await verdict(inactive)).toBe('INACTIVE');
    store.clock.advance(59);
    expect(await verdict(ending)).toBe('VALID');
    store.clock.advance(1);
    expect(await verdict(ending)).toBe('EXPIRED');
  });

  test('is ORDER_NOT_COMPLETED until the order of the licence completes', async () => {
    const { api, newOrder } = opened.fixture;
    const order = await newOrder({ product_id: product(), user_id: buyer() });
    const { code } = await newLicense({ order_id: order.id });
    expect((await validate(code)).body).toMatchObject({
      code: 'ORDER_NOT_COMPLETED',
      data: { order_id: order.id },
    });
    await api.patch(`/orders/${order.id}`, { status: 'completed' });
    expect((await validate(code)).body.code).toBe('VALID');
  });

  test('is 404 for a malformed code and for an unknown one', async () => {
    for (const license of ['nonsense', newCode(), 'U'.repeat(25)]) {
      for (const path of ['validate', 'status', 'register', 'reset', 'unregister']) {
        const body = { license, string: 'a.example' };
        const reply = await opened.fixture.api.post(`/licenses/${path}`, body);
        expect(reply, path).toMatchObject({ status: 404, body: { code: 'rest_not_found' } });
      }
    }
  });
});
