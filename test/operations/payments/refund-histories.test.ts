import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { runs } from '../../harness/long.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useTill } from './till.ts';

const opened = useTill('stripe', 'USD', 2);
afterAll(() => expectIntegrity(opened.till));

/** An order with an accepted payment of another amount. */
async function accepted(share: number) {
  const { till } = opened;
  const { id } = await till.newOrder();
  const reference = await till.opened(id);
  till.provider.pay(reference, { amount: (till.price * share) / 100 });
  await till.bring();
  if (share === 100) return { id, reference };
  const [row] = await till.unexpected(id);
  const reply = await till.fixture.api.post(`/payments/unexpected/${row.id}`, { action: 'accept' });
  expect(reply.status).toBe(200);
  return { id, reference };
}

interface Shown {
  id: number;
  amount: number;
  state: string;
}

async function sums(order_id: number) {
  const refunds: Shown[] = await opened.till.refunds(order_id);
  const sum = (rows: Shown[]) => rows.reduce((total, { amount }) => total + amount, 0);
  return { all: sum(refunds), byHand: sum(refunds.filter(({ state }) => state === 'manual')) };
}

/** Returns the amount of a payment that was or will be refunded, by the store's rows. */
async function givenBack(order_id: number): Promise<number> {
  const { rows } = await opened.till.store.database.query<{ sum: string }>(
    `select coalesce(sum(r.amount), 0) as sum from provider_refunds r
       join payment_sessions p on p.id = r.session_id
      where p.order_id = $1 and r.state <> 'failed'`,
    [order_id],
  );
  return Number(rows[0]?.sum);
}

async function settle() {
  const { till } = opened;
  await till.later(1);
  till.provider.settleRefunds?.('succeeded');
  await till.bring();
}

test('POST /orders/{id}/refunds asks the provider for the amount of a smaller payment that was accepted, and books the rest as manual', async () => {
  const { till } = opened;
  const { id, reference } = await accepted(40);
  const reply = await till.fixture.api.post(`/orders/${id}/refunds`, {});
  expect(reply).toMatchObject({
    status: 201,
    body: {
      data: {
        refund: { amount: till.price * 0.4, state: 'requested' },
        rest: { amount: till.price * 0.6, state: 'manual' },
        order: { status: 'refunded', refunded_total: till.price },
      },
    },
  });
  await settle();
  await till.later(3600);
  expect(till.provider.books(reference)).toMatchObject({ refunds: 1, refunded: till.price * 0.4 });
  expect(await till.refunds(id)).toMatchObject([{ state: 'manual' }, { state: 'succeeded' }]);
});

test('A smaller payment that went back whole takes nothing from the next one', async () => {
  const { till } = opened;
  const { id, reference } = await accepted(40);
  till.provider.refundByHand(reference);
  await till.bring(2);
  await till.fixture.api.patch(`/orders/${id}`, { status: 'in-progress' });
  await till.fixture.api.patch(`/orders/${id}`, { status: 'on-hold' });
  expect(await till.fixture.order(id)).toMatchObject({ status: 'on-hold', refunded_total: 0 });
  const next = await till.opened(id);
  till.provider.pay(next);
  await till.bring();
  expect(await till.fixture.order(id)).toMatchObject({ status: 'completed', refunded_total: 0 });
  await till.refund(id);
  await settle();
  expect(till.provider.books(next).refunded).toBe(till.price);
});

test.each(['cancelled', 'refunded'])(
  'PATCH /orders/{id} to %s asks the provider for no more than it received',
  async (status) => {
    const { till } = opened;
    const { id, reference } = await accepted(40);
    const path = `/orders/${id}`;
    await till.fixture.api.patch(path, { status: 'in-progress' });
    expect((await till.fixture.api.patch(path, { status })).status).toBe(200);
    await settle();
    expect(till.provider.books(reference).refunded).toBe(till.price * 0.4);
    expect(await sums(id)).toEqual({ all: till.price, byHand: till.price * 0.6 });
  },
);

test('a dashboard refund of money beyond the total leaves the order paid, and a larger one refunds the order', async () => {
  const { till } = opened;
  const { id, reference } = await accepted(300);
  till.provider.refundByHand(reference, 2 * till.price);
  await till.bring(2);
  expect(await till.fixture.order(id)).toMatchObject({ status: 'completed', refunded_total: 0 });
  till.provider.refundByHand(reference, till.price / 4);
  await till.bring(2);
  expect(await till.fixture.order(id)).toMatchObject({ refunded_total: till.price / 4 });
  await till.refund(id);
  await settle();
  expect(till.provider.books(reference).refunded).toBe(3 * till.price);
  expect(await sums(id)).toEqual({ all: till.price, byHand: 0 });
});

