import { expect, test } from 'vitest';
import { expectIntegrity, expectNoticed } from '../../harness/integrity.ts';
import { useTill } from './till.ts';

const opened = useTill('stripe');

test.each([
  [
    'received payments that neither paid their order nor are unexpected payments',
    'update payment_sessions set booked_at = null',
  ],
  ['payments of orders that were not received', `update payment_sessions set status = 'created'`],
  [
    'orders that wait for a payment although a provider has one of them: refund it there',
    `update orders set paid_at = null, status = 'on-hold'`,
  ],
  [
    'received payments without an order, a refund or an unexpected payment',
    `with gone as (delete from provider_refunds), un as (delete from refunds)
     update orders set paid_at = null, status = 'cancelled'`,
  ],
  ['refunds at providers against refunds', 'update provider_refunds set amount = amount + 1'],
  ['refunds at providers above the received amount', 'update payment_sessions set paid_amount = 1'],
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
