import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Attempt, Gateway, NewPayment } from '../../../src/providers/payments/gateway.ts';
import { midtrans } from '../../../src/providers/payments/midtrans.ts';
import { MidtransServer } from '../midtrans.ts';
import { attempt, gatewayOf, hinted, otherReference, payment } from './payment.ts';

let server: MidtransServer;
let gateway: Gateway;
let now: Date;

beforeEach(async () => {
  server = new MidtransServer();
  now = new Date('2026-03-01T10:00:00.500Z');
  await server.open(() => now);
  gateway = gatewayOf(midtrans, server.variables);
});
afterEach(() => server.close());

const { reference } = payment();
const open = (changed?: Partial<NewPayment>) => gateway.open(payment(changed), fetch, now);
const look = (changed?: Partial<Attempt>) => gateway.look(attempt(changed), fetch, now);

const api = 'https://api.shop.example/api';

const bare = { paid: null, payment_ref: null, refunded: 0, dispute: 'none' };
const paid = {
  ...bare,
  state: 'paid',
  paid: { amount: 350_000, currency: 'IDR' },
  payment_ref: expect.stringMatching(/^[\w-]{36}$/),
};

describe('Looking up a payment at Midtrans', () => {
  test('finds a payment open until the page closes, though Midtrans knows no page without a chosen method', async () => {
    await open();
    expect(await look()).toEqual({ ...bare, state: 'open' });
    now = new Date('2026-03-01T11:59:59.999Z');
    expect(await look()).toEqual({ ...bare, state: 'open' });
    now = new Date('2026-03-01T12:00:00.000Z');
    expect(await look()).toEqual({ ...bare, state: 'expired' });
    expect(server.takeCallbacks(api)).toEqual([]);
  });

  test('finds it pending, paid, and still paid after a refund', async () => {
    await open();
    server.begin(reference);
    expect(await look()).toEqual({ ...bare, state: 'pending' });
    server.pay(reference);
    const { payment_ref } = await look();
    expect(await look()).toEqual(paid);
    server.refundByHand(reference, 100_000);
    expect(await look({ payment_ref })).toEqual({ ...paid, payment_ref, refunded: 100_000 });
    server.refundByHand(reference);
    expect(await look({ payment_ref })).toEqual({ ...paid, payment_ref, refunded: 350_000 });
  });

  test('reports the received amount, even in another currency', async () => {
    await open();
    server.pay(reference, { amount: 35_000, currency: 'USD' });
    expect((await look()).paid).toEqual({ amount: 35_000, currency: 'USD' });
  });

  test('finds it expired with the chosen method', async () => {
    await open();
    server.begin(reference);
    now = new Date('2026-03-01T12:00:01Z');
    expect(await look()).toEqual({ ...bare, state: 'expired' });
  });

  test('finds it open after a denied try, because another may follow', async () => {
    await open();
    server.decline(reference);
    expect(await look()).toEqual({ ...bare, state: 'open' });
    server.pay(reference);
    expect(await look()).toEqual(paid);
  });

  test('finds it failed if the last try was denied', async () => {
    await open();
    server.decline(reference);
    now = new Date('2026-03-01T12:00:01Z');
    expect(await look()).toEqual({ ...bare, state: 'failed' });
  });

  test('finds it no longer paid once a bank reversed it', async () => {
    await open();
    server.method = 'permata_va';
    server.pay(reference);
    const { payment_ref } = await look();
    server.decline(reference);
    expect(await look({ payment_ref })).toEqual({ ...bare, state: 'open', reversed: true });
    expect(await look({ payment_ref: 'another' })).toEqual({ ...bare, state: 'open' });
  });

  test('finds a card paid once it is captured, but not while it is challenged', async () => {
    server.method = 'credit_card';
    await open();
    server.challenge(reference);
    expect(await look()).toEqual({ ...bare, state: 'pending' });
    server.approve(reference);
    expect(await look()).toEqual(paid);
  });

  test('counts a dispute once it is lost', async () => {
    server.method = 'credit_card';
    await open();
    server.pay(reference);
    server.settle(reference);
    server.dispute(reference, 'open');
    expect(await look()).toEqual(paid);
    server.dispute(reference, 'lost');
    expect(await look()).toEqual({ ...paid, refunded: 350_000, dispute: 'lost' });
  });

  test.each([
    ['refused', 'temporary'],
    ['overloaded', 'temporary'],
    ['dropped', 'unknown'],
  ] as const)('reports that its request was %s', async (fault, kind) => {
    await open();
    server.fail('look', fault);
    await expect(look()).rejects.toMatchObject({ kind });
  });

  // docs.midtrans.com/reference/get-transaction-status, with its own HTTP status.
  const stands = {
    status_code: '200',
    transaction_id: '249fc620-6017-4540-af7c-5a1c25788f46',
    order_id: reference,
    payment_type: 'cstore',
    transaction_status: 'settlement',
    gross_amount: '350000.00',
  };

  test.each([
    [stands, 'paid'],
    [{ ...stands, fraud_status: 'ACCEPT' }, 'paid'],
    [{ ...stands, fraud_status: 'challenge' }, 'pending'],
    [{ ...stands, status_code: '202' }, 'pending'],
    [{ ...stands, status_code: '201', transaction_status: 'PENDING' }, 'pending'],
    [{ ...stands, status_code: '201', transaction_status: 'authorize' }, 'pending'],
    [{ ...stands, status_code: '200', transaction_status: 'cancel' }, 'cancelled'],
    [{ ...stands, status_code: '202', transaction_status: 'failure' }, 'failed'],
    [{ ...stands, status_code: '407', transaction_status: 'expire' }, 'expired'],
    [{ ...stands, transaction_status: 'partial_chargeback', refund_amount: '5000.00' }, 'paid'],
    [{ status_code: '404', status_message: "Transaction doesn't exist." }, 'open'],
  ])('reads %j as %s', async (body, state) => {
    for (const status of [200, Number(body.status_code)]) {
      const answer = () => Promise.resolve(Response.json(body, { status }));
      expect(await gateway.look(attempt(), answer, now)).toMatchObject({ state });
    }
  });

  test.each([
    { ...stands, gross_amount: '350000.50' },
    { ...stands, gross_amount: '-1' },
    { ...stands, transaction_status: 'delivered' },
    { ...stands, transaction_id: '' },
    { ...stands, transaction_id: 'a\0b' },
    {},
  ])('rejects an answer like %j', async (body) => {
    const answer = () => Promise.resolve(Response.json(body));
    const looked = gateway.look(attempt(), answer, now);
    await expect(looked).rejects.toMatchObject({ kind: 'unknown', code: 'answer' });
  });
});

