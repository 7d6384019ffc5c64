import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Attempt, Gateway, NewPayment } from '../../../src/providers/payments/gateway.ts';
import { duitku } from '../../../src/providers/payments/duitku.ts';
import { DuitkuServer } from '../duitku.ts';
import { attempt, gatewayOf, otherReference, payment } from './payment.ts';

let server: DuitkuServer;
let gateway: Gateway;
let now: Date;

beforeEach(async () => {
  server = new DuitkuServer();
  now = new Date('2026-03-01T10:00:00.500Z');
  await server.open(() => now);
  gateway = gatewayOf(duitku, server.variables);
});
afterEach(() => server.close());

const { reference, callback_url } = payment();
const open = (changed?: Partial<NewPayment>) => gateway.open(payment(changed), fetch, now);
const look = (changed?: Partial<Attempt>) => gateway.look(attempt(changed), fetch, now);

const bare = { paid: null, payment_ref: null, refunded: 0, dispute: 'none' };
const paid = {
  ...bare,
  state: 'paid',
  paid: { amount: 350_000, currency: 'IDR' },
  payment_ref: expect.stringMatching(/^DS10001/),
};

describe('Opening a payment at Duitku', () => {
  test('creates an invoice with the item, the buyer, and the expiry', async () => {
    const opened = await open();
    expect(opened).toEqual({
      provider_id: expect.stringMatching(/^DS10001/),
      url: expect.stringContaining(opened.provider_id),
      expires_at: '2026-03-01T12:00:00.500Z',
    });
    const sent = { name: 'Kursus Menulis', price: 350_000, quantity: 1 };
    expect(JSON.parse(server.journal[0]?.body ?? '')).toEqual({
      paymentAmount: 350_000,
      merchantOrderId: reference,
      productDetails: 'Kursus Menulis',
      email: 'budi@example.com',
      phoneNumber: '+6281234567890',
      customerVaName: 'Budi Susanto',
      itemDetails: [sent],
      customerDetail: {
        firstName: 'Budi Susanto',
        email: 'budi@example.com',
        phoneNumber: '+6281234567890',
      },
      callbackUrl: callback_url,
      returnUrl: payment().return_url,
      expiryPeriod: 120,
    });
  });

  test('leaves out and shortens what Duitku would refuse', async () => {
    await open({
      order: { id: 12, number: 'S-12', title: 'x'.repeat(300) },
      buyer: { name: 'N'.repeat(80), email: 'budi@example.com', phone: 'by mail, please' },
    });
    await open({
      reference: otherReference,
      order: { id: 12, number: 'S-12', title: '' },
      buyer: { name: '', email: 'budi@example.com', phone: '' },
    });
    expect(server.references()).toEqual([reference, otherReference]);
  });

  test('requests at least a minute, because Duitku would take 0 minutes for its default of a day', async () => {
    now = new Date('2026-03-01T12:00:00.500Z');
    expect((await open()).expires_at).toBe('2026-03-01T12:01:00.500Z');
  });

  test('needs an e-mail address', async () => {
    expect(gateway.needs).toEqual(['email']);
    const refused = open({ buyer: { name: 'Budi', email: null, phone: '' } });
    await expect(refused).rejects.toMatchObject({ kind: 'permanent', code: 'email' });
    expect(server.journal).toEqual([]);
  });

  test('is never repeated: a reference works once, and a repeat is refused permanently', async () => {
    expect(gateway.replays).toBe(false);
    await open();
    await expect(open()).rejects.toMatchObject({ kind: 'permanent', code: '-105' });
  });

  test.each([
    { amount: 9999 },
    { buyer: { name: 'Budi', email: 'no address', phone: '' } },
    { return_url: `https://shop.example/${'x'.repeat(255)}` },
  ])("%j is permanently refused, without Duitku's text", async (changed) => {
    await expect(open(changed)).rejects.toMatchObject({ kind: 'permanent', code: '400' });
  });

  test.each([
    [{ DUITKU_API_KEY: 'another' }, 'temporary', '401'],
    [{ DUITKU_MERCHANT_CODE: 'DS10002' }, 'permanent', '404'],
  ])('with %j is refused', async (wrong, kind, code) => {
    const other = gatewayOf(duitku, { ...server.variables, ...wrong });
    const refused = { kind, code };
    await expect(other.open(payment(), fetch, now)).rejects.toMatchObject(refused);
    await expect(other.look(attempt(), fetch, now)).rejects.toMatchObject(refused);
  });

  test.each([
    ['refused', 'temporary'],
    ['overloaded', 'temporary'],
    ['lost', 'unknown'],
    ['dropped', 'unknown'],
  ] as const)('reports that its request was %s', async (fault, kind) => {
    server.fail('open', fault);
    await expect(open()).rejects.toMatchObject({ kind });
    expect(server.references()).toEqual(fault === 'lost' ? [reference] : []);
  });

  test.each([
    [409, { Message: 'Payment amount must be equal to all item price' }, 'permanent'],
    [200, { statusCode: '00', reference: 'D1', paymentUrl: 'http://pay.example/D1' }, 'unknown'],
    [200, { statusCode: '00', reference: '', paymentUrl: 'https://pay.example/D1' }, 'unknown'],
    [200, { reference: 'D1', paymentUrl: 'https://pay.example/D1' }, 'unknown'],
    [200, 'busy', 'unknown'],
  ])('an answer of %d %j is rejected', async (status, body, kind) => {
    const answer = () => Promise.resolve(Response.json(body, { status }));
    await expect(gateway.open(payment(), answer, now)).rejects.toMatchObject({ kind });
  });
});

