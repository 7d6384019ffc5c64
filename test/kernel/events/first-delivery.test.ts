import { expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { useStore } from '../../harness/store.ts';
import { PostOffice } from './post-office.ts';
import { useReceiver } from './receiver.ts';

const opened = useStore();
const receiver = useReceiver();

test('an order placed with a key arrives signed at a webhook, and is in its feed once', async () => {
  const { store } = opened;
  // The verifier uses the real time.
  store.clock.set(new Date().toISOString());
  const office = await PostOffice.open(store);
  const webhook = await office.webhook(receiver.url('/orders'), { events: ['order.*'] });
  const user_id = (await office.api.post('/users', { email: 'buyer@mail.example' })).body.data.id;
  const placed = await office.api.post('/orders', { product_id: await office.product(), user_id });
  expect(placed).toMatchObject({ status: 201, trips: 2 });
  await office.store.settled();

  const [delivery, ...others] = receiver.at('/orders');
  expect(others).toEqual([]);
  if (!delivery) throw new Error('Nothing arrived.');
  const verified = new Webhook(webhook.secret).verify(delivery.body, delivery.headers);
  const order = placed.body.data;
  expect(verified).toEqual({
    id: delivery.headers['webhook-id'],
    type: 'order-created',
    event: 'order.created',
    object_id: order.id,
    created_at: store.clock.now().toISOString(),
    data: order,
  });
  expect(delivery.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
  });

  const feed = await office.feed(webhook);
  expect(feed).toMatchObject({ status: 200, trips: 1 });
  expect(feed.body).toEqual({
    success: true,
    next_since: 1,
    data: [
      {
        id: 1,
        type: 'order-created',
        at: store.clock.now().toISOString().slice(0, 19).replace('T', ' '),
        status: 'success',
        code: 200,
        data: { event: 'order.created', object_id: order.id, data: order },
      },
    ],
  });
});
