import { afterAll, expect, test } from 'vitest';
import { expectIntegrity } from '../../harness/integrity.ts';
import { baseUrl } from '../../harness/store.ts';
import { MidtransServer } from '../../providers/midtrans.ts';
import { useTill } from './till.ts';

const opened = useTill('midtrans');
afterAll(() => expectIntegrity(opened.till));

function midtrans(): MidtransServer {
  const { provider } = opened.till;
  if (provider instanceof MidtransServer) return provider;
  throw new Error('The till has another provider.');
}

/** Looks up every payment and refund until nothing changes. */
async function settle() {
  const { till } = opened;
  for (const seconds of [61, 130, 600, 3700]) {
    await till.later(seconds);
    await till.bring();
  }
}

async function reverse(reference: string) {
  const { till } = opened;
  till.store.clock.advance(300);
  till.provider.decline(reference);
  await till.bring(2);
}

async function payAgain(reference: string) {
  const { till } = opened;
  till.provider.pay(reference);
  await till.bring(2);
}

/** Pays an order whose total was raised meanwhile. */
async function payTooLittle() {
  const { till } = opened;
  const { id } = await till.newOrder();
  const reference = await till.opened(id);
  await till.fixture.api.patch(`/orders/${id}`, { grand_total: till.price * 2 });
  await payAgain(reference);
  return { id, reference };
}

/** Pays a cancelled order, whose page could not be closed. */
async function payCancelled() {
  const { till } = opened;
  const { id } = await till.newOrder();
  const reference = await till.opened(id);
  till.provider.fail('cancel', 'dropped');
  await move(id, ['cancelled']);
  await payAgain(reference);
  return { id, reference };
}

async function move(id: number, statuses: readonly string[]) {
  for (const status of statuses) await opened.till.fixture.api.patch(`/orders/${id}`, { status });
}

const refundedAt = (reference: string) => opened.till.provider.books(reference).refunded;

const decide = async (order_id: number, action: string) => {
  const { till } = opened;
  const [row] = await till.unexpected(order_id);
  return till.fixture.api.post(`/payments/unexpected/${row.id}`, { action });
};

test.each(['gopay', 'dana'])(
  'A reversal by %s is found although the buyer began another try before the look-up',
  async (method) => {
    const { till } = opened;
    midtrans().method = method;
    const { id, reference } = await till.paid();
    till.store.clock.advance(300);
    till.provider.decline(reference);
    till.provider.begin(reference);
    await till.bring(2);
    midtrans().method = 'gopay';
    expect(await till.unexpected(id)).toMatchObject([{ reason: 'reversed', amount: till.price }]);
    await payAgain(reference);
    expect(await till.unexpected(id)).toMatchObject([{ reason: 'reversed', status: 'accepted' }]);
  },
);

test('A second try by DANA pays its order although the first was denied', async () => {
  const { till } = opened;
  const { id } = await till.newOrder();
  const reference = await till.opened(id);
  midtrans().method = 'dana';
  till.provider.begin(reference);
  await till.bring();
  till.provider.decline(reference);
  await till.bring();
  till.provider.pay(reference);
  await till.bring();
  midtrans().method = 'gopay';
  expect(await till.fixture.order(id)).toMatchObject({ status: 'completed' });
});

test.each(['dana', 'bsi_va'])(
  'A payment by %s is found later if Midtrans answered none of the look-ups of its callbacks',
  async (method) => {
    const { till } = opened;
    const { id } = await till.newOrder();
    const reference = await till.opened(id);
    midtrans().method = method;
    for (let looks = 0; looks < 2; looks++) till.provider.fail('look', 'overloaded');
    till.provider.begin(reference);
    await till.bring();
    till.provider.pay(reference);
    await till.bring();
    midtrans().method = 'gopay';
    expect(await till.fixture.order(id)).toMatchObject({ status: 'on-hold' });
    await till.later(130);
    expect(await till.fixture.order(id)).toMatchObject({ status: 'completed' });
  },
);

test.each([true, false])(
  'A payment by DANA is found although the denial of a card is reported after it; with Midtrans down: %s',
  async (isDown) => {
    const { till } = opened;
    const { id } = await till.newOrder();
    const reference = await till.opened(id);
    midtrans().method = 'credit_card';
    till.provider.decline(reference);
    const ofCard = till.provider.takeCallbacks(`${baseUrl}/api/svc/v1`);
    midtrans().method = 'dana';
    till.provider.pay(reference);
    const ofDana = till.provider.takeCallbacks(`${baseUrl}/api/svc/v1`);
    for (const callback of ofDana) {
      till.provider.fail('look', 'overloaded');
      await till.post(callback);
    }
    for (const callback of ofCard) {
      if (isDown) till.provider.fail('look', 'overloaded');
      await till.post(callback);
    }
    midtrans().method = 'gopay';
    await till.later(130);
    expect(await till.fixture.order(id)).toMatchObject({ status: 'completed' });
  },
);

test('A refund of a reversed payment is not repeated when its page is paid again', async () => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  await till.refund(id, 100_000);
  await till.later(61);
  await reverse(reference);
  await move(id, ['in-progress', 'on-hold']);
  await payAgain(reference);
  await settle();
  expect(await till.fixture.order(id)).toMatchObject({ status: 'completed', refunded_total: 0 });
  expect(refundedAt(reference)).toBe(0);
  await till.refund(id);
  await settle();
  expect(refundedAt(reference)).toBe(till.price);
});

