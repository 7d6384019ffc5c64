import { describe, expect, test } from 'vitest';
import { long } from '../../harness/long.ts';
import { addSeconds } from '../../../src/lib/instant.ts';
import type { License } from '../../../src/domain/license/schemas.ts';
import { useLicensedOrders } from './stage.ts';

const { opened, product_id, user_id, order, renewal, licensesOf, today, pass } =
  useLicensedOrders();

const move = async (id: number, ...statuses: string[]) => {
  for (const status of statuses) {
    const reply = await opened.fixture.api.patch(`/orders/${id}`, { status });
    expect(reply, `${id} ${status}`).toMatchObject({ status: 200, trips: 2 });
  }
};

const verdict = async (license: string) =>
  (await opened.fixture.api.post('/licenses/status', { license })).body.code;

const events = async () => {
  const { rows } = await opened.fixture.store.database.query<{ event: string; data: License }>(
    'select event, data from outbox order by id',
  );
  return rows.filter(({ event }) => event.startsWith('license.'));
};

describe('the first completed order of a chain', () => {
  test('issues a licence for each unit, with a term of its own', async () => {
    const id = await order({ quantity: 3 });
    expect(await licensesOf(id)).toEqual([]);
    await move(id, 'completed');
    const licenses = await licensesOf(id);
    expect(licenses).toHaveLength(3);
    expect(new Set(licenses.map(({ code }) => code)).size).toBe(3);
    for (const license of licenses) {
      expect(license).toMatchObject({
        product_id: product_id(),
        user_id: user_id(),
        order_id: id,
        status: 'active',
        activation_limit: 2,
        max_resets: 3,
        expires_at: today(30),
        terms: [{ order_id: id, from: today(), to: today(30) }],
      });
      expect(await verdict(license.code)).toBe('VALID');
    }
  });

  test('issues them at once when it is placed as completed', async () => {
    const id = await order({ status: 'completed', quantity: 2 });
    expect(await licensesOf(id)).toHaveLength(2);
  });

  test('keeps its quantity, which it issued licences for, when it waits for its payment again', async () => {
    const { api } = opened.fixture;
    const id = await order({ quantity: 2 });
    await move(id, 'completed', 'in-progress', 'on-hold');
    for (const quantity of [1, 3]) {
      const reply = await api.patch(`/orders/${id}`, { quantity });
      expect(reply).toMatchObject({ status: 409, body: { code: 'license_quantity' } });
      expect(reply.body.message).toContain('Place a new order');
    }
    await move(id, 'completed');
    expect(await licensesOf(id)).toHaveLength(2);
  });

  test('issues as many as the quantity it gets in the same change', async () => {
    const { api } = opened.fixture;
    const id = await order({ quantity: 1 });
    expect((await api.patch(`/orders/${id}`, { quantity: 5, status: 'completed' })).status).toBe(
      200,
    );
    expect(await licensesOf(id)).toHaveLength(5);
  });

  test('issues none for a product without licences, and no others when it is completed again', async () => {
    const plain = await opened.fixture.newProduct();
    const id = await order({ product_id: plain.id });
    await move(id, 'completed');
    expect(await licensesOf(id)).toEqual([]);
    const licensed = await order();
    await move(licensed, 'completed');
    const before = await licensesOf(licensed);
    pass(3);
    await move(licensed, 'in-progress');
    expect(await licensesOf(licensed)).toEqual(before);
    expect(await verdict(before[0]?.code ?? '')).toBe('VALID');
    await move(licensed, 'completed');
    expect(await licensesOf(licensed)).toEqual(before);
  });

  long('may not issue more than 1,000', async () => {
    const { api } = opened.fixture;
    const tooMany = await api.post('/orders', {
      product_id: product_id(),
      user_id: user_id(),
      quantity: 1001,
    });
    expect(tooMany).toMatchObject({ status: 409, body: { code: 'license_quantity' } });
    const id = await order({ quantity: 1000 });
    const more = await api.patch(`/orders/${id}`, { quantity: 1001 });
    expect(more).toMatchObject({ status: 409, body: { code: 'license_quantity' } });
    await move(id, 'completed');
    const { body } = await api.get(`/licenses?order_id=${id}&per_page=1`);
    expect(body.meta.pagination.total).toBe(1000);
  });
});

