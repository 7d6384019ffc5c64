import { expect, test } from 'vitest';
import { endNewBuyers } from '../../../src/jobs/end-new-buyers.ts';
import { useTill } from '../../operations/payments/till.ts';
import { buy, orderIdsOf, orderPath } from './buyer.ts';
import { visit } from './visitor.ts';

const opened = useTill('duitku');

test('an account that a purchase created stays if its buyer paid for an order that was cancelled meanwhile', async () => {
  const { till } = opened;
  const { fixture, store } = till;
  const { slug } = await fixture.product(till.product_id);
  const email = 'late-payer@people.example';
  const path = orderPath(await buy(store, slug, { email, pay: till.provider.id }));
  expect((await visit(store, `${path}/pay`, { method: 'POST' })).status).toBe(303);
  const [id = 0] = await orderIdsOf(store, email);
  await fixture.api.patch(`/orders/${id}`, { status: 'cancelled' });
  till.provider.pay(till.provider.references().at(-1) ?? '');
  await till.bring();
  await till.later(150);
  expect(await till.unexpected(id)).toMatchObject([{ status: 'open' }]);
  store.clock.advance(91 * 86_400);
  await endNewBuyers(await store.services());
  const { user_id } = await fixture.order(id);
  expect(await fixture.user(user_id ?? 0)).toMatchObject({ email, status: 'active' });
});
