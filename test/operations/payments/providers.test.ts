import { describe, expect, test } from 'vitest';
import { workerOf } from '../../faults/mortal.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { baseUrl } from '../../harness/store.ts';
import { kindsOfProviders } from '../../providers/kinds.ts';
import { useTill } from './till.ts';

const api = `${baseUrl}/api/svc/v1`;

describe.each(kindsOfProviders)('An order paid through %s', (name) => {
  const opened = useTill(name);

  test('has one page, however often and by however many callers it is requested', async () => {
    const { till } = opened;
    const order = await till.newOrder();
    const before = till.provider.references().length;
    const replies = await Promise.all(Array.from({ length: 6 }, () => till.page(order.id)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const urls = new Set(replies.map(({ body }) => body.data.session.url));
    expect(urls.size).toBe(1);
    const again = await till.page(order.id);
    expect(again).toMatchObject({ trips: 1, body: { data: { reused: true } } });
    expect(urls).toContain(again.body.data.session.url);
    expect(till.provider.references().length).toBe(before + 1);
  });

  test('is paid once, however often its callback comes', async () => {
    const { till } = opened;
    const order = await till.newOrder();
    const reference = await till.opened(order.id);
    till.provider.pay(reference);
    const answers = await till.bring(3);
    expect(answers.length).toBeGreaterThan(0);
    expect(new Set(answers)).toEqual(new Set([200]));
    const after = await till.fixture.order(order.id);
    expect(after).toMatchObject({
      status: 'completed',
      payment_status: 'paid',
      payment_gateway: name,
    });
    expect(after.history).toHaveLength(2);
    expect(await till.page(order.id)).toMatchObject({
      status: 409,
      body: { code: 'order_not_payable' },
    });
    expect(await till.unexpected(order.id)).toEqual([]);
  });

  test('is found paid when the buyer returns before the callback', async () => {
    const { till } = opened;
    const order = await till.newOrder();
    till.provider.pay(await till.opened(order.id));
    till.lose();
    till.store.clock.advance(11);
    expect((await till.page(order.id)).status).toBe(409);
    expect((await till.fixture.order(order.id)).status).toBe('completed');
  });

  test('is found paid within 150 seconds when no callback ever comes', async () => {
    const { till } = opened;
    const order = await till.newOrder();
    till.provider.pay(await till.opened(order.id));
    till.lose();
    await till.later(150);
    expect((await till.fixture.order(order.id)).status).toBe('completed');
  });

  test('is not paid by a forged callback', async () => {
    const { till } = opened;
    const order = await till.newOrder();
    const reference = await till.opened(order.id);
    for (const forgery of till.provider.forgeries(api, reference)) {
      expect(await till.post(forgery)).toBe(401);
    }
    for (const alteration of till.provider.alterations(api, reference)) {
      expect(await till.post(alteration)).toBe(200);
    }
    expect((await till.fixture.order(order.id)).status).toBe('on-hold');
  });

  test('waits for a person if another amount was paid', async () => {
    const { till } = opened;
    const order = await till.newOrder();
    const reference = await till.opened(order.id);
    till.provider.pay(reference, { amount: till.provider.books(reference).paid + 100 });
    await till.bring();
    expect((await till.fixture.order(order.id)).status).toBe('payment-confirm');
    const [row] = await till.unexpected(order.id);
    expect(row).toMatchObject({ order_id: order.id, reason: 'amount', status: 'open' });
    const accepted = await till.fixture.api.post(`/payments/unexpected/${row.id}`, {
      action: 'accept',
    });
    expect(accepted).toMatchObject({ status: 200, body: { data: { status: 'accepted' } } });
    expect((await till.fixture.order(order.id)).status).toBe('completed');
  });

  test('that was cancelled stays cancelled, and its money is stored and refunded', async () => {
    const { till } = opened;
    const { api: client } = till.fixture;
    const order = await till.newOrder();
    const reference = await till.opened(order.id);
    till.provider.pay(reference);
    await client.patch(`/orders/${order.id}`, { status: 'cancelled' });
    await till.bring(2);
    expect((await till.fixture.order(order.id)).status).toBe('cancelled');
    const found = await till.unexpected(order.id);
    // An authorised payment wasn't taken.
    if (till.provider.books(reference).paid === 0) {
      expect(found).toEqual([]);
      return;
    }
    expect(found).toMatchObject([
      { order_id: order.id, amount: till.price, reason: 'order_cancelled', status: 'open' },
    ]);
    const refund = await client.post(`/payments/unexpected/${found[0].id}`, { action: 'refund' });
    if (refund.status === 409) {
      expect(refund.body.code).toBe('not_refundable');
      return;
    }
    expect(refund).toMatchObject({ status: 200, body: { data: { status: 'refunded' } } });
    await till.later(1);
    till.provider.settleRefunds?.('succeeded');
    await till.bring();
    expect(till.provider.books(reference)).toMatchObject({ refunds: 1 });
    const { paid, refunded } = till.provider.books(reference);
    expect(refunded).toBe(paid);
  });

  test('has its page closed when it is cancelled', async () => {
    const { till } = opened;
    const order = await till.newOrder();
    const reference = await till.opened(order.id);
    await till.fixture.api.patch(`/orders/${order.id}`, { status: 'cancelled' });
    await till.later(1);
    if (till.provider.journal.every(({ path }) => !/cancel|expire/.test(path))) return;
    expect(till.provider.books(reference).payable).toBe(false);
  });

  test('that is completed by hand keeps its money apart from later payments', async () => {
    const { till } = opened;
    const order = await till.newOrder();
    const reference = await till.opened(order.id);
    till.provider.pay(reference);
    await till.fixture.api.patch(`/orders/${order.id}`, { status: 'completed' });
    await till.bring();
    const isTaken = till.provider.books(reference).paid > 0;
    expect(await till.unexpected(order.id)).toMatchObject(
      isTaken ? [{ reason: 'order_paid' }] : [],
    );
  });

  test('gets another page after the first one ended', async () => {
    const { till } = opened;
    const order = await till.newOrder();
    const first = await till.opened(order.id);
    till.store.clock.advance(25 * 3600);
    const second = await till.opened(order.id);
    expect(second).not.toBe(first);
    till.provider.pay(second);
    await till.bring();
    expect((await till.fixture.order(order.id)).status).toBe('completed');
  });

  test.each(['refused', 'overloaded', 'lost', 'dropped'] as const)(
    'gets a page after a first try that was %s',
    async (fault) => {
      const { till } = opened;
      const order = await till.newOrder();
      till.provider.fail('open', fault);
      const first = await till.page(order.id);
      expect(first).toMatchObject({ status: 503, body: { code: 'gateway_unavailable' } });
      till.store.clock.advance(45);
      const reference = await till.opened(order.id);
      till.provider.pay(reference);
      await till.bring();
      expect((await till.fixture.order(order.id)).status).toBe('completed');
      expect(await till.unexpected(order.id)).toEqual([]);
    },
  );

  test('is asked about again when its provider does not answer the callback', async () => {
    const { till } = opened;
    const order = await till.newOrder();
    till.provider.pay(await till.opened(order.id));
    till.provider.fail('look', 'overloaded');
    expect(new Set(await till.bring())).toEqual(new Set([200]));
    await till.later(60);
    expect((await till.fixture.order(order.id)).status).toBe('completed');
  });

  test('is paid even if its provider is unreachable when the callback arrives', async () => {
    const { till } = opened;
    const order = await till.newOrder();
    till.provider.pay(await till.opened(order.id));
    const cutOff = await workerOf(till.store, () => async () => {
      throw new TypeError('fetch failed');
    });
    const statuses = new Set<number>();
    for (const callback of till.provider.takeCallbacks(api)) {
      statuses.add((await cutOff.fetch(callback)).status);
    }
    // Some providers are asked if the callback is theirs.
    for (const status of statuses) expect([200, 503]).toContain(status);
    await till.later(121);
    expect((await till.fixture.order(order.id)).status).toBe('completed');
  });

  test('is refunded once at the provider, even after faults', async () => {
    const { till } = opened;
    const order = await till.newOrder();
    const reference = await till.opened(order.id);
    till.provider.pay(reference);
    await till.bring();
    till.provider.fail('refund', 'overloaded');
    till.provider.fail('refund', 'lost');
    const reply = await till.fixture.api.post(`/orders/${order.id}/refunds`, {
      reason: 'Too late.',
    });
    expect(reply.status).toBe(201);
    expect((await till.fixture.order(order.id)).status).toBe('refunded');
    if (reply.body.data.refund.state === 'manual') {
      await till.later(120);
      expect(till.provider.books(reference).refunds).toBe(0);
      return;
    }
    for (let i = 0; i < 6; i++) await till.later(3600);
    till.provider.settleRefunds?.('succeeded');
    await till.bring(2);
    await till.later(3600);
    const { paid, refunded, refunds } = till.provider.books(reference);
    expect({ refunds, refunded }).toEqual({ refunds: 1, refunded: paid });
    expect(await till.refunds(order.id)).toMatchObject([{ state: 'succeeded' }]);
  });

  test('is refunded in the store when it is refunded at the dashboard', async () => {
    const { till } = opened;
    if (!(await till.givesBack())) return;
    const order = await till.paid();
    till.provider.refundByHand(order.reference);
    await till.bring(2);
    expect(await till.fixture.order(order.id)).toMatchObject({
      status: 'refunded',
      refunded_total: till.price,
    });
    expect(await till.refunds(order.id)).toMatchObject([
      { state: 'succeeded', amount: till.price },
    ]);
  });

  test('is asked about again once its provider is on again, after a callback without an answer', async () => {
    const { till } = opened;
    if (!(await till.givesBack())) return;
    const order = await till.paid();
    till.provider.refundByHand(order.reference);
    // A refund may have several callbacks.
    for (let i = 0; i < 4; i++) till.provider.fail('look', 'overloaded');
    await till.bring();
    const environment = await till.store.environment;
    for (const name of Object.keys(till.provider.variables)) delete environment[name];
    await till.later(3600);
    Object.assign(environment, till.provider.variables);
    for (let i = 0; i < 4; i++) await till.later(3600);
    expect((await till.fixture.order(order.id)).refunded_total).toBe(till.price);
  });

  test('stays open while money may arrive, and is cancelled afterwards', async () => {
    const { till } = opened;
    const order = await till.newOrder();
    const reference = await till.opened(order.id);
    till.provider.begin(reference);
    await till.bring();
    await till.fixture.store.database.query(
      `update orders set expires_at = $1, version = version + 1 where id = $2`,
      [new Date(till.store.clock.now().getTime() + 1000), order.id],
    );
    await till.later(600);
    expect((await till.fixture.order(order.id)).status).toBe('on-hold');
    till.provider.decline(reference);
    await till.bring();
    for (let i = 0; i < 30; i++) await till.later(3600);
    expect((await till.fixture.order(order.id)).status).toBe('cancelled');
  });

  test('leaves every derived figure right after these tests', async () => {
    await expectIntegrity(opened.till);
  });
});
