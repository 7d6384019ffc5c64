import { expect, test } from 'vitest';
import { runJobs } from '../../../src/jobs/index.ts';
import { useTill } from '../../operations/payments/till.ts';
import { buy, orderIdsOf, orderPath, report } from './buyer.ts';
import { visit } from './visitor.ts';

const opened = useTill('stripe');

/** Orders in the shop, and opens the page of the provider. */
async function place(email: string) {
  const { till } = opened;
  const { slug } = await till.fixture.product(till.product_id);
  const path = orderPath(await buy(till.store, slug, { email, pay: till.provider.id }));
  const [id = 0] = await orderIdsOf(till.store, email);
  expect((await visit(till.store, `${path}/pay`, { method: 'POST' })).status).toBe(303);
  return { id, path, reference: till.provider.references().at(-1) ?? '' };
}

async function aWeekLater() {
  const { till } = opened;
  till.store.clock.advance(7 * 86_400 + 3600);
  const problems: unknown[] = [];
  await runJobs(await till.store.services(), (line) => problems.push(line));
  expect(problems).toEqual([]);
}

const status = async (id: number) => (await opened.till.fixture.order(id)).status;

test('An order with an unreviewed payment proof is not cancelled while money of another amount is undecided', async () => {
  const { till } = opened;
  const { id, path, reference } = await place('wrong@people.example');
  till.provider.fail('cancel', 'dropped');
  await till.fixture.api.patch(`/orders/${id}`, { grand_total: till.price - 1000 });
  till.provider.pay(reference);
  await till.bring();
  await report(till.store, path);
  await aWeekLater();
  expect(await status(id)).toBe('payment-confirm');
  const [row] = await till.unexpected(id);
  await till.fixture.api.post(`/payments/unexpected/${row.id}`, { action: 'paid_by_hand' });
  await aWeekLater();
  expect(await status(id)).toBe('cancelled');
});

test('An order with an unreviewed payment proof is not cancelled while its payment is pending', async () => {
  const { till } = opened;
  const { id, reference } = await place('debit@people.example');
  till.provider.begin(reference);
  await till.bring();
  await till.fixture.api.post('/confirmations', { order_id: id, total: till.price });
  expect(await status(id)).toBe('payment-confirm');
  await aWeekLater();
  expect(await status(id)).toBe('payment-confirm');
  till.provider.pay(reference);
  await till.bring();
  expect(await status(id)).toBe('completed');
});
