import { afterAll, describe, expect, test } from 'vitest';
import { apiBase } from '../faults/mortal.ts';
import { long } from '../harness/long.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { useTill } from '../operations/payments/till.ts';
import { behindLock, transaction } from './queue.ts';

const opened = useTill('midtrans');
afterAll(() => expectIntegrity(opened.till));

const orderLock = (id: number) => `select from orders where id = ${id} for no key update`;

/** An order of goods whose payment was reversed, and has just come again. */
async function paidAgain() {
  const { till } = opened;
  const { id: product_id } = await till.fixture.newProduct({ type: 'physical', price: till.price });
  const { id, reference } = await till.paid({ product_id });
  till.store.clock.advance(300);
  till.provider.decline(reference);
  await till.bring();
  till.store.clock.advance(300);
  till.provider.pay(reference);
  const [callback] = till.provider.takeCallbacks(apiBase).slice(-1);
  if (!callback) throw new Error('The payment was not reported.');
  return { id, reference, report: () => till.post(callback) };
}

const decisions: [string, (id: number) => Promise<unknown>][] = [
  ['set to on-hold', (id) => opened.till.fixture.api.patch(`/orders/${id}`, { status: 'on-hold' })],
  ['cancelled', (id) => opened.till.fixture.api.patch(`/orders/${id}`, { status: 'cancelled' })],
  ['refunded', (id) => opened.till.fixture.api.post(`/orders/${id}/refunds`, {})],
  ['deleted', (id) => opened.till.fixture.api.delete(`/orders/${id}`)],
];

/** Tells if the money of a payment pays its order, is listed, or went back. */
async function isKnown(id: number, reference: string): Promise<boolean> {
  const { till } = opened;
  for (const seconds of [61, 130, 600]) await till.later(seconds);
  if (till.provider.books(reference).refunded === till.price) return true;
  const rows: { status: string }[] = await till.unexpected(id);
  if (rows.some(({ status }) => status === 'open')) return true;
  const order = await till.fixture.order(id);
  return order.status === 'in-progress';
}

describe.each(['first', 'second'])(
  'A payment that comes again, as the %s of two calls,',
  (place) => {
    test.each(decisions)('is not lost while its order is %s', async (_, decide) => {
      const { id, reference, report } = await paidAgain();
      const callers = [report, () => decide(id)];
      if (place === 'second') callers.reverse();
      await behindLock<unknown>(opened.till.store, orderLock(id), callers, { inTurn: true });
      expect(await isKnown(id, reference)).toBe(true);
    });
  },
);

long('Control: a payment that does not raise the version of its order is forgotten', async () => {
  const { till } = opened;
  const { id, reference } = await paidAgain();
  const callers = [
    transaction(till.store, async (client) => {
      const payment = 'update payment_sessions set paid_amount = amount where reference = $1';
      await client.query(orderLock(id));
      await client.query(payment, [reference]);
      return true;
    }),
    () => till.fixture.api.patch(`/orders/${id}`, { status: 'cancelled' }),
  ];
  await behindLock<unknown>(till.store, orderLock(id), callers, { inTurn: true });
  expect(await till.refunds(id)).toMatchObject([{ state: 'paid_by_hand', amount: till.price }]);
});

describe('An order in review stays there if more money comes while', () => {
  /** An order with two pages of former totals. */
  async function twoPages() {
    const { till } = opened;
    const { id } = await till.newOrder();
    const pages: string[] = [];
    for (const more of [100_000, 200_000]) {
      pages.push(await till.opened(id));
      till.provider.fail('cancel', 'dropped');
      await till.fixture.api.patch(`/orders/${id}`, { grand_total: till.price + more });
    }
    const [first = '', second = ''] = pages;
    return { id, first, second };
  }

  async function together(id: number, second: string, decide: () => Promise<unknown>) {
    const { till } = opened;
    till.provider.pay(second);
    const [callback] = till.provider.takeCallbacks(apiBase).slice(-1);
    if (!callback) throw new Error('The payment was not reported.');
    const callers = [decide, () => till.post(callback)];
    await behindLock<unknown>(till.store, orderLock(id), callers, { inTurn: true });
    expect(await till.fixture.order(id)).toMatchObject({ status: 'payment-confirm' });
    const rows: { status: string }[] = await till.unexpected(id);
    expect(rows.filter(({ status }) => status === 'open')).toHaveLength(1);
  }

  test('another wrong amount is refunded', async () => {
    const { till } = opened;
    const { id, first, second } = await twoPages();
    till.provider.pay(first);
    await till.bring();
    const [row] = await till.unexpected(id);
    const path = `/payments/unexpected/${row.id}`;
    await together(id, second, () => till.fixture.api.post(path, { action: 'refund' }));
  });

  test('its payment proof is rejected', async () => {
    const { till } = opened;
    const { id, second } = await twoPages();
    const { api } = till.fixture;
    const proof = await api.post('/confirmations', { order_id: id, total: till.price + 200_000 });
    const rejected = { status: 'rejected', reject_reason: 'Nothing came.' };
    await together(id, second, () => api.post(`/confirmations/${proof.body.data.id}`, rejected));
  });
});

test.each(['first', 'second'])(
  'A payment that is accepted as the %s of two calls is not lost if the other call sets its order to on-hold',
  async (place) => {
    const { till } = opened;
    const { api } = till.fixture;
    const product = await till.fixture.newProduct({ type: 'physical', price: till.price });
    const { id } = await till.newOrder({ product_id: product.id });
    const reference = await till.opened(id);
    till.provider.fail('cancel', 'dropped');
    await api.patch(`/orders/${id}`, { status: 'in-progress' });
    till.provider.pay(reference);
    await till.bring();
    const [row] = await till.unexpected(id);
    const callers: (() => Promise<unknown>)[] = [
      () => api.post(`/payments/unexpected/${row.id}`, { action: 'accept' }),
      () => api.patch(`/orders/${id}`, { status: 'on-hold' }),
    ];
    if (place === 'second') callers.reverse();
    await behindLock(till.store, orderLock(id), callers, { inTurn: true });
    const { status } = await till.fixture.order(id);
    const [after] = await till.unexpected(id);
    expect(`${status} ${after.status}`).toBe(
      place === 'first' ? 'on-hold open' : 'in-progress accepted',
    );
  },
);
