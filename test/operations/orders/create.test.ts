import { describe, expect, test } from 'vitest';
import { addSeconds } from '../../../src/lib/instant.ts';
import { useBuying } from './stage.ts';

const { opened, buy, patch } = useBuying();

describe('A new order', () => {
  test('has the given values and waits for its payment', async () => {
    const { fixture } = opened;
    const product = await fixture.newProduct({ title: 'Soap', type: 'physical' });
    const user = await fixture.newUser({ display_name: 'Bo' });
    const at = fixture.store.clock.now().toISOString();
    const { id, ...order } = await fixture.newOrder({
      product_id: product.id,
      user_id: user.id,
      note: 'ring twice',
      meta: { source: 'app' },
    });
    expect(order).toMatchObject({
      number: `INV-${String(id).padStart(6, '0')}`,
      status: 'on-hold',
      status_group: 'unpaid',
      payment_status: 'unpaid',
      type: 'regular',
      payment_gateway: 'manual',
      currency: 'USD',
      note: 'ring twice',
      meta: { source: 'app' },
      order_parent_id: null,
      coupon_id: null,
      affiliate_id: null,
      attribution: null,
      created_at: at,
      updated_at: at,
      paid_at: null,
      version: 1,
      expires_at: addSeconds(at, 3 * 86400),
      product: {
        id: product.id,
        title: 'Soap',
        type: 'physical',
      },
      user: {
        id: user.id,
        display_name: 'Bo',
        email: user.email,
      },
      affiliate: null,
    });
    const actor = { actor_type: 'key', actor_id: fixture.keyId, actor_name: 'test' };
    expect((await fixture.order(id)).history).toEqual([
      { at, from: null, to: 'on-hold', ...actor, note: null },
    ]);
  });

  test.each([
    ['completed', ['on-hold', 'completed'], { payment_status: 'paid' }],
    ['payment-confirm', ['on-hold', 'payment-confirm'], { expires_at: null, paid_at: null }],
    ['cancelled', ['on-hold', 'cancelled'], { payment_status: 'void' }],
    ['on-hold', ['on-hold'], { payment_status: 'unpaid' }],
  ])('reaches the status %s by the steps of the rules', async (status, path, more) => {
    const { fixture } = opened;
    const product = await fixture.newProduct();
    const { id, ...order } = await fixture.newOrder({ product_id: product.id, status });
    expect(order).toMatchObject({ status, version: 1, ...more });
    expect((await fixture.order(id)).history.map(({ to }) => to)).toEqual(path);
  });

  test("can't be created with a status that its first status does not lead to", async () => {
    const { fixture } = opened;
    const digital = await fixture.newProduct();
    const allowed = ['payment-confirm', 'in-progress', 'completed', 'cancelled'];
    for (const status of ['shipping', 'refunded']) {
      const reply = await buy(digital.id, { status });
      expect(reply).toMatchObject({ status: 409, body: { code: 'rest_invalid_transition' } });
      expect(reply.body.data).toEqual({ status: 409, from: 'on-hold', to: status, allowed });
    }
    const physical = await fixture.newProduct({ type: 'physical' });
    const untracked = await buy(physical.id, { status: 'shipping' });
    expect(untracked).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
  });

  test('names the parameter whose record does not exist', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct();
    const { id: user_id } = await fixture.newUser();
    const gone = await fixture.newUser();
    await fixture.api.delete(`/users/${gone.id}`);
    const withdrawn = await fixture.newProduct();
    await fixture.api.delete(`/products/${withdrawn.id}`);
    const wrong = [
      ['product_id', { product_id: 999_999, user_id }],
      ['product_id', { product_id: withdrawn.id, user_id }],
      ['user_id', { product_id, user_id: 999_999 }],
      ['user_id', { product_id, user_id: gone.id }],
      ['affiliate_id', { product_id, user_id, affiliate_id: 999_999 }],
      ['affiliate_id', { product_id, user_id, affiliate_id: gone.id }],
    ] as const;
    for (const [param, body] of wrong) {
      const reply = await fixture.api.post('/orders', body);
      expect(reply).toMatchObject({ status: 404, trips: 1, body: { code: 'rest_not_found' } });
      expect(Object.keys(reply.body.data.params)).toEqual([param]);
    }
    const nothing = await fixture.api.post('/orders', {});
    expect(nothing).toMatchObject({ status: 400, body: { code: 'rest_missing_callback_param' } });
    expect(Object.keys(nothing.body.data.params)).toEqual(['product_id', 'user_id']);
  });

  test('takes meta of 50 keys and 16 KiB, and a note of 5,000 characters', async () => {
    const { fixture } = opened;
    const { id } = await fixture.newProduct();
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
    const fits = { meta: { text: 'x'.repeat(16_384 - 11) }, note: 'x'.repeat(5000) };
    expect((await buy(id, fits)).status).toBe(201);
    expect((await buy(id, { meta: keys(50) })).status).toBe(201);
    const wrong = [
      ['meta', keys(51)],
      ['meta', { text: 'x'.repeat(16_384 - 10) }],
      ['meta', { text: 'a\0b' }],
      ['meta', []],
      ['note', 'x'.repeat(5001)],
      ['note', 'a\0b'],
    ] as const;
    for (const [param, value] of wrong) {
      const reply = await buy(id, { [param]: value });
      expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      expect(Object.keys(reply.body.data.params)).toEqual([param]);
    }
  });
});

