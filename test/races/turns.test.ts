import { afterAll, describe, expect, test } from 'vitest';
import { expectIntegrity } from '../harness/integrity.ts';
import { useShop } from '../harness/shop.ts';
import { behindLock, times } from './queue.ts';

const opened = useShop();

afterAll(() => expectIntegrity(opened.shop));

const callers = 10;

describe('Ten refunds of one order at once', () => {
  const sold = async () => {
    const { shop } = opened;
    const { id: product_id } = await shop.newProduct({ price: 1000 });
    const { id } = await shop.newOrder({ product_id, status: 'completed' });
    const refund = (amount: number) => () => shop.api.post(`/orders/${id}/refunds`, { amount });
    return { id, refund, lock: `select from orders where id = ${id} for update` };
  };

  test('that fit together all succeed', async () => {
    const { id, refund, lock } = await sold();
    const { shop } = opened;
    const replies = await behindLock(shop.store, lock, times(callers, refund(100)));
    expect(replies.map(({ status }) => status)).toEqual(Array(callers).fill(201));
    expect(await shop.order(id)).toMatchObject({ refunded_total: 1000, status: 'refunded' });
  });

  test('that exceed the paid amount succeed until it is used up', async () => {
    const { id, refund, lock } = await sold();
    const { shop } = opened;
    const replies = await behindLock(shop.store, lock, times(callers, refund(300)));
    const codes = replies
      .map(({ status, body }) => String(body.code ?? status))
      .toSorted((a, b) => a.localeCompare(b));
    expect(codes).toEqual([...Array(3).fill('201'), ...Array(7).fill('refund_exceeds_paid')]);
    expect(await shop.order(id)).toMatchObject({ refunded_total: 900, status: 'completed' });
  });
});

test('ten callers who register and unregister one string all get their turn at its only seat', async () => {
  const { shop } = opened;
  const product = await shop.newProduct({ license: { active: true, count: 1 } });
  const user = await shop.newUser();
  const { body } = await shop.api.post('/licenses', { product_id: product.id, user_id: user.id });
  const asked = { license: body.data.code, string: 'same.example' };
  const register = () => shop.api.post('/licenses/register', asked);
  const unregister = () => shop.api.post('/licenses/unregister', asked);
  await register();
  const lock = `select from licenses where id = ${body.data.id} for update`;
  const mixed = Array.from({ length: callers }, (_, n) => (n % 2 ? register : unregister));
  // A caller who only notes that an activation was seen doesn't wait for the licence.
  const activations = `lock table license_activations in share mode`;
  const replies = await behindLock(shop.store, `${lock}; ${activations}`, mixed);
  for (const { status } of replies) expect([200, 404]).toContain(status);
  const after = (await shop.api.get(`/licenses/${body.data.id}`)).body.data;
  expect(after.activation_count).toBe(after.strings.length);
});