describe('Looking up a payment at Duitku', () => {
  test('finds an open payment until it has ended', async () => {
    await open();
    expect(await look()).toEqual({ ...bare, state: 'open' });
    server.begin(reference);
    expect(await look()).toEqual({ ...bare, state: 'open' });
    now = new Date('2026-03-01T12:00:00.500Z');
    expect(await look()).toEqual({ ...bare, state: 'expired' });
  });

  test('finds a paid payment, with the received amount', async () => {
    await open();
    server.pay(reference);
    expect(await look()).toEqual(paid);
    server.refundByHand(reference);
    expect(await look()).toEqual(paid);
  });

  test('finds a payment of another amount', async () => {
    await open();
    server.pay(reference, { amount: 35_000 });
    expect((await look()).paid).toEqual({ amount: 35_000, currency: 'IDR' });
  });

  test('finds a failed payment', async () => {
    await open();
    server.decline(reference);
    expect(await look()).toEqual({ ...bare, state: 'failed' });
  });

  test('finds that Duitku does not know a payment', async () => {
    expect(await look()).toEqual({ ...bare, state: 'open' });
    now = new Date('2026-03-01T12:00:00Z');
    expect(await look()).toEqual({ ...bare, state: 'expired' });
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

  // docs.duitku.com/api/en, Check Transaction.
  const stands = {
    merchantOrderId: reference,
    reference: 'D0001CX80TZJ85Q70QCI',
    amount: '350000',
    fee: '0.00',
    statusCode: '00',
    statusMessage: 'SUCCESS',
  };

  test.each([stands, { ...stands, amount: 350_000 }, { ...stands, amount: '350000.00' }])(
    'treats %j as paid',
    async (body) => {
      const answer = () => Promise.resolve(Response.json(body));
      expect(await gateway.look(attempt(), answer, now)).toMatchObject({
        state: 'paid',
        paid: { amount: 350_000, currency: 'IDR' },
      });
    },
  );

  test.each([
    { ...stands, amount: '350000.50' },
    { ...stands, amount: '' },
    { ...stands, statusCode: '03' },
    { ...stands, merchantOrderId: otherReference },
    {},
  ])('rejects an answer like %j', async (body) => {
    const answer = () => Promise.resolve(Response.json(body));
    const looked = gateway.look(attempt(), answer, now);
    await expect(looked).rejects.toMatchObject({ kind: 'unknown' });
  });
});
