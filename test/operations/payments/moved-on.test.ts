import { afterAll, describe, expect, test } from 'vitest';
import { expectIntegrity } from '../../harness/integrity.ts';
import { kindsOfProviders } from '../../providers/kinds.ts';
import { useTill } from './till.ts';

describe.each(kindsOfProviders)('An order that has a payment at %s', (name) => {
  const opened = useTill(name);
  afterAll(() => expectIntegrity(opened.till));

  const change = async (id: number, body: object) => {
    const reply = await opened.till.fixture.api.patch(`/orders/${id}`, body);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  };

  /** True if the buyer's money was taken and not only authorised. Otherwise there is no unexpected payment. */
  async function isTaken(order_id: number, reference: string): Promise<boolean> {
    if (opened.till.provider.books(reference).paid > 0) return true;
    expect(await opened.till.unexpected(order_id)).toEqual([]);
    return false;
  }

  const closes = () =>
    opened.till.provider.journal.some(({ path }) => /cancel|expire(\?|$)/.test(path));

  test.each(['grand_total', 'payment_gateway'] as const)(
    'and then gets another %s waits for the new payment, and money for the old one is stored apart',
    async (field) => {
      const { till } = opened;
      const { id } = await till.newOrder();
      const old = await till.opened(id);
      const total = till.price * 2;
      await change(id, { [field]: field === 'grand_total' ? total : 'manual' });
      till.provider.pay(old);
      await till.bring(2);
      if (!(await isTaken(id, old))) return;
      const [row] = await till.unexpected(id);
      if (field === 'payment_gateway') {
        // It is the same money for the same order.
        expect(row).toBeUndefined();
        expect(await till.fixture.order(id)).toMatchObject({
          status: 'completed',
          payment_gateway: name,
        });
        return;
      }
      expect(row).toMatchObject({ reason: 'amount', amount: till.price, status: 'open' });
      expect((await till.fixture.order(id)).status).toBe('payment-confirm');
      till.provider.pay(await till.opened(id));
      await till.bring();
      expect(await till.fixture.order(id)).toMatchObject({
        status: 'completed',
        grand_total: total,
      });
      expect(await till.unexpected(id)).toHaveLength(1);
    },
  );

  test.each([1000, 0])(
    'and is switched to cash on delivery costs no fee for that if its money is accepted (fee not in its total: %d)',
    async (fee) => {
      const { till } = opened;
      const cod = { active: true, fee: 1000 };
      const { id: product_id } = await till.fixture.newProduct({
        ...{ price: till.price, type: 'physical', cod },
      });
      const { id } = await till.newOrder({ product_id });
      const reference = await till.opened(id);
      await change(id, { payment_gateway: 'cod', grand_total: till.price + fee });
      till.provider.pay(reference);
      await till.bring();
      if (!(await isTaken(id, reference))) return;
      const [row] = await till.unexpected(id);
      expect(row === undefined).toBe(fee === 0);
      if (row) await till.fixture.api.post(`/payments/unexpected/${row.id}`, { action: 'accept' });
      const paid = { status: 'in-progress', payment_gateway: name, grand_total: till.price };
      expect(await till.fixture.order(id)).toMatchObject(paid);
    },
  );

  test.each([{ grand_total: 700_000 }, { payment_gateway: 'manual' }, { status: 'cancelled' }])(
    'and is changed to %o has its page closed there',
    async (changed) => {
      const { till } = opened;
      const { id } = await till.newOrder();
      const reference = await till.opened(id);
      await change(id, changed);
      till.provider.fail('cancel', 'overloaded');
      for (let i = 0; i < 3; i++) await till.later(121);
      expect(till.provider.books(reference).payable).toBe(!closes());
      await change(id, { status: changed.status ?? 'cancelled' });
      for (let i = 0; i < 3; i++) await till.later(86_400);
    },
  );

  test('and is deleted reports the money as unexpected, and it can be refunded', async () => {
    const { till } = opened;
    const { id } = await till.newOrder();
    const reference = await till.opened(id);
    await till.fixture.api.delete(`/orders/${id}`);
    till.provider.pay(reference);
    await till.bring(2);
    if (!(await isTaken(id, reference))) return;
    expect(await till.unexpected(id)).toMatchObject([{ reason: 'order_deleted', status: 'open' }]);
    expect(await till.events(id)).toEqual(['payment.unexpected']);
    await givenBack(id, reference);
  });

  /** Refunds an unexpected payment, if its provider makes refunds. */
  async function givenBack(order_id: number, reference: string) {
    const { till } = opened;
    const [{ id }] = await till.unexpected(order_id);
    const reply = await till.fixture.api.post(`/payments/unexpected/${id}`, { action: 'refund' });
    expect(reply.status).toBe((await till.givesBack()) ? 200 : 409);
    if (reply.status === 409) return;
    await till.later(1);
    till.provider.settleRefunds?.('succeeded');
    await till.bring();
    await till.later(6 * 3600);
    const { paid, refunded, refunds } = till.provider.books(reference);
    expect({ refunded, refunds }).toEqual({ refunded: paid, refunds: 1 });
    expect(await till.unexpected(order_id)).toMatchObject([{ status: 'refunded' }]);
  }

  test('and is paid a second time keeps the first payment, and the second is refunded', async () => {
    const { till } = opened;
    const { id } = await till.newOrder();
    const first = await till.opened(id);
    await change(id, { grand_total: till.price * 2 });
    const second = await till.opened(id);
    till.provider.pay(second);
    till.provider.pay(first);
    await till.bring(2);
    expect(await till.fixture.order(id)).toMatchObject({ status: 'completed', refunded_total: 0 });
    if (!(await isTaken(id, first))) return;
    const rows = await till.unexpected(id);
    expect(rows).toMatchObject([{ status: 'open', amount: till.price }]);
    expect(['order_paid', 'amount']).toContain(rows[0].reason);
    await givenBack(id, first);
    expect(await till.fixture.order(id)).toMatchObject({ status: 'completed', refunded_total: 0 });
    expect(till.provider.books(second).refunds).toBe(0);
  });

  test("whose unexpected money can't be refunded needs another decision", async () => {
    const { till } = opened;
    if (!till.provider.settleRefunds) return;
    const { id } = await till.newOrder();
    const reference = await till.opened(id);
    till.provider.pay(reference);
    await change(id, { status: 'cancelled' });
    await till.bring();
    if (!(await isTaken(id, reference))) return;
    const [row] = await till.unexpected(id);
    const resolve = (action: string) =>
      till.fixture.api.post(`/payments/unexpected/${row.id}`, { action });
    expect((await resolve('refund')).status).toBe(200);
    expect(await resolve('accept')).toMatchObject({
      status: 409,
      body: { code: 'payment_resolved' },
    });
    await till.later(1);
    till.provider.settleRefunds('failed');
    till.lose();
    await till.later(6 * 3600);
    expect(await till.unexpected(id)).toMatchObject([{ status: 'open', resolved_at: null }]);
    expect(await till.events(id)).toEqual(['payment.unexpected', 'payment.unexpected']);
    expect((await resolve('refund')).status).toBe(200);
    await till.later(1);
    till.provider.settleRefunds('succeeded');
    await till.bring();
    const { paid, refunded } = till.provider.books(reference);
    expect(refunded).toBe(paid);
  });

  test('and a confirmation under review still waits for the review after its unexpected money is refunded', async () => {
    const { till } = opened;
    if (!(await till.givesBack())) return;
    const { id } = await till.newOrder();
    const reference = await till.opened(id);
    till.provider.pay(reference);
    await change(id, { status: 'cancelled' });
    await till.bring();
    if (!(await isTaken(id, reference))) return;
    await change(id, { status: 'on-hold' });
    await change(id, { payment_gateway: 'manual' });
    await till.fixture.api.post('/confirmations', { order_id: id, total: till.price });
    expect((await till.fixture.order(id)).status).toBe('payment-confirm');
    const [row] = await till.unexpected(id);
    await till.fixture.api.post(`/payments/unexpected/${row.id}`, { action: 'refund' });
    expect((await till.fixture.order(id)).status).toBe('payment-confirm');
    await till.later(1);
    till.provider.settleRefunds?.('succeeded');
    await till.bring();
  });

  /** A paid order of goods that was cancelled, refunded and reopened. */
  async function reopened() {
    const { till } = opened;
    const physical = await till.fixture.newProduct({ type: 'physical', price: till.price });
    const { id, reference } = await till.paid({ product_id: physical.id });
    till.store.clock.advance(60);
    await change(id, { status: 'cancelled' });
    await settled();
    await change(id, { status: 'on-hold' });
    return { id, reference };
  }

  /** Sends refunds, and lets the provider make them. */
  async function settled() {
    await opened.till.later(1);
    opened.till.provider.settleRefunds?.('succeeded');
    await opened.till.bring();
  }

  test('and is reopened is paid by another payment, which is the one that is refunded', async () => {
    const { till } = opened;
    const { id, reference: first } = await reopened();
    const second = await till.opened(id);
    expect(second).not.toBe(first);
    till.provider.pay(second);
    await till.bring();
    expect((await till.fixture.order(id)).status).toBe('in-progress');
    if (!(await till.givesBack())) return;
    await till.refund(id);
    await settled();
    const books = [first, second].map((reference) => till.provider.books(reference));
    expect(books).toMatchObject([{ refunds: 1 }, { refunds: 1 }]);
    expect(await till.fixture.order(id)).toMatchObject({ status: 'refunded' });
  });

  test('and is reopened and paid by hand is refunded by hand', async () => {
    const { till } = opened;
    const { id, reference } = await reopened();
    const { refunds } = till.provider.books(reference);
    await change(id, { payment_gateway: 'manual' });
    till.store.clock.advance(60);
    await change(id, { status: 'in-progress' });
    expect((await till.refund(id)).state).toBe('manual');
    await till.later(1);
    expect(till.provider.books(reference).refunds).toBe(refunds);
  });

  test('is not erased while money may arrive for it, or has arrived', async () => {
    const { till } = opened;
    const { api } = till.fixture;
    const { id } = await till.newOrder();
    const reference = await till.opened(id);
    await change(id, { status: 'cancelled' });
    const refused = { status: 409, body: { code: 'order_not_erasable' } };
    expect(await api.delete(`/orders/${id}?force=true`)).toMatchObject(refused);
    till.provider.pay(reference);
    await till.bring();
    if (!(await isTaken(id, reference))) return;
    expect(await api.delete(`/orders/${id}?force=true`)).toMatchObject(refused);
    await givenBack(id, reference);
    expect(await api.delete(`/orders/${id}?force=true`)).toMatchObject(refused);
  });

  test('is erased if nobody paid and nobody can', async () => {
    const { till } = opened;
    const { id } = await till.newOrder();
    await till.opened(id);
    await change(id, { status: 'cancelled' });
    for (let day = 0; day < 9; day++) await till.later(86_400);
    expect((await till.fixture.api.delete(`/orders/${id}?force=true`)).status).toBe(200);
  });

  test('is looked up once more before it is given up', async () => {
    const { till } = opened;
    const { id } = await till.newOrder();
    const reference = await till.opened(id);
    till.provider.pay(reference);
    till.lose();
    await till.later(9 * 86_400);
    if (!(await isTaken(id, reference))) return;
    expect((await till.fixture.order(id)).status).toBe('completed');
  });

  test('is given up if its provider never reports its outcome', async () => {
    const { till } = opened;
    const { id } = await till.newOrder();
    await till.opened(id);
    till.store.clock.advance(9 * 86_400);
    till.provider.fail('look', 'overloaded');
    await till.later(1);
    await till.later(61);
    expect((await till.fixture.order(id)).status).toBe('cancelled');
  });
});
