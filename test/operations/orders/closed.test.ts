import { afterAll, describe, expect, test } from 'vitest';
import { nothing, useAffiliateStore } from '../../harness/affiliates.ts';
import { expectIntegrity } from '../../harness/integrity.ts';

const stage = useAffiliateStore();

afterAll(() => expectIntegrity(stage.at.fixture));

const patch = (id: number, body: object) => stage.at.fixture.api.patch(`/orders/${id}`, body);

const remove = (id: number, query = '', body?: object) =>
  stage.at.fixture.api.request('DELETE', `/orders/${id}${query}`, { body });

const refunds = async ({ id }: { id: number }) =>
  (await stage.at.fixture.api.get(`/orders/${id}/refunds`)).body.data;

describe('A refunded or cancelled order', () => {
  test.each(['refunded', 'cancelled'])(
    'that is %s keeps its amounts and its affiliate',
    async (to) => {
      const { at } = stage;
      const product = await at.newCourse();
      const order = await at.sell(product, { status: 'in-progress' });
      await at.change(order, { status: to });
      const other = await at.fixture.newAffiliate();
      const before = await at.fixture.order(order.id);
      for (const body of [
        { grand_total: order.grand_total + 500 },
        { grand_total: 0 },
        { affiliate_id: other.id },
        { affiliate_id: null },
        { quantity: 2 },
        { payment_gateway: 'cod' },
        { status: 'on-hold', grand_total: 1 },
      ]) {
        const reply = await patch(order.id, body);
        expect(reply).toMatchObject({ status: 409, body: { code: 'order_closed' } });
      }
      expect(await at.fixture.order(order.id)).toEqual(before);
      // Unchanged values and fields without amounts may be sent.
      const same = { grand_total: order.grand_total, quantity: 1, note: 'Kept.' };
      expect((await patch(order.id, same)).body.data).toMatchObject({ note: 'Kept.', status: to });
    },
  );

  test('must have a total above its refunds, so that something is left to refund', async () => {
    const { at } = stage;
    const order = await at.sell(await at.newCourse(), { status: 'completed' });
    await at.refund(order, 40_000);
    for (const grand_total of [0, 39_999, 40_000]) {
      const reply = await patch(order.id, { grand_total });
      expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      expect(reply.body.data.params.grand_total).toContain('40000');
    }
    const lowered = await patch(order.id, { grand_total: 40_001 });
    expect(lowered.body.data).toMatchObject({ payment_status: 'partially-refunded' });
    await at.refund(order);
    expect(await at.fixture.order(order.id)).toMatchObject({ status: 'refunded', net_total: 0 });
  });
});

describe('A refund of an order that is reopened', () => {
  test('records the time of reopening, and no longer counts', async () => {
    const { at } = stage;
    const { fixture } = at;
    const order = await at.sell(await at.newCourse(), { status: 'in-progress' });
    await at.refund(order, 30_000);
    await at.change(order, { status: 'cancelled' });
    expect(await refunds(order)).toMatchObject([
      { amount: 70_000, reopened_at: null },
      { amount: 30_000, reopened_at: null },
    ]);
    fixture.store.clock.advance(60);
    const reopened_at = fixture.store.clock.now().toISOString();
    await at.change(order, { status: 'on-hold' });
    expect(await fixture.order(order.id)).toMatchObject({ refunded_total: 0 });
    expect(await refunds(order)).toMatchObject([{ reopened_at }, { reopened_at }]);
    await at.change(order, { status: 'completed' });
    await at.refund(order, 10_000);
    fixture.store.clock.advance(60);
    expect(await fixture.order(order.id)).toMatchObject({ refunded_total: 10_000 });
    expect(await refunds(order)).toMatchObject([
      { amount: 10_000, reopened_at: null },
      { reopened_at },
      { reopened_at },
    ]);
  });
});