test('A dashboard refund is booked once if its payment was reversed and made again before the look-up', async () => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  await till.refund(id, 100_000);
  await till.later(61);
  till.provider.decline(reference);
  till.provider.pay(reference);
  till.provider.refundByHand(reference, 50_000);
  await till.bring();
  await settle();
  expect(await till.fixture.order(id)).toMatchObject({ refunded_total: 150_000 });
  expect(refundedAt(reference)).toBe(50_000);
  await till.refund(id);
  await settle();
  expect(refundedAt(reference)).toBe(till.price - 100_000);
});

test('A pending refund of a reversed payment takes nothing from the next payment', async () => {
  const { till } = opened;
  midtrans().holdsRefunds = true;
  const { id, reference } = await till.paid();
  await till.refund(id, 100_000);
  await till.later(61);
  await reverse(reference);
  await move(id, ['in-progress', 'on-hold']);
  await payAgain(reference);
  midtrans().holdsRefunds = false;
  await settle();
  expect(refundedAt(reference)).toBe(0);
  midtrans().confirmRefunds();
  await settle();
  expect(await till.refunds(id)).toMatchObject([{ state: 'succeeded', amount: 100_000 }]);
});

test('A refunded order whose payment was reversed and came again can be refunded again', async () => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  await till.refund(id);
  await till.later(61);
  await reverse(reference);
  await payAgain(reference);
  const [row] = await till.unexpected(id);
  expect(row).toMatchObject({ reason: 'order_refunded', status: 'open', refunded_total: 0 });
  expect(await decide(id, 'refund')).toMatchObject({ status: 200 });
  await settle();
  expect(refundedAt(reference)).toBe(till.price);
});

test('Unexpected money that came again is refunded whole, whatever was refunded of it before', async () => {
  const { till } = opened;
  const { id, reference } = await payTooLittle();
  till.provider.refundByHand(reference, 100_000);
  await till.bring();
  await reverse(reference);
  await payAgain(reference);
  const rows = await till.unexpected(id);
  const again = rows.find(({ status }: { status: string }) => status === 'open');
  expect(again).toMatchObject({ reason: 'amount', amount: till.price, refunded_total: 0 });
  await till.fixture.api.post(`/payments/unexpected/${again.id}`, { action: 'refund' });
  await settle();
  expect(refundedAt(reference)).toBe(till.price);
});

test.each([
  ['cancelled', 'order_cancelled'],
  ['completed', 'order_paid'],
])(
  'Unexpected money that was reversed and comes again for an order that is %s is listed once',
  async (status, reason) => {
    const { till } = opened;
    const { id, reference } = await payTooLittle();
    await reverse(reference);
    await move(id, [status]);
    await payAgain(reference);
    const rows = await till.unexpected(id);
    const open = rows.filter((row: { status: string }) => row.status === 'open');
    expect(open).toMatchObject([{ reason, amount: till.price }]);
  },
);

test('Money that was returned by hand pays no order when it is accepted', async () => {
  const { till } = opened;
  const { id } = await payCancelled();
  await decide(id, 'paid_by_hand');
  await move(id, ['on-hold']);
  await till.store.database.query(
    "update unexpected_payments set status = 'open', resolved_at = null where order_id = $1",
    [id],
  );
  expect(await decide(id, 'accept')).toMatchObject({ status: 200 });
  expect(await till.fixture.order(id)).toMatchObject({ status: 'on-hold' });
});

test('Unexpected money that was reversed and then pays its order needs no decision any more', async () => {
  const { till } = opened;
  const { id, reference } = await payCancelled();
  await reverse(reference);
  await move(id, ['on-hold']);
  await payAgain(reference);
  expect(await till.fixture.order(id)).toMatchObject({ status: 'completed' });
  const rows = await till.unexpected(id);
  expect(rows).toHaveLength(2);
  expect(rows).toEqual(rows.map(() => expect.objectContaining({ status: 'accepted' })));
});

test('A refund of a payment that was reversed unseen is paid by a dashboard refund of the next payment', async () => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  await till.refund(id, 250_000);
  till.provider.decline(reference);
  till.provider.pay(reference);
  // The provider refuses to refund the first payment before the look-up.
  till.lose();
  await till.later(61);
  expect(await till.refunds(id)).toMatchObject([{ state: 'failed', amount: 250_000 }]);
  till.provider.refundByHand(reference, 250_000);
  await till.bring();
  await settle();
  expect(await till.refunds(id)).toMatchObject([{ state: 'succeeded', amount: 250_000 }]);
  expect(await till.fixture.order(id)).toMatchObject({ refunded_total: 250_000 });
  expect(refundedAt(reference)).toBe(250_000);
});

test('A refund that the provider refused is settled if its order was reopened, and paid by another payment on the page', async () => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  till.store.clock.advance(300);
  till.provider.decline(reference);
  await move(id, ['in-progress', 'cancelled']);
  till.provider.pay(reference);
  await move(id, ['on-hold']);
  // The provider refuses to refund the first payment before its callbacks come.
  await settle();
  expect(await till.fixture.order(id)).toMatchObject({ status: 'completed', refunded_total: 0 });
  const refunds: unknown[] = await till.refunds(id);
  expect(refunds).toMatchObject([{ state: 'paid_by_hand', amount: till.price }]);
});