describe('orders of a chain', () => {
  test('add their terms to its licences, and a refund removes only the term of its order', async () => {
    const { api } = opened.fixture;
    const first = await order({ quantity: 2 });
    await move(first, 'completed');
    const from = today();
    pass(20);
    const second = await renewal(first);
    await move(second, 'completed');
    expect(await licensesOf(second)).toEqual([]);
    const renewed = await licensesOf(first);
    expect(renewed).toHaveLength(2);
    for (const license of renewed) {
      expect(license.expires_at).toBe(addSeconds(from, 60 * 86_400));
      expect(license.terms.map(({ order_id }) => order_id)).toEqual([first, second]);
    }
    await api.post(`/orders/${second}/refunds`, { reason: 'Not wanted.' });
    for (const license of await licensesOf(first)) {
      expect(license).toMatchObject({
        status: 'active',
        expires_at: addSeconds(from, 30 * 86_400),
        terms: [{ order_id: first }],
      });
    }
    await move(first, 'refunded');
    for (const license of await licensesOf(first)) {
      expect(license).toMatchObject({ status: 'inactive', terms: [] });
      expect(await verdict(license.code)).toBe('INACTIVE');
    }
  });

  test('keep the terms that the others paid for if the first is refunded', async () => {
    const first = await order();
    await move(first, 'completed');
    pass(20);
    const second = await renewal(first);
    await move(second, 'completed');
    const paid = today();
    await move(first, 'refunded');
    const [license] = await licensesOf(first);
    expect(license).toMatchObject({
      status: 'active',
      terms: [{ order_id: second, from: paid, to: addSeconds(paid, 30 * 86_400) }],
    });
  });

  test('that end unpaid change nothing', async () => {
    const first = await order();
    await move(first, 'completed');
    const before = await licensesOf(first);
    const second = await renewal(first);
    await move(second, 'payment-confirm', 'on-hold', 'cancelled', 'on-hold', 'cancelled');
    expect(await licensesOf(first)).toEqual(before);
  });

  test('renew a licence that has expired from the day they are completed', async () => {
    const first = await order();
    await move(first, 'completed');
    const [license] = await licensesOf(first);
    pass(31);
    expect(await verdict(license?.code ?? '')).toBe('EXPIRED');
    await move(await renewal(first), 'completed');
    expect((await licensesOf(first))[0]?.expires_at).toBe(today(30));
    expect(await verdict(license?.code ?? '')).toBe('VALID');
  });
});

describe('an order that loses its money', () => {
  test('has its licences wait on hold, end when it is cancelled, and wait again when reopened', async () => {
    const id = await order();
    await move(id, 'completed', 'in-progress', 'on-hold');
    const state = async () => {
      const [license] = await licensesOf(id);
      return [license?.status, await verdict(license?.code ?? '')];
    };
    expect(await state()).toEqual(['pending', 'PENDING']);
    await move(id, 'cancelled');
    expect(await state()).toEqual(['inactive', 'INACTIVE']);
    await move(id, 'on-hold');
    expect(await state()).toEqual(['pending', 'PENDING']);
    pass(2);
    await move(id, 'completed');
    expect(await state()).toEqual(['active', 'VALID']);
    expect((await licensesOf(id))[0]?.expires_at).toBe(today(30));
  });

  test('keeps its licences when part of it is given back', async () => {
    const id = await order();
    await move(id, 'completed');
    const before = await licensesOf(id);
    await opened.fixture.api.post(`/orders/${id}/refunds`, { amount: 100 });
    expect(await licensesOf(id)).toEqual(before);
  });
});

