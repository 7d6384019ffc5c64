import { expect } from 'vitest';
import type { StoreFixture } from '../harness/store-fixture.ts';
import { checkIntegrity } from '../../src/cli/integrity/index.ts';
import { runJobs } from '../../src/jobs/index.ts';

const day = 86_400_000;

const licence = { active: true, count: 2, expires_days: 40, max_resets: 3 };

const tryout = { active: true, duration: 7, period: 'daily', first_only: false };

const products = [
  { regular: { duration: 1, period: 'monthly', price: 50_000 } },
  { regular: { duration: 1, period: 'monthly', price: 90_000 }, payments: 4, grace_days: 5 },
  { regular: { duration: 10, period: 'daily', price: 9_000 }, payments: 6, after: 'end' },
  { regular: { duration: 2, period: 'monthly', price: 9_000 }, tryout },
];

/**
 * Simulates days of a store that sells subscriptions. People subscribe, renew and pay; the store pauses, resumes,
 * cancels, refunds and sets ends. The jobs run each day, and all derived figures are recomputed regularly.
 */
export async function simulate(
  fixture: StoreFixture,
  { days, calls, checked }: { days: number; calls: number; checked: number },
  chance: () => number,
): Promise<Readonly<Record<string, number>>> {
  const answers: Record<string, number> = {};
  const of = <T>(items: readonly T[]) => items[Math.floor(chance() * items.length)];
  const say = async (name: string, reply: Promise<{ status: number; body: { code?: string } }>) => {
    const { status, body } = await reply;
    const key = `${name} ${status < 300 ? 'done' : (body.code ?? status)}`;
    answers[key] = (answers[key] ?? 0) + 1;
    expect(status, JSON.stringify(body)).toBeLessThan(500);
  };
  const sold = [];
  for (const subscription of products) {
    const fields = { subscription: { active: true, ...subscription }, license: licence };
    sold.push((await fixture.newProduct(fields)).id);
  }
  const begin = Date.parse('2027-01-31T03:00:00Z');
  for (let number = 0; number < days; number++) {
    fixture.store.clock.set(new Date(begin + number * day).toISOString());
    await runJobs(await fixture.store.services(), () => {});
    for (let call = 0; call < calls; call++) {
      fixture.store.clock.set(new Date(begin + number * day + (call + 1) * 60_000).toISOString());
      await step(fixture, sold, chance, of, say);
    }
    if (number % checked === checked - 1) await expectSound(fixture, number);
  }
  await expectSound(fixture, days);
  return answers;
}

async function expectSound({ store }: StoreFixture, number: number): Promise<void> {
  const found = await checkIntegrity(store.database);
  expect(
    found.filter(({ differences }) => differences > 0),
    `day ${number}`,
  ).toEqual([]);
}

interface Found {
  readonly id: number;
  readonly first_order_id: number;
  readonly user_id: number;
  readonly product_id: number;
  readonly order_id: number;
}

type Say = (name: string, reply: ReturnType<StoreFixture['api']['post']>) => Promise<void>;

async function step(
  { api, store, newOrder }: StoreFixture,
  sold: readonly number[],
  chance: () => number,
  of: <T>(items: readonly T[]) => T | undefined,
  say: Say,
): Promise<void> {
  const product_id = of(sold) ?? 0;
  const { rows } = await store.database.query<{ found: Found }>(
    `select json_build_object('id', s.id, 'first_order_id', s.first_order_id, 'user_id', s.user_id,
              'product_id', s.product_id,
              'order_id', (select t.order_id from subscription_terms t
                            where t.first_order_id = s.first_order_id
                            order by t.order_id * 7919 % 101 limit 1)) as found
       from subscriptions s order by s.id`,
  );
  const subscription = of(rows.slice(-40))?.found;
  if (!subscription || chance() < 0.2) {
    await newOrder({ product_id, ...(chance() < 0.8 && { status: 'completed' }) });
    return;
  }
  const { id, first_order_id, user_id, order_id } = subscription;
  const path = `/subscriptions/${id}`;
  const order = {
    product_id: subscription.product_id,
    user_id,
    order_parent_id: first_order_id,
  };
  const later = new Date(
    store.clock.now().getTime() + Math.ceil(chance() * 60) * day,
  ).toISOString();
  const moves = [
    () => say('pay', api.post('/orders', { ...order, status: 'completed' })),
    () => say('pay', api.post('/orders', { ...order, status: 'completed' })),
    () => say('order', api.post('/orders', order)),
    () => say('complete', api.patch(`/orders/${order_id}`, { status: 'completed' })),
    () => say('confirm', api.patch(`/orders/${order_id}`, { status: 'payment-confirm' })),
    () => say('reopen', api.patch(`/orders/${order_id}`, { status: 'on-hold' })),
    () => say('drop', api.patch(`/orders/${order_id}`, { status: 'cancelled' })),
    () => say('refund', api.post(`/orders/${order_id}/refunds`, {})),
    () => say('refund a part', api.post(`/orders/${order_id}/refunds`, { amount: 1 })),
    () => say('pause', api.post(`${path}/pause`, chance() < 0.5 ? {} : { until: later })),
    () => say('resume', api.post(`${path}/resume`)),
    () => say('resume', api.post(`${path}/resume`)),
    () => say('end', api.patch(path, { end_date: later })),
    () => say('price', api.patch(path, { next_price: Math.ceil(chance() * 9) * 1_000 })),
    () => say('cancel', api.post(`${path}/cancel`, { at: chance() < 0.7 ? 'end' : 'now' })),
  ];
  await of(moves)?.();
}
