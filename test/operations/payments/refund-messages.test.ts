import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usePost } from '../messages/post.ts';
import { Till } from './till.ts';

/** A store with a provider, and the messages that some work causes there: kind and status. */
function useShop(provider: string, currency: string, exponent: number) {
  const opened = usePost(['resend']);
  let till: Till;
  beforeAll(async () => {
    till = await Till.open(provider, currency, exponent, opened.post.fixture);
    await opened.post.silence('unexpected-payment');
  });
  afterAll(() => till.provider.close());
  return {
    get till() {
      return till;
    },
    told: async (work: () => Promise<unknown>) => {
      const messages = await opened.post.told(async () => {
        await work();
        await opened.post.later(0);
      });
      return messages.map(({ kind, status }) => `${kind} ${status}`);
    },
  };
}

describe('The buyer of an order whose payment the bank has reversed', () => {
  const shop = useShop('midtrans', 'IDR', 0);

  async function reversed() {
    const { till } = shop;
    const { id, reference } = await till.paid();
    till.store.clock.advance(300);
    till.provider.decline(reference);
    await till.bring();
    return id;
  }

  test('gets no message about a refund, which sends no money', async () => {
    const id = await reversed();
    expect(await shop.told(() => shop.till.refund(id))).toEqual([]);
  });

  test('is told of the cancellation, and not that money is on its way', async () => {
    const { api } = shop.till.fixture;
    const id = await reversed();
    await api.patch(`/orders/${id}`, { status: 'in-progress' });
    const cancel = () => api.patch(`/orders/${id}`, { status: 'cancelled' });
    expect(await shop.told(cancel)).toEqual(['order-cancelled sent']);
  });

  test('is told of a refund that sends money', async () => {
    const { id } = await shop.till.paid();
    expect(await shop.told(() => shop.till.refund(id))).toEqual(['order-refunded sent']);
  });
});

describe('The buyer of an order', () => {
  const shop = useShop('paypal', 'USD', 2);

  test('gets no message about money that their bank took back by a dispute', async () => {
    const { till } = shop;
    const { id, reference } = await till.paid();
    till.provider.dispute?.(reference, 'lost');
    expect(await shop.told(() => till.bring())).toEqual(['order-refunded cancelled']);
    expect(await till.refunds(id)).toMatchObject([{ state: 'succeeded' }]);
  });

  test('is told of a refund at the dashboard', async () => {
    const { till } = shop;
    const { reference } = await till.paid();
    till.provider.refundByHand(reference);
    expect(await shop.told(() => till.bring())).toEqual(['order-refunded sent']);
  });
});