describe('A closed product', () => {
  const closed = [
    ['that is a draft', { status: 'draft' }],
    ['that is private', { status: 'private' }],
    ['that is not on sale', { enable_sale: false }],
    ['whose sale is over', { disable_sale_time: '2026-03-10T16:00:00+07:00' }],
  ] as const;

  test.each(closed)('%s is sold only with its access code', async (_, fields) => {
    const { fixture } = opened;
    const product = await fixture.newProduct({ ...fields, access_code: 'sesame' });
    expect(JSON.stringify(product)).not.toContain('sesame');
    for (const access_code of [undefined, 'Sesame']) {
      const reply = await buy(product.id, { access_code });
      expect(reply).toMatchObject({ status: 409, body: { code: 'product_closed' } });
    }
    expect((await buy(product.id, { access_code: 'sesame' })).status).toBe(201);
  });

  test("without an access code can't be opened by any code", async () => {
    const product = await opened.fixture.newProduct({ enable_sale: false });
    expect((await buy(product.id, { access_code: 'anything' })).status).toBe(409);
  });

  test('can be bought until its sale ends', async () => {
    const disable_sale_time = '2026-03-10T09:00:01Z';
    const product = await opened.fixture.newProduct({ disable_sale_time });
    expect((await buy(product.id)).status).toBe(201);
  });
});

describe('Within limit_buy_time', () => {
  test('the same user can not order the same product again', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct({ limit_buy_time: 10 });
    const { id: user_id } = await fixture.newUser();
    const first = await fixture.newOrder({ product_id, user_id });
    const again = () => fixture.api.post('/orders', { product_id, user_id });
    fixture.store.clock.advance(599);
    const reply = await again();
    expect(reply).toMatchObject({ status: 409, trips: 1, body: { code: 'purchase_too_soon' } });
    expect((await buy(product_id)).status).toBe(201);
    await patch(first.id, { status: 'cancelled' });
    const second = await again();
    expect(second.status).toBe(201);
    fixture.store.clock.advance(599);
    expect((await again()).status).toBe(409);
    fixture.store.clock.advance(1);
    expect((await again()).status).toBe(201);
  });

  test('a refusal under an Idempotency-Key is repeated', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct({ limit_buy_time: 10 });
    const { id: user_id } = await fixture.newUser();
    await fixture.newOrder({ product_id, user_id });
    const headers = { 'idempotency-key': 'too-soon' };
    const again = () => fixture.api.post('/orders', { product_id, user_id }, { headers });
    expect((await again()).status).toBe(409);
    fixture.store.clock.advance(3600);
    const replayed = await again();
    expect(replayed).toMatchObject({ status: 409, body: { code: 'purchase_too_soon' } });
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
  });
});
