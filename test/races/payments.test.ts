import { Client } from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { servicesOf } from '../../src/kernel/deployment/services.ts';
import { askProviders } from '../../src/jobs/ask-providers.ts';
import { askProvider } from '../../src/processes/payments/ask-provider.ts';
import { sendRefunds } from '../../src/jobs/send-refunds.ts';
import { apiBase, workerOf } from '../faults/mortal.ts';
import { long } from '../harness/long.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { toAsk, useTill } from '../operations/payments/till.ts';
import { kindsOfProviders } from '../providers/kinds.ts';
import { behindLock, times, transaction, untilWaiting } from './queue.ts';

describe.each(kindsOfProviders)('At the same moment, for a payment at %s,', (name) => {
  const opened = useTill(name);
  afterAll(() => expectIntegrity(opened.till));

  const lockOrder = (id: number) => `select from orders where id = ${id} for update`;

  /** An order whose payment the store doesn't know yet, with the provider's callbacks. */
  async function unknowingly() {
    const { till } = opened;
    const { id } = await till.newOrder();
    const reference = await till.opened(id);
    till.lose();
    till.provider.pay(reference);
    const [callback] = till.provider.takeCallbacks(apiBase);
    if (!callback) throw new Error('The provider posts nothing.');
    return { id, reference, post: () => till.post(callback.clone()) };
  }

  test('eight callbacks, the job and the buyer’s return pay the order once', async () => {
    const { till } = opened;
    const { id, post } = await unknowingly();
    till.store.clock.advance(121);
    const services = await till.store.services();
    const callers: (() => Promise<unknown>)[] = [
      ...times(8, post),
      () => till.page(id),
      () => askProviders(servicesOf(services)),
    ];
    await behindLock(till.store, lockOrder(id), callers);
    const after = await till.fixture.order(id);
    expect(after).toMatchObject({ status: 'completed', refunded_total: 0 });
    expect(after.history).toHaveLength(2);
    expect(await till.unexpected(id)).toEqual([]);
  });

  long('control: reading the order before paying it pays it more than once', async () => {
    const { till } = opened;
    const { id } = await unknowingly();
    const pay = transaction(till.store, async (client) => {
      const waiting = `select from orders where id = ${id} and status = 'on-hold'`;
      if ((await client.query(waiting)).rowCount !== 1) return false;
      await client.query(`update orders set note = coalesce(note, '') || 'x' where id = ${id}`);
      return true;
    });
    await behindLock(till.store, 'lock table orders in share mode', times(4, pay));
    expect((await till.fixture.order(id)).note?.length).toBeGreaterThan(1);
    till.lose();
    await till.later(121);
  });

  long(
    'a cancellation and the payment leave it paid, or cancelled with its money kept',
    async () => {
      const { till } = opened;
      const seen = new Set<string>();
      for (const first of ['payment', 'cancellation']) {
        const { id, reference, post } = await unknowingly();
        const cancel = async () =>
          (await till.fixture.api.patch(`/orders/${id}`, { status: 'cancelled' })).status;
        const callers = first === 'payment' ? [post, cancel] : [cancel, post];
        await behindLock(till.store, lockOrder(id), callers);
        await till.later(121);
        const { status } = await till.fixture.order(id);
        seen.add(status);
        const rows = await till.unexpected(id);
        const { paid } = till.provider.books(reference);
        if (status === 'completed') expect(rows).toEqual([]);
        else if (paid === 0) expect({ status, rows }).toEqual({ status: 'cancelled', rows: [] });
        else expect({ status, rows }).toMatchObject({ status: 'cancelled', rows: [{}] });
      }
      expect(seen.size).toBeGreaterThan(0);
    },
  );

  test('a look-up from before a refund at the dashboard leaves the refund to be booked', async () => {
    const { till } = opened;
    if (!(await till.givesBack())) return;
    const { id, reference, post } = await unknowingly();
    const { asking, gateway, access } = await toAsk(till, id);
    const look: typeof gateway.look = async (...asked) => {
      const payment = await gateway.look(...asked);
      // Meanwhile the payment is refunded, and its callback comes.
      till.provider.refundByHand(reference);
      till.lose();
      expect(await post()).toBe(200);
      return payment;
    };
    await askProvider({ ...asking, gateway: { ...gateway, look } }, access);
    await till.later(60);
    expect((await till.fixture.order(id)).status).toBe('refunded');
  });

  long(
    'a look-up of a refund from before its bank rejected it leaves the rejection to be found',
    async () => {
      const { till } = opened;
      const { provider } = till;
      if (!provider.settleRefunds) return;
      const { id } = await till.paid();
      await till.refund(id);
      // Each look-up of a refund puts the next one off for longer.
      for (const seconds of [1, 61]) await till.later(seconds);
      till.store.clock.advance(121);
      let answers = 0;
      const { services } = await workerOf(till.store, (network) => async (url, init) => {
        const answer = await network(url, init);
        if (!url.includes('oauth') && ++answers === 1) {
          provider.settleRefunds?.('failed');
          await till.bring();
        }
        return answer;
      });
      await sendRefunds(services);
      await till.later(61);
      expect(await till.refunds(id)).toMatchObject([{ state: 'failed' }]);
    },
  );

  long('a report of the payment locks its order first, as a change of the order does', async () => {
    const { till } = opened;
    const { id, post } = await unknowingly();
    const beside = new Client({ connectionString: till.store.databaseUrl });
    await beside.connect();
    const [status, held] = await behindLock(till.store, lockOrder(id), [
      post,
      async () => {
        await untilWaiting(till.store, 1);
        await beside.query('begin');
        const { rowCount } = await beside.query(
          `select from payment_sessions where order_id = ${id} for update nowait`,
        );
        await beside.query('rollback');
        await beside.query(lockOrder(id));
        return rowCount;
      },
    ]);
    await beside.end();
    expect({ status, held }).toEqual({ status: 200, held: 1 });
  });

  test('refunds are sent once, even by two workers', async () => {
    const { till } = opened;
    const { id, reference } = await till.paid();
    const half = till.price / 2;
    const refund = (amount: number) => () =>
      till.fixture.api.post(`/orders/${id}/refunds`, { amount });
    const asked = [half, half, till.price].map(refund);
    const replies = await behindLock(till.store, lockOrder(id), asked);
    const { refunded_total } = await till.fixture.order(id);
    expect(refunded_total).toBe(till.price);
    const given = replies.filter(({ status }) => status === 201).length;
    till.store.clock.advance(1);
    const services = await till.store.services();
    for (let turn = 0; turn < 4; turn++) {
      await Promise.all(times(3, () => sendRefunds(servicesOf(services))).map((send) => send()));
      till.provider.settleRefunds?.('succeeded');
      await till.bring();
      till.store.clock.advance(6 * 3600);
    }
    const { paid, refunded, refunds } = till.provider.books(reference);
    const isSent = await till.givesBack();
    expect({ refunded, refunds }).toEqual(
      isSent ? { refunded: paid, refunds: given } : { refunded: 0, refunds: 0 },
    );
  });

  long('our refund and one at the dashboard are both recorded', async () => {
    const { till } = opened;
    if (!(await till.givesBack())) return;
    const { id, reference } = await till.paid();
    const quarter = till.price / 4;
    till.provider.refundByHand(reference, till.provider.books(reference).paid / 4);
    const callbacks = till.provider.takeCallbacks(apiBase);
    const refund = async () =>
      (await till.fixture.api.post(`/orders/${id}/refunds`, { amount: quarter })).status;
    const statuses = await behindLock(till.store, lockOrder(id), [
      refund,
      ...callbacks.map((callback) => () => till.post(callback)),
    ]);
    expect(statuses).toEqual([201, ...callbacks.map(() => 200)]);
    for (let turn = 0; turn < 3; turn++) {
      await till.later(6 * 3600);
      till.provider.settleRefunds?.('succeeded');
      await till.bring();
    }
    expect(await till.fixture.order(id)).toMatchObject({ refunded_total: 2 * quarter });
    expect(await till.refunds(id)).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }]);
    const { paid, refunded, refunds } = till.provider.books(reference);
    expect({ refunded, refunds }).toEqual({ refunded: paid / 2, refunds: 2 });
  });

  long.each(['ours', 'the one at the dashboard'])(
    'our refund of unexpected money and one at the dashboard give back the received amount, %s first',
    async (first) => {
      const { till } = opened;
      if (!(await till.givesBack())) return;
      const { id } = await till.newOrder();
      const reference = await till.opened(id);
      till.provider.pay(reference, { amount: 2 * till.price });
      await till.bring();
      await till.fixture.api.patch(`/orders/${id}`, { status: 'cancelled' });
      const [row] = await till.unexpected(id);
      till.provider.refundByHand(reference, till.provider.books(reference).paid / 4);
      const [callback] = till.provider.takeCallbacks(apiBase);
      if (!callback) throw new Error('The provider posts nothing.');
      const refund = async () =>
        (await till.fixture.api.post(`/payments/unexpected/${row.id}`, { action: 'refund' }))
          .status;
      const post = () => till.post(callback);
      const [one, other] = first === 'ours' ? [refund, post] : [post, refund];
      const statuses = await behindLock(till.store, lockOrder(id), [
        one,
        async () => {
          await untilWaiting(till.store, 1);
          return other();
        },
      ]);
      expect(statuses).toEqual([200, 200]);
      await expectIntegrity(till);
      for (let turn = 0; turn < 3; turn++) {
        await till.later(6 * 3600);
        till.provider.settleRefunds?.('succeeded');
        await till.bring();
      }
      const { paid, refunded, refunds } = till.provider.books(reference);
      expect({ refunded, refunds }).toEqual({ refunded: paid, refunds: 2 });
      expect(await till.unexpected(id)).toMatchObject([{ status: 'refunded' }]);
      expect(await till.events(id)).toEqual(['payment.unexpected']);
    },
  );

  long(
    'a proof that arrives during the refund of another amount waits for its review',
    async () => {
      const { till } = opened;
      if (!(await till.givesBack())) return;
      const { api } = till.fixture;
      const { id } = await till.newOrder();
      till.provider.pay(await till.opened(id), { amount: 2 * till.price });
      await till.bring();
      const [row] = await till.unexpected(id);
      const replies = await behindLock(till.store, lockOrder(id), [
        () => api.post('/confirmations', { order_id: id, total: till.price }),
        async () => {
          await untilWaiting(till.store, 1);
          return api.post(`/payments/unexpected/${row.id}`, { action: 'refund' });
        },
      ]);
      expect(replies.map(({ status }) => status)).toEqual([201, 200]);
      expect(await till.fixture.order(id)).toMatchObject({ status: 'payment-confirm' });
      const { body } = await api.get(`/confirmations?order_id=${id}`);
      expect(body.data).toMatchObject([{ status: 'pending' }]);
    },
  );

  test('two refunds of other amounts leave their order waiting for its payment', async () => {
    const { till } = opened;
    if (!(await till.givesBack())) return;
    const { id } = await till.newOrder();
    for (const factor of [2, 3]) {
      const reference = await till.opened(id);
      await till.fixture.api.patch(`/orders/${id}`, { grand_total: factor * till.price });
      till.provider.pay(reference);
    }
    await till.bring();
    const rows: { id: number }[] = await till.unexpected(id);
    // PayPal captures only money that an order still waits for.
    if (till.provider.id === 'paypal') return expect(rows).toEqual([]);
    expect(rows).toHaveLength(2);
    const replies = await behindLock(
      till.store,
      lockOrder(id),
      rows.map(
        (row) => () =>
          till.fixture.api.post(`/payments/unexpected/${row.id}`, { action: 'refund' }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await till.fixture.order(id)).toMatchObject({ status: 'on-hold' });
  });

  long('only one of two administrators decides on unexpected money', async () => {
    const { till } = opened;
    const { id } = await till.newOrder();
    const reference = await till.opened(id);
    till.provider.pay(reference, { amount: till.provider.books(reference).paid + 100 });
    await till.bring();
    const [row] = await till.unexpected(id);
    const resolve = (action: string) => () =>
      till.fixture.api.post(`/payments/unexpected/${row.id}`, { action });
    const lock = `select from unexpected_payments where id = ${row.id} for update`;
    const replies = await behindLock(till.store, lock, [
      ...times(2, resolve('accept')),
      // A request that is refused at once doesn't wait.
      ...times(2, resolve((await till.givesBack()) ? 'refund' : 'accept')),
    ]);
    const done = replies.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    const others = replies
      .filter((reply) => reply !== done[0])
      .map(({ body }) => String(body.code));
    for (const code of others) expect(['payment_resolved', 'not_refundable']).toContain(code);
    const isRefunded = done[0]?.body.data.status === 'refunded';
    expect((await till.fixture.order(id)).status).toBe(isRefunded ? 'on-hold' : 'completed');
    await till.later(1);
    expect(till.provider.books(reference).refunds).toBe(isRefunded ? 1 : 0);
  });

  long('a page that opens too late, or for a former total, is shown to nobody', async () => {
    const { till } = opened;
    for (const meanwhile of ['given up', 'another total'] as const) {
      const { id } = await till.newOrder();
      const asked = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const slow = await workerOf(till.store, (send) => async (url, init) => {
        const response = await send(url, init);
        asked.resolve();
        await released.promise;
        return response;
      });
      const late = till.fixture.api.through(slow.fetch).get(`/orders/${id}/payment-gateway`);
      await asked.promise;
      if (meanwhile === 'given up') await till.later(121);
      else await till.fixture.api.patch(`/orders/${id}`, { grand_total: till.price * 2 });
      released.resolve();
      expect(await late).toMatchObject({ status: 503, body: { code: 'gateway_unavailable' } });
      const { rows } = await till.store.database.query(
        'select reference, superseded_at from payment_sessions where order_id = $1',
        [id],
      );
      // The page is closed, and a payment on it still belongs to this order.
      expect(rows).toMatchObject([{ superseded_at: expect.any(Date) }]);
      const reference = String(rows[0].reference);
      till.provider.pay(reference);
      await till.bring();
      const { paid } = till.provider.books(reference);
      const { status } = await till.fixture.order(id);
      expect(status === 'on-hold').toBe(paid === 0);
    }
  });
});