describe('A refund of an order that waits for its payment again', () => {
  test('still counts: refunds never exceed the total', async () => {
    const { at } = stage;
    const order = await at.sell(await at.newCourse(), { status: 'in-progress' });
    await at.refund(order, 30_000);
    await at.change(order, { status: 'on-hold' });
    const waiting = { payment_status: 'unpaid', refunded_total: 30_000, net_total: 70_000 };
    expect(await at.fixture.order(order.id)).toMatchObject(waiting);
    await at.change(order, { status: 'cancelled' });
    expect(await at.fixture.order(order.id)).toMatchObject({ ...waiting, payment_status: 'void' });
    await at.change(order, { status: 'on-hold' });
    await expectIntegrity(at.fixture);
    await at.change(order, { status: 'completed' });
    expect(await at.fixture.order(order.id)).toMatchObject({
      payment_status: 'partially-refunded',
      refunded_total: 30_000,
    });
    const tooMuch = await at.fixture.api.post(`/orders/${order.id}/refunds`, { amount: 70_001 });
    expect(tooMuch).toMatchObject({ status: 409, body: { data: { left: 70_000 } } });
    await at.refund(order);
    expect(await refunds(order)).toMatchObject([
      { amount: 70_000, reopened_at: null },
      { amount: 30_000, reopened_at: null },
    ]);
  });

  test('is always less than the total of the order', async () => {
    const { at } = stage;
    const course = await at.newCourse();
    const order = await at.sell(course, { quantity: 3, status: 'in-progress' });
    await at.refund(order, 100_000);
    await at.change(order, { status: 'on-hold' });
    for (const body of [{ quantity: 1 }, { grand_total: 100_000 }]) {
      const params = { grand_total: 'must be more than the 100000 refunded' };
      expect(await patch(order.id, body)).toMatchObject({
        status: 400,
        body: { data: { params } },
      });
    }
    await at.change(order, { quantity: 2 });
    expect(await at.fixture.order(order.id)).toMatchObject({ net_total: 100_000 });
  });

  test('is always less than the total, also where the same change closes the order or takes its payment back', async () => {
    const { at } = stage;
    const course = await at.newCourse();
    const order = await at.sell(course, { quantity: 2, status: 'in-progress' });
    await at.refund(order, 100_000);
    const refusesLess = async (status: string) => {
      for (const body of [{ grand_total: 90_000 }, { grand_total: 100_000 }]) {
        const params = { grand_total: 'must be more than the 100000 refunded' };
        expect(await patch(order.id, { ...body, status })).toMatchObject({
          status: 400,
          body: { data: { params } },
        });
      }
    };
    for (const status of ['refunded', 'cancelled', 'on-hold']) await refusesLess(status);
    await at.change(order, { status: 'on-hold' });
    await refusesLess('cancelled');
    expect((await patch(order.id, { quantity: 1, status: 'cancelled' })).status).toBe(400);
    expect(await refunds(order)).toMatchObject([{ amount: 100_000, reopened_at: null }]);
    await at.change(order, { grand_total: 120_000, status: 'cancelled' });
    const never = await at.sell(course, { status: 'completed' });
    await at.change(never, { grand_total: 40_000, status: 'refunded' });
    expect(await at.fixture.order(never.id)).toMatchObject({ refunded_total: 40_000 });
    await expectIntegrity(at.fixture);
  });
});

