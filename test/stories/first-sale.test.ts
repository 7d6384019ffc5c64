import { expect, test } from 'vitest';
import { useStore } from '../harness/store.ts';

const opened = useStore();

test('an order placed with an API key is read by its buyer on /me', async () => {
  const api = await opened.store.key();
  const product = await api.post('/products', { title: 'Course', price: 15_000 });
  expect(product).toMatchObject({ status: 201, trips: 2, body: { data: { price: 15_000 } } });
  const user = await api.post('/users', { email: 'Buyer@Example.com', first_name: 'Bo' });
  expect(user).toMatchObject({
    status: 201,
    trips: 2,
    body: { data: { email: 'buyer@example.com' } },
  });

  const placed = await api.post('/orders', {
    product_id: product.body.data.id,
    user_id: user.body.data.id,
    quantity: 2,
  });
  expect(placed).toMatchObject({
    status: 201,
    trips: 2,
    body: { data: { status: 'on-hold', grand_total: 30_000, payment_status: 'unpaid' } },
  });

  const session = await api.post('/sessions', { user_id: user.body.data.id });
  expect(session).toMatchObject({ status: 200, trips: 1 });
  const app = opened.store.client({ authorization: `Bearer ${session.body.data.token}` });
  const me = await app.get('/me');
  expect(me).toMatchObject({ status: 200, trips: 1, body: { data: { display_name: 'Bo' } } });
  const own = await app.get('/me/orders');
  expect(own).toMatchObject({ status: 200, trips: 1 });
  expect(own.body.data).toEqual([placed.body.data]);
  const one = await app.get(`/me/orders/${placed.body.data.id}`);
  expect(one).toMatchObject({
    status: 200,
    trips: 1,
    body: { data: { history: [{ to: 'on-hold' }] } },
  });
});
