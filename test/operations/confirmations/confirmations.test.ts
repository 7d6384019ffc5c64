import { afterAll, describe, expect, test } from 'vitest';
import type { Confirmation } from '../../../src/domain/confirmation/schemas.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();

afterAll(() => expectIntegrity(opened.fixture));

async function newOrder(product: object = {}) {
  const { fixture } = opened;
  return fixture.newOrder({ product_id: (await fixture.newProduct(product)).id });
}

const read = async (id: number): Promise<Confirmation> =>
  (await opened.fixture.api.get(`/confirmations/${id}`)).body.data;

async function confirmed(product: object = {}) {
  const { fixture } = opened;
  const order = await newOrder(product);
  const reply = await fixture.api.post('/confirmations', { order_id: order.id, total: 15_000 });
  expect(reply.status).toBe(201);
  return { order, confirmation: reply.body.data as Confirmation };
}

describe('A pending confirmation is superseded when its order is', () => {
  test.each([
    [{ status: 'in-progress' }],
    [{ status: 'shipping', tracking_number: 'T-1' }],
    [{ status: 'completed' }],
    [{ status: 'cancelled' }],
    [{ status: 'on-hold' }],
  ])('changed to %j by hand', async (change) => {
    const { fixture } = opened;
    const { order, confirmation } = await confirmed({ type: 'physical' });
    await fixture.api.patch(`/orders/${order.id}`, change);
    expect(await read(confirmation.id)).toMatchObject({ status: 'superseded', version: 2 });
    const before = await fixture.order(order.id);
    const late = await fixture.api.post(`/confirmations/${confirmation.id}`, {
      status: 'rejected',
    });
    expect(late).toMatchObject({ status: 409, body: { code: 'confirmation_not_pending' } });
    expect(await fixture.order(order.id)).toEqual(before);
  });

  test('deleted', async () => {
    const { order, confirmation } = await confirmed();
    await opened.fixture.api.delete(`/orders/${order.id}`);
    expect((await read(confirmation.id)).status).toBe('superseded');
  });

  test('completed, while other confirmations stay pending', async () => {
    const other = await confirmed();
    const { order } = await confirmed();
    await opened.fixture.api.patch(`/orders/${order.id}`, { status: 'completed' });
    expect((await read(other.confirmation.id)).status).toBe('pending');
  });
});

describe('A pending confirmation follows the total of its order', () => {
  test('if its quantity or its total changes under review, and others stay', async () => {
    const { fixture } = opened;
    const { order, confirmation } = await confirmed();
    const said = { order_id: order.id, total: order.grand_total };
    const reply = await fixture.api.post('/confirmations', said);
    expect(reply.body.data).toMatchObject({ amount_matches: true, version: 1 });
    const { id } = reply.body.data as Confirmation;
    const superseded = await read(confirmation.id);

    fixture.store.clock.advance(60);
    const changed = await fixture.api.patch(`/orders/${order.id}`, { quantity: 1000 });
    expect(changed.status).toBe(200);
    expect(await read(id)).toMatchObject({
      amount_expected: changed.body.data.grand_total,
      amount_matches: false,
      status: 'pending',
      updated_at: fixture.store.clock.now().toISOString(),
      version: 2,
    });
    const stale = { headers: { 'if-match': '1' } };
    const approval = await fixture.api.post(`/confirmations/${id}`, { status: 'approved' }, stale);
    expect(approval).toMatchObject({ status: 409, body: { code: 'rest_conflict' } });

    await fixture.api.patch(`/orders/${order.id}`, { grand_total: order.grand_total });
    expect(await read(id)).toMatchObject({ amount_matches: true, version: 3 });
    await fixture.api.patch(`/orders/${order.id}`, { note: 'Called back.' });
    expect((await read(id)).version).toBe(3);
    expect(await read(confirmation.id)).toEqual(superseded);
  });

  test('and matches no total if the buyer named no amount', async () => {
    const { fixture } = opened;
    const order = await newOrder();
    const reply = await fixture.api.post('/confirmations', { order_id: order.id });
    await fixture.api.patch(`/orders/${order.id}`, { grand_total: 1 });
    expect(await read(reply.body.data.id)).toMatchObject({
      amount_expected: 1,
      amount_matches: false,
    });
  });
});

