import { expect, test } from 'vitest';
import { expectIntegrity, expectNoticed } from '../../harness/integrity.ts';
import { useTill } from './till.ts';

const opened = useTill('stripe');

test.each([
  [
    'money that came and neither paid its order nor is kept as unexpected',
    'update payment_sessions set booked_at = null',
  ],
  ['money that pays an order and has not come', `update payment_sessions set status = 'created'`],
  [
    'orders that wait for their payment although it paid them',
    `update orders set paid_at = null, status = 'on-hold'`,
  ],
  [
    'money at providers that no order has, no refund gives back and no list shows',
    `with gone as (delete from provider_refunds), un as (delete from refunds)
     update orders set paid_at = null, status = 'cancelled'`,
  ],
  ['refunds at providers against refunds', 'update provider_refunds set amount = amount + 1'],
  ['providers that are to give back more than came', 'update payment_sessions set paid_amount = 1'],
])('npm run integrity reports %s', async (name, damage) => {
  const { till } = opened;
  const order = await till.newOrder();
  till.provider.pay(await till.opened(order.id));
  await till.bring();
  const refund = await till.fixture.api.post(`/orders/${order.id}/refunds`, { amount: 100 });
  expect(refund.status).toBe(201);
  await expectIntegrity(till);
  await expectNoticed(till, name, damage);
});