describe('Deleting a paid order', () => {
  test.each(['in-progress', 'completed'])('undoes all its effects: %s', async (status) => {
    const { at } = stage;
    const { fixture } = at;
    const { api } = fixture;
    const [seller, buyer] = [await fixture.newAffiliate(), await fixture.newUser()];
    const product = await at.newCourse(
      { hold_days: 0 },
      { stock: 5, license: { active: true, count: 1 } },
    );
    const coupon = (await api.post('/coupons', { code: `ONCE-${status}`, limit_use: 1 })).body.data;
    const order = await fixture.newOrder({
      product_id: product.id,
      user_id: buyer.id,
      affiliate_id: seller.id,
      coupon_code: coupon.code,
      status,
    });
    const webhook = (
      await api.post('/webhooks', { url: 'https://hooks.example.com/', status: 'paused' })
    ).body.data;
    const [license] = (await api.get(`/licenses?order_id=${order.id}&reveal=true`)).body.data;
    const access = `/access/check?user_id=${buyer.id}&product_id=${product.id}`;
    expect((await api.get(access)).body.reason).toBe('ok');

    expect(await remove(order.id)).toMatchObject({ status: 200, trips: 2 });

    const sums = await api.get(`/orders?output=sum&product_id=${product.id}`);
    expect(sums.body.data).toMatchObject({ count: 0, sums: [{ net_total: 0, quantity: 0 }] });
    const bought = await api.get(`/users/${buyer.id}/has-bought?product_id=${product.id}`);
    expect(bought.body.has_bought).toBe(false);
    expect(await at.balances(seller)).toEqual(nothing);
    expect((await at.payOut(seller)).status).toBe(409);
    const board = await api.get(`/affiliates/leaderboard?product_id=${product.id}`);
    expect(board.body.data).toEqual([]);
    expect((await api.get(access)).body.reason).toBe('revoked');
    if (license) {
      const verdict = await api.get(`/licenses/validate?license=${license.code}&string=a.example`);
      expect(verdict.body).toMatchObject({ valid: false, code: 'INACTIVE' });
    }
    expect((await fixture.product(product.id)).stock).toBe(5);
    expect((await api.get(`/coupons/${coupon.code}`)).body.data.usage).toBe(0);
    const { rows } = await fixture.store.database.query<{ event: string }>(
      'select event from outbox where webhook_id = $1 order by id',
      [webhook.id],
    );
    const events = rows.map(({ event }) => event);
    expect(events).toEqual(expect.arrayContaining(['order.cancelled', 'commission.cancelled']));
    expect(events.at(-1)).toBe('order.deleted');
    expect((await api.get(`/orders/${order.id}`)).status).toBe(404);
    await expectIntegrity(fixture);
  });

  test('turns paid commissions into a debt that reduces the next payout', async () => {
    const { at } = stage;
    const { fixture } = at;
    const seller = await fixture.newAffiliate();
    const product = await at.newCourse({ hold_days: 0 });
    const sale = { product_id: product.id, affiliate_id: seller.id, status: 'completed' };
    const order = await fixture.newOrder(sale);
    expect((await at.payOut(seller)).body.data).toMatchObject({ amount: 20_000 });
    expect((await remove(order.id)).status).toBe(200);
    expect(await at.amounts(order)).toEqual([
      [1, 20_000, 'paid'],
      [1, -20_000, 'payable'],
    ]);
    expect(await at.balances(seller)).toEqual({ ...nothing, paid: 20_000, payable: -20_000 });
    await fixture.newOrder(sale);
    await fixture.newOrder(sale);
    expect((await at.payOut(seller)).body.data).toMatchObject({ amount: 20_000 });
  });

  test('refunds an order on its way, and hides a refunded one', async () => {
    const { at } = stage;
    const { fixture } = at;
    const product = await fixture.newProduct({ type: 'physical' });
    const sent = await fixture.newOrder({ product_id: product.id });
    await at.change(sent, { status: 'shipping', tracking_number: 'T-1' });
    expect((await remove(sent.id)).status).toBe(200);
    const refunded = await fixture.newOrder({ product_id: product.id, status: 'completed' });
    await at.refund(refunded);
    expect((await remove(refunded.id)).status).toBe(200);
    const { rows } = await fixture.store.database.query(
      'select status, refunded_total = grand_total as back from orders where id = any ($1) order by id',
      [[sent.id, refunded.id]],
    );
    expect(rows).toEqual([
      { status: 'cancelled', back: true },
      { status: 'refunded', back: true },
    ]);
    // Money was paid for both, so neither is erased.
    for (const { id } of [sent, refunded]) {
      const reply = await remove(id, '?force=true');
      expect(reply).toMatchObject({ status: 409, body: { code: 'order_not_erasable' } });
    }
  });
});

describe('Erasing an order', () => {
  test.each([
    { query: '?force=true', body: undefined },
    { query: '', body: { force: true } },
    { query: '?force=1', body: { force: false } },
  ])(
    'removes one that was hidden before, with the query "$query" and the body $body',
    async ({ query, body }) => {
      const { fixture } = stage.at;
      const { id } = await fixture.newOrder({ product_id: (await fixture.newProduct()).id });
      expect((await remove(id)).status).toBe(200);
      expect((await remove(id)).status).toBe(404);
      expect(await remove(id, query, body)).toMatchObject({ status: 200, body: { data: { id } } });
      expect((await remove(id, query, body)).status).toBe(404);
      const { rowCount } = await fixture.store.database.query('select from orders where id = $1', [
        id,
      ]);
      expect(rowCount).toBe(0);
    },
  );

  test('requires true or false for force', async () => {
    const { fixture } = stage.at;
    const { id } = await fixture.newOrder({ product_id: (await fixture.newProduct()).id });
    expect((await remove(id, '', { force: 'yes' })).status).toBe(400);
    expect((await remove(id, '', { force: false })).status).toBe(200);
  });
});