describe('Deleting the pending confirmation', () => {
  test('makes its order wait for payment again, for as long as a new order', async () => {
    const { fixture } = opened;
    const { order, confirmation } = await confirmed();
    fixture.store.clock.advance(3600);
    const reply = await fixture.api.delete(`/confirmations/${confirmation.id}`);
    expect(reply).toMatchObject({ status: 200, trips: 2 });
    const waiting = await fixture.order(order.id);
    const expires = new Date(fixture.store.clock.now().getTime() + 3 * 86_400_000);
    expect(waiting).toMatchObject({
      status: 'on-hold',
      payment_status: 'unpaid',
      expires_at: expires.toISOString(),
    });
    expect(waiting.history.at(-1)).toMatchObject({
      from: 'payment-confirm',
      to: 'on-hold',
      actor_type: 'key',
      note: 'The payment confirmation was deleted.',
    });
    expect(await fixture.api.get(`/confirmations/${confirmation.id}`)).toMatchObject({
      status: 404,
    });
  });

  test('does not change the order if another confirmation is pending', async () => {
    const { fixture } = opened;
    const { order, confirmation } = await confirmed();
    const next = await fixture.api.post('/confirmations', { order_id: order.id });
    const before = await fixture.order(order.id);
    expect((await fixture.api.delete(`/confirmations/${confirmation.id}`)).status).toBe(200);
    expect(await fixture.order(order.id)).toEqual(before);
    expect((await read(next.body.data.id)).status).toBe('pending');
  });
});

describe('A confirmation has a version', () => {
  test('that a review increases, and that If-Match has to name', async () => {
    const { fixture } = opened;
    const { order, confirmation } = await confirmed();
    expect(confirmation.version).toBe(1);
    const path = `/confirmations/${confirmation.id}`;
    const stale = { headers: { 'if-match': '2' } };
    const conflict = { status: 409, body: { code: 'rest_conflict' } };
    expect(await fixture.api.post(path, { status: 'approved' }, stale)).toMatchObject(conflict);
    expect(await fixture.api.delete(path, stale)).toMatchObject(conflict);
    expect((await fixture.order(order.id)).status).toBe('payment-confirm');
    const headers = { 'if-match': '1' };
    expect(await fixture.api.post(path, { status: 'approved' }, { headers })).toMatchObject({
      status: 200,
      body: { data: { status: 'approved', version: 2 } },
    });
  });

  test('that increases when the confirmation is superseded', async () => {
    const { order, confirmation } = await confirmed();
    await opened.fixture.api.post('/confirmations', { order_id: order.id });
    expect(await read(confirmation.id)).toMatchObject({ status: 'superseded', version: 2 });
  });
});

describe('A proof', () => {
  const say = async (proof: string) =>
    opened.fixture.api.post('/confirmations', { order_id: (await newOrder()).id, proof });

  test.each([
    'javascript:alert(document.domain)',
    'data:text/html,<script>alert(1)</script>',
    'receipt.jpg',
    '//elsewhere.example/x',
    '/\\elsewhere.example/x',
    '/\t/elsewhere.example/x',
    'https://name@shop.example/x',
  ])('is not %j', async (proof) => {
    const flat = await say(proof);
    expect(flat).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    const order = await newOrder();
    const within = { order_id: order.id, detail: { proof } };
    expect((await opened.fixture.api.post('/confirmations', within)).status).toBe(400);
  });

  test.each(['https://shop.example/api/svc/v1/me/media/abc.png', '/media/abc.png', ''])(
    'can be %j',
    async (proof) => {
      expect(await say(proof)).toMatchObject({
        status: 201,
        body: { data: { detail: { proof } } },
      });
    },
  );
});

test('An approved payment proof of an order on delivery makes it paid by transfer', async () => {
  const { fixture } = opened;
  const { id: order_id } = await newOrder({ type: 'physical', cod: { active: true, fee: 500 } });
  await fixture.api.patch(`/orders/${order_id}`, { payment_gateway: 'cod' });
  const { grand_total: total } = await fixture.order(order_id);
  const proof = await fixture.api.post('/confirmations', { order_id, total });
  await fixture.api.post(`/confirmations/${proof.body.data.id}`, { status: 'approved' });
  expect(await fixture.order(order_id)).toMatchObject({
    ...{ status: 'in-progress', payment_status: 'paid', payment_gateway: 'manual' },
    ...{ grand_total: total, fee_total: 500 },
  });
});