test('money of another currency that was accepted is paid back by hand, or all of it at the dashboard', async () => {
  const { till } = opened;
  for (const isByHand of [true, false]) {
    const { id } = await till.newOrder();
    const reference = await till.opened(id);
    till.provider.pay(reference, { currency: 'EUR', amount: 9000 });
    await till.bring();
    const [row] = await till.unexpected(id);
    await till.fixture.api.post(`/payments/unexpected/${row.id}`, { action: 'accept' });
    till.provider.refundByHand(reference, 4000);
    await till.bring(2);
    expect((await till.fixture.order(id)).refunded_total).toBe(0);
    if (isByHand) expect(await till.refund(id)).toMatchObject({ state: 'manual' });
    else till.provider.refundByHand(reference);
    await till.bring(2);
    expect(await sums(id)).toEqual({ all: till.price, byHand: isByHand ? till.price : 0 });
    expect(till.provider.books(reference).refunds).toBe(isByHand ? 1 : 2);
  }
});

test('a dashboard refund counts as a part of a requested refund if both together exceed the payment', async () => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  await till.refund(id);
  till.provider.refundByHand(reference, till.price / 4);
  await till.bring(2);
  expect(await till.refunds(id)).toMatchObject([
    { amount: (3 * till.price) / 4, state: 'requested' },
    { amount: till.price / 4, state: 'succeeded' },
  ]);
  await settle();
  expect(till.provider.books(reference)).toMatchObject({ refunds: 2, refunded: till.price });
});

test('a dashboard refund that was taken for one of ours is booked once that one failed', async () => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  await till.refund(id, till.price / 2);
  await till.later(1);
  till.provider.settleRefunds?.('failed');
  till.provider.refundByHand(reference, till.price / 4);
  await till.bring();
  for (let turn = 0; turn < 2; turn++) await till.later(6 * 3600);
  expect(await till.refunds(id)).toMatchObject([{ state: 'succeeded' }, { state: 'failed' }]);
  expect((await till.fixture.order(id)).refunded_total).toBe((3 * till.price) / 4);
});

const share = fc.integer({ min: 1, max: 100 });
const step = fc.oneof(
  share.map((part) => ({ kind: 'refund', part }) as const),
  share.map((part) => ({ kind: 'dashboard', part }) as const),
  share.map((part) => ({ kind: 'lower', part }) as const),
  fc.constant({ kind: 'raise', part: 0 } as const),
  fc.constantFrom('succeeded', 'failed').map((outcome) => ({ kind: 'settle', outcome }) as const),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Paid {
  readonly id: number;
  readonly reference: string;
}

/** Makes a step, and checks that a refund asks the provider for exactly the rest of its payment. */
async function take(change: Step, { id, reference }: Paid): Promise<void> {
  const { till } = opened;
  const { api } = till.fixture;
  const order = await till.fixture.order(id);
  const books = till.provider.books(reference);
  if (change.kind === 'settle') {
    await till.later(1);
    till.provider.settleRefunds?.(change.outcome);
    await till.bring();
  } else if (change.kind === 'dashboard') {
    const amount = Math.ceil(((books.paid - books.refunded) * change.part) / 100);
    if (amount > 0) till.provider.refundByHand(reference, amount);
    await till.bring();
  } else if (change.kind === 'refund') {
    const amount = Math.ceil((order.net_total * change.part) / 100);
    const left = books.paid - (await givenBack(id));
    const before = await sums(id);
    const { status } = await api.post(`/orders/${id}/refunds`, { amount });
    if (status !== 201) return;
    const byHand = (await sums(id)).byHand - before.byHand;
    expect(byHand).toBe(amount - Math.min(amount, left));
  } else {
    const lower = Math.ceil((order.grand_total * change.part) / 100);
    const grand_total = change.kind === 'raise' ? order.grand_total + 1 : lower;
    const { status } = await api.patch(`/orders/${id}`, { grand_total });
    if (change.kind === 'raise') expect(status).toBe(409);
  }
}

async function check({ id, reference }: Paid): Promise<void> {
  const { till } = opened;
  const order = await till.fixture.order(id);
  const { paid, refunded } = till.provider.books(reference);
  expect((await sums(id)).all).toBe(order.refunded_total);
  expect(await givenBack(id)).toBeLessThanOrEqual(paid);
  expect(refunded).toBeLessThanOrEqual(paid);
}

test('the books and the provider agree after any refunds, dashboard refunds and totals, whatever was paid', async () => {
  const paid = fc.constantFrom(30, 99, 100, 101, 250);
  await fc.assert(
    fc.asyncProperty(paid, fc.array(step, { minLength: 1, maxLength: 6 }), async (came, steps) => {
      const order = await accepted(came);
      for (const change of steps) {
        await take(change, order);
        await check(order);
      }
      await settle();
      for (let turn = 0; turn < 2; turn++) {
        await opened.till.later(6 * 3600);
        await settle();
      }
      await check(order);
      const { till } = opened;
      // The store and the provider agree on the refunded sum.
      expect(till.provider.books(order.reference).refunded).toBe(await givenBack(order.id));
    }),
    { numRuns: runs(12) },
  );
}, 120_000);
