import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AffiliateStore } from '../../harness/affiliates.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { kindsOfProviders } from '../../providers/kinds.ts';
import { useTill } from './till.ts';

describe.each(kindsOfProviders)('Money that came through %s', (name) => {
  const opened = useTill(name);
  let at: AffiliateStore;
  let product_id: number;
  beforeAll(async () => {
    at = await AffiliateStore.open(opened.till.fixture);
    const price = opened.till.price;
    ({ id: product_id } = await at.newCourse({}, { price }));
  });
  afterAll(() => expectIntegrity(opened.till));

  const sold = () => opened.till.paid({ product_id, affiliate_id: at.seller.id });

  /** Returns the commissions of an order as a percentage of its price. */
  const earned = async (order: { id: number }) => {
    const ledger = await at.ledger(order);
    const sum = ledger
      .filter(({ status }) => status !== 'cancelled')
      .reduce((total, { commission }) => total + commission, 0);
    return (100 * sum) / opened.till.price;
  };

  /** Runs jobs until the provider has made all refunds; some make one refund of a payment at a time. */
  const settled = async () => {
    const { till } = opened;
    await till.later(1);
    for (let turn = 0; turn < 3; turn++) {
      till.provider.settleRefunds?.('succeeded');
      await till.bring();
      await till.later(6 * 3600);
    }
  };

  test('is refunded in the store if a dispute is lost', async () => {
    const { till } = opened;
    if (!till.provider.dispute) return;
    const order = await sold();
    till.provider.dispute(order.reference, 'lost');
    await till.bring(2);
    expect(await till.events(order.id)).toEqual(['order.refund-created', 'payment.disputed']);
    expect(await till.fixture.order(order.id)).toMatchObject({
      status: 'refunded',
      refunded_total: till.price,
    });
    expect(await earned(order)).toBe(0);
    expect(await till.refunds(order.id)).toMatchObject([
      { state: 'succeeded', reason: `A dispute at ${name} was lost.` },
    ]);
    await settled();
    expect(till.provider.books(order.reference).refunds).toBe(0);
  });

  test.each([
    ['a half', 2],
    ['the whole', 1],
  ])('is not counted twice if a dispute is lost after %s was refunded', async (_, parts) => {
    const { till } = opened;
    if (!till.provider.dispute) return;
    const order = await sold();
    till.provider.refundByHand(order.reference, till.provider.books(order.reference).paid / parts);
    await till.bring(2);
    till.provider.dispute(order.reference, 'lost');
    await till.bring(2);
    await settled();
    const refunded = { status: 'refunded', refunded_total: till.price };
    expect(await till.fixture.order(order.id)).toMatchObject(refunded);
    const there = { reason: `Refunded at ${name}.` };
    const lost = { reason: `A dispute at ${name} was lost.` };
    const made = await till.refunds(order.id);
    expect(made.toReversed()).toMatchObject([there, lost].slice(0, parts));
    expect(await earned(order)).toBe(0);
    expect((await till.events(order.id)).at(-1)).toBe('payment.disputed');
    await expectIntegrity(till);
  });

  // Midtrans reports only lost disputes.
  test.skipIf(name === 'midtrans')(
    'raises only an event while a dispute is open or won',
    async () => {
      const { till } = opened;
      if (!till.provider.dispute) return;
      const order = await sold();
      till.provider.dispute(order.reference, 'open');
      await till.bring(2);
      expect(await till.events(order.id)).toEqual(['payment.disputed']);
      till.provider.dispute(order.reference, 'won');
      await till.bring(2);
      expect(await till.events(order.id)).toEqual(['payment.disputed', 'payment.disputed']);
      expect((await till.fixture.order(order.id)).status).toBe('completed');
      expect(await earned(order)).toBe(35);
    },
  );

  test('is refunded partly at the dashboard, and the rest by us', async () => {
    const { till } = opened;
    if (!(await till.givesBack())) return;
    const { provider } = till;
    const order = await sold();
    const { paid } = provider.books(order.reference);
    for (const part of [1, 2]) {
      provider.refundByHand(order.reference, paid / 4);
      await till.bring(2);
      expect(await till.fixture.order(order.id)).toMatchObject({
        status: 'completed',
        refunded_total: (part * till.price) / 4,
      });
      expect(await earned(order)).toBe(35 * (1 - part / 4));
    }
    await till.refund(order.id);
    await settled();
    expect(await till.fixture.order(order.id)).toMatchObject({
      status: 'refunded',
      refunded_total: till.price,
    });
    expect(await earned(order)).toBe(0);
    const refunds: { amount: number; state: string }[] = await till.refunds(order.id);
    expect(refunds.map(({ amount }) => (4 * amount) / till.price)).toEqual([2, 1, 1]);
    expect(provider.books(order.reference)).toMatchObject({ refunds: 3, refunded: paid });
  });

  test('is refunded in parts by us, each once', async () => {
    const { till } = opened;
    const order = await sold();
    const { paid } = till.provider.books(order.reference);
    const parts = [till.price / 4, till.price / 4, till.price / 2];
    const states = [];
    for (const part of parts) states.push((await till.refund(order.id, part)).state);
    await settled();
    const refunds = await till.refunds(order.id);
    if (states.includes('manual')) {
      expect(new Set(states)).toEqual(new Set(['manual']));
      return;
    }
    expect(refunds).toMatchObject(parts.map(() => ({ state: 'succeeded' })));
    expect(till.provider.books(order.reference)).toMatchObject({ refunds: 3, refunded: paid });
    expect(await till.fixture.order(order.id)).toMatchObject({ status: 'refunded' });
  });

  test('that a bank rejects days later is reported, and recognised when it was paid out there', async () => {
    const { till } = opened;
    if (!till.provider.settleRefunds) return;
    const order = await sold();
    await till.refund(order.id);
    await till.later(1);
    await till.later(5 * 86_400);
    till.provider.settleRefunds('failed');
    till.lose();
    await till.later(6 * 3600);
    expect(await till.refunds(order.id)).toMatchObject([{ state: 'failed' }]);
    const told = ['order.refund-created', 'order.refund-failed'];
    expect(await till.events(order.id)).toEqual(told);
    expect((await till.fixture.order(order.id)).status).toBe('refunded');
    till.provider.refundByHand(order.reference);
    await till.bring(2);
    expect(await till.refunds(order.id)).toMatchObject([{ state: 'succeeded' }]);
    expect(await till.events(order.id)).toEqual(told);
    expect(await till.fixture.order(order.id)).toMatchObject({ refunded_total: till.price });
  });

  test.each(['before ours is sent', 'after a try of ours failed'])(
    'is refunded once if somebody refunds it at the dashboard %s',
    async (moment) => {
      const { till } = opened;
      if (!(await till.givesBack())) return;
      const order = await sold();
      await till.refund(order.id);
      if (moment === 'after a try of ours failed') {
        till.provider.fail('refund', 'overloaded');
        await till.later(1);
      }
      till.provider.refundByHand(order.reference);
      await till.bring();
      await till.later(121);
      await settled();
      expect(await till.refunds(order.id)).toMatchObject([{ state: 'succeeded' }]);
      expect(await till.events(order.id)).toEqual(['order.refund-created']);
      expect(till.provider.books(order.reference).refunds).toBe(1);
    },
  );
});