describe('payment methods that Midtrans finds only by the transaction id', () => {
  test('are found by the id in a notification', async () => {
    server.method = 'dana';
    await open();
    server.begin(reference);
    expect(await look()).toMatchObject({ state: 'open', payment_ref: null });
    const [posted = new Request(api)] = server.takeCallbacks(api);
    const { payment_ref } = await hinted(gateway, posted, now);
    const known = { payment_ref };
    expect(await look(known)).toEqual({ ...bare, ...known, state: 'pending' });
    server.pay(reference);
    expect(await look(known)).toEqual({ ...paid, ...known });
    now = new Date('2026-03-01T13:00:00Z');
    const refund = { key: 'refund-1', amount: 50_000, reason: null };
    const given = await gateway.refund?.(attempt(known), refund, fetch, now);
    expect(given).toMatchObject({ state: 'sent' });
    expect(server.books(reference)).toMatchObject({ refunded: 50_000, refunds: 1 });
  });

  // The buyer chose a method with the order's own id before.
  test.each([
    ['pending', 'settlement', { state: 'paid', payment_ref: 'own-1' }],
    ['expire', 'settlement', { state: 'paid', payment_ref: 'own-1' }],
    ['expire', 'pending', { state: 'pending', payment_ref: 'own-1' }],
    ['pending', 'expire', { state: 'pending', payment_ref: null }],
    ['settlement', 'pending', { state: 'paid', payment_ref: 'va-1' }],
  ])(
    'show the better of two states: %s by the reference, and %s by its own id',
    async (usual, own, expected) => {
      const id = 'own-1';
      const answered = (transaction_id: string, order_id: string, transaction_status: string) => ({
        status_code: '200',
        transaction_id,
        order_id,
        transaction_status,
        gross_amount: '350000.00',
      });
      const answer = (url: string, { headers }: RequestInit) => {
        const isOwn = new Headers(headers).has('transaction-source');
        const named = isOwn ? answered(id, id, own) : { status_code: '404' };
        const told = url.includes(id) ? named : answered('va-1', reference, usual);
        return Promise.resolve(Response.json(told));
      };
      const known = attempt({ payment_ref: id });
      expect(await gateway.look(known, answer, now)).toMatchObject(expected);
    },
  );

  test('the id of somebody else’s transaction finds nothing', async () => {
    await open();
    await open({ reference: otherReference });
    server.pay(otherReference);
    const { payment_ref } = await look({ reference: otherReference });
    expect(await look({ payment_ref })).toEqual({ ...bare, state: 'open' });
    expect(await look({ payment_ref: otherReference })).toEqual({ ...bare, state: 'open' });
  });

  // docs.midtrans.com/reference/dana, Refund API: no list of refunds.
  test('every refund is done if the whole amount was refunded', async () => {
    const body = {
      status_code: '200',
      transaction_id: 'A120240830074017NP16XMU4JTID',
      order_id: 'A120240830074017NP16XMU4JTID',
      payment_type: 'dana',
      transaction_status: 'refund',
      gross_amount: '20000.00',
    };
    const answer = (_: string, { headers }: RequestInit) => {
      const isOwn = new Headers(headers).has('transaction-source');
      return Promise.resolve(Response.json(isOwn ? body : { status_code: '404' }));
    };
    const known = attempt({ payment_ref: body.transaction_id });
    expect(await gateway.look(known, answer, now)).toMatchObject({ refunded: 20_000 });
    const refund = { key: 'refund-1', amount: 20_000, reason: null };
    expect(await gateway.refund?.(known, refund, answer, now)).toEqual({
      state: 'succeeded',
      provider_ref: null,
    });
  });
});
