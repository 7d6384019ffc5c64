import { afterAll, describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock, times } from './queue.ts';

const opened = useStoreFixture();

afterAll(() => expectIntegrity(opened.fixture));

const callers = 10;

describe('Ten refunds of one order at once', () => {
  const sold = async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct({ price: 1000 });
    const { id } = await fixture.newOrder({ product_id, status: 'completed' });
    const refund = (amount: number) => () => fixture.api.post(`/orders/${id}/refunds`, { amount });
    return { id, refund, lock: `select from orders where id = ${id} for update` };
  };

  long('that fit together all succeed', async () => {
    const { id, refund, lock } = await sold();
    const { fixture } = opened;
    const replies = await behindLock(fixture.store, lock, times(callers, refund(100)));
    expect(replies.map(({ status }) => status)).toEqual(Array(callers).fill(201));
    expect(await fixture.order(id)).toMatchObject({ refunded_total: 1000, status: 'refunded' });
  });

  test('that exceed the paid amount succeed until it is used up', async () => {
    const { id, refund, lock } = await sold();
    const { fixture } = opened;
    const replies = await behindLock(fixture.store, lock, times(callers, refund(300)));
    const codes = replies
      .map(({ status, body }) => String(body.code ?? status))
      .toSorted((a, b) => a.localeCompare(b));
    expect(codes).toEqual([...Array(3).fill('201'), ...Array(7).fill('refund_exceeds_paid')]);
    expect(await fixture.order(id)).toMatchObject({ refunded_total: 900, status: 'completed' });
  });
});

test('ten callers who register and unregister one string all get their turn at its only seat', async () => {
  const { fixture } = opened;
  const product = await fixture.newProduct({ license: { active: true, count: 1 } });
  const user = await fixture.newUser();
  const { body } = await fixture.api.post('/licenses', {
    product_id: product.id,
    user_id: user.id,
  });
  const asked = { license: body.data.code, string: 'same.example' };
  const register = () => fixture.api.post('/licenses/register', asked);
  const unregister = () => fixture.api.post('/licenses/unregister', asked);
  await register();
  const lock = `select from licenses where id = ${body.data.id} for update`;
  const mixed = Array.from({ length: callers }, (_, n) => (n % 2 ? register : unregister));
  // A caller who only records that an activation was seen doesn't wait for the licence.
  const activations = `lock table license_activations in share mode`;
  const replies = await behindLock(fixture.store, `${lock}; ${activations}`, mixed);
  for (const { status } of replies) expect([200, 404]).toContain(status);
  const after = (await fixture.api.get(`/licenses/${body.data.id}`)).body.data;
  expect(after.activation_count).toBe(after.strings.length);
});