describe('a licence that is set inactive', () => {
  const set = async (id: number | undefined, status: string) => {
    const reply = await opened.fixture.api.post(`/licenses/${id}`, { status });
    expect(reply).toMatchObject({ status: 200, body: { data: { status } } });
  };

  for (const lost of [['on-hold'], ['cancelled', 'on-hold']]) {
    test(`stays so when its order becomes ${lost.join(', ')} and is completed again`, async () => {
      const id = await order({ status: 'completed' });
      const [license] = await licensesOf(id);
      await set(license?.id, 'inactive');
      for (const status of ['in-progress', ...lost, 'completed']) {
        await move(id, status);
        expect(await licensesOf(id)).toMatchObject([{ status: 'inactive' }]);
      }
      expect(await verdict(license?.code ?? '')).toBe('INACTIVE');
      await set(license?.id, 'active');
      await move(id, 'in-progress', 'on-hold');
      expect(await licensesOf(id)).toMatchObject([{ status: 'pending' }]);
      await move(id, 'completed');
      expect(await verdict(license?.code ?? '')).toBe('VALID');
    });
  }

  test('stays so when the first order is refunded, and a renewal bounces and is paid again', async () => {
    const first = await order({ status: 'completed' });
    const second = await renewal(first);
    await move(second, 'completed');
    const [license] = await licensesOf(first);
    await set(license?.id, 'inactive');
    await move(first, 'refunded');
    await move(second, 'in-progress', 'on-hold', 'completed');
    expect(await licensesOf(first)).toMatchObject([{ status: 'inactive' }]);
  });

  test('stays so if its order was cancelled already, or not paid yet', async () => {
    const cancelled = await order({ status: 'completed' });
    const [license] = await licensesOf(cancelled);
    await move(cancelled, 'in-progress', 'cancelled');
    await set(license?.id, 'inactive');
    await move(cancelled, 'on-hold', 'completed');
    expect(await licensesOf(cancelled)).toMatchObject([{ status: 'inactive' }]);
    const open = await order();
    const body = {
      ...{ product_id: product_id(), user_id: user_id() },
      ...{ order_id: open, status: 'inactive' },
    };
    const { body: made } = await opened.fixture.api.post('/licenses', body);
    await move(open, 'completed');
    expect((await opened.fixture.api.get(`/licenses/${made.data.id}`)).body.data.status).toBe(
      'inactive',
    );
  });
});

test('a licence of a subscription is valid while the subscription lasts, and is renewed with it', async () => {
  const { api, newProduct } = opened.fixture;
  const club = await newProduct({
    payment_type: 'recurring',
    subscription: { active: true, regular: { duration: 1, period: 'monthly', price: 5000 } },
    license: { active: true, count: 1 },
  });
  const first = await order({ product_id: club.id, status: 'completed' });
  const [license] = await licensesOf(first);
  const check = async () => (await api.post('/licenses/validate', { license: license?.code })).body;
  expect(await check()).toMatchObject({
    code: 'VALID',
    data: { order_id: first, subscription: { type: 'subscription-regular', status: 'active' } },
  });
  pass(32);
  expect(await check()).toMatchObject({
    valid: false,
    code: 'SUBSCRIPTION_INACTIVE',
    data: { subscription: { status: 'expired' }, license: { status: 'active' } },
  });
  const second = await order({
    product_id: club.id,
    order_parent_id: first,
    status: 'completed',
  });
  expect(await licensesOf(second)).toEqual([]);
  const renewed = await licensesOf(first);
  expect(renewed.map(({ terms }) => terms.map(({ order_id }) => order_id))).toEqual([
    [first, second],
  ]);
  expect((await check()).code).toBe('VALID');
});

test("webhooks get the events of an order's licences", async () => {
  const { api } = opened.fixture;
  const hook = { name: 'Licences', url: 'https://hooks.example.com/', events: ['license.*'] };
  expect((await api.post('/webhooks', hook)).status).toBe(201);
  const id = await order({ quantity: 2 });
  await move(id, 'completed');
  const [one, two] = await licensesOf(id);
  const license = one?.code;
  await api.post('/licenses/register', { license, string: 'a.example' });
  await api.post('/licenses/register', { license, string: 'a.example' });
  await api.post('/licenses/unregister', { license, string: 'a.example' });
  await move(id, 'refunded');
  const told = await events();
  expect(told.map(({ event, data }) => [event, data.id])).toEqual([
    ['license.created', one?.id],
    ['license.created', two?.id],
    ['license.activated', one?.id],
    ['license.deactivated', one?.id],
    ['license.status-updated', one?.id],
    ['license.status-updated', two?.id],
  ]);
  expect(told[0]?.data).toEqual(one);
  expect(told[2]?.data).toMatchObject({
    string: 'a.example',
    strings: ['a.example'],
    activations: [{ string: 'a.example' }],
    activation: { string: 'a.example', seat: true },
  });
  expect(told[3]?.data).toMatchObject({ strings: [], released: 'a.example' });
  expect(told[4]?.data).toEqual((await licensesOf(id))[0]);
});
