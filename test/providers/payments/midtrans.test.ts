import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Attempt, Gateway, NewPayment } from '../../../src/providers/payments/gateway.ts';
import { midtrans } from '../../../src/providers/payments/midtrans.ts';
import { MidtransServer } from '../midtrans.ts';
import { attempt, configWith, gatewayOf, payment } from './payment.ts';

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

describe('Opening a payment at Midtrans', () => {
  test('creates a page with the item, the buyer, and the expiry', async () => {
    const opened = await open();
    expect(opened).toEqual({
      provider_id: expect.stringMatching(/^[\w-]{36}$/),
      url: expect.stringContaining(opened.provider_id),
      expires_at: '2026-03-01T12:00:00.000Z',
    });
    expect(JSON.parse(server.journal[0]?.body ?? '')).toMatchObject({
      transaction_details: { order_id: reference, gross_amount: 350_000 },
      item_details: [{ id: '12', name: 'Kursus Menulis', price: 350_000, quantity: 1 }],
      customer_details: {
        first_name: 'Budi Susanto',
        email: 'budi@example.com',
        phone: '+6281234567890',
      },
      credit_card: { secure: true },
      callbacks: { finish: 'https://shop.example/thanks?payment=12' },
      expiry: { start_time: '2026-03-01 17:00:00 +0700', unit: 'minutes', duration: 120 },
    });
  });

  test('leaves out what Midtrans would refuse, and shortens long texts', async () => {
    const title = `Kaos | ${'x'.repeat(42)}🎉🎉`;
    await open({
      order: { id: 12, number: 'S-12', title },
      buyer: { name: 'N'.repeat(80), email: null, phone: '+6591234567' },
    });
    const { item_details, customer_details } = JSON.parse(server.journal[0]?.body ?? '');
    expect(item_details[0].name).toBe(`Kaos / ${'x'.repeat(42)}`);
    expect(customer_details).toEqual({ first_name: 'N'.repeat(30) });
  });

  test('takes an order without a title, and a buyer without a name', async () => {
    await open({
      order: { id: 12, number: 'S-12', title: '' },
      buyer: { name: '', email: null, phone: '' },
    });
    expect(server.books(reference).payable).toBe(true);
  });

  test('is never repeated: a reference is used once', async () => {
    expect(gateway.replays).toBe(false);
    await open();
    await expect(open()).rejects.toMatchObject({
      kind: 'permanent',
      code: 'transaction_details.order_id',
    });
  });

  test('reports the error without personal data', async () => {
    const refused = open({ buyer: { name: 'Budi', email: 'no address', phone: '' } });
    await expect(refused).rejects.toMatchObject({
      kind: 'permanent',
      code: 'customer_details.email',
    });
  });

  test('is refused with a wrong key, until the key is corrected', async () => {
    const other = gatewayOf(midtrans, {
      ...server.variables,
      MIDTRANS_SERVER_KEY: 'SB-Mid-server-other',
    });
    await expect(other.open(payment(), fetch, now)).rejects.toMatchObject({
      kind: 'temporary',
      code: '401',
    });
  });

  test.each([
    ['refused', 'temporary', '500'],
    ['overloaded', 'temporary', '503'],
    ['lost', 'unknown', 'no_answer'],
    ['dropped', 'unknown', 'no_answer'],
  ] as const)('reports that its request was %s', async (fault, kind, code) => {
    server.fail('open', fault);
    await expect(open()).rejects.toMatchObject({ kind, code });
    expect(server.references()).toEqual(fault === 'lost' ? [reference] : []);
  });

  test.each([
    { token: 'a', redirect_url: 'http://app.midtrans.example/a' },
    { token: 'a', redirect_url: 'javascript:alert(1)' },
    { token: '', redirect_url: 'https://app.midtrans.example/a' },
    {},
  ])('rejects an answer like %j', async (body) => {
    const answer = () => Promise.resolve(Response.json(body, { status: 201 }));
    const opened = gateway.open(payment(), answer, now);
    await expect(opened).rejects.toMatchObject({ kind: 'unknown', code: 'answer' });
  });
});

describe('Cancelling a payment at Midtrans', () => {
  const cancel = (provider_id: string | null) =>
    gateway.cancel?.(attempt({ provider_id }), fetch, now);

  test('closes a page without a chosen method, also repeatedly', async () => {
    const { provider_id } = await open();
    await cancel(provider_id);
    expect(server.books(reference).payable).toBe(false);
    await cancel(provider_id);
  });

  test('cancels the chosen method', async () => {
    const { provider_id } = await open();
    server.begin(reference);
    await cancel(provider_id);
    expect(server.books(reference)).toMatchObject({ payable: false, paid: 0 });
    expect(await look()).toMatchObject({ state: 'expired' });
  });

  test.each(['gopay', 'credit_card'])('leaves a payment by %s alone', async (method) => {
    server.method = method;
    const { provider_id } = await open();
    server.pay(reference);
    await cancel(provider_id);
    expect(await look()).toMatchObject({ state: 'paid', refunded: 0 });
  });

  test('has nothing to do if the page was never opened, or is unknown', async () => {
    await cancel(null);
    server.fail('open', 'lost');
    await expect(open()).rejects.toMatchObject({ kind: 'unknown' });
    await cancel(null);
    server.begin(reference);
    await cancel(null);
    expect(server.books(reference).payable).toBe(false);
  });

  test('is tried again if Midtrans did not answer', async () => {
    const { provider_id } = await open();
    server.fail('cancel', 'overloaded');
    await expect(cancel(provider_id)).rejects.toMatchObject({ kind: 'temporary' });
    server.begin(reference);
    server.fail('cancel', 'dropped');
    await expect(cancel(provider_id)).rejects.toMatchObject({ kind: 'unknown' });
    await cancel(provider_id);
    expect(server.books(reference).payable).toBe(false);
  });
});

describe('Midtrans', () => {
  const of = (variables: Readonly<Record<string, string>>) => midtrans(configWith(variables));

  test('is off without a key', () => {
    expect(of({})).toBeUndefined();
  });

  test.each([
    { MIDTRANS_MODE: 'sandbox' },
    { MIDTRANS_API_URL: 'https://api.example' },
    { MIDTRANS_APP_URL: 'https://app.example' },
  ])('is refused with %j but without a key', (variables) => {
    expect(() => of(variables)).toThrow('MIDTRANS_SERVER_KEY is missing');
  });

  test('a key of the sandbox is refused in production, and not shown', () => {
    const start = () =>
      of({ MIDTRANS_SERVER_KEY: 'SB-Mid-server-secret', MIDTRANS_MODE: 'production' });
    expect(start).toThrow('MIDTRANS_SERVER_KEY is a key of the sandbox');
    expect(start).not.toThrow('secret');
  });

  test.each([
    ['SB-Mid-server-a', undefined, 'https://app.sandbox.midtrans.com'],
    ['SB-Mid-server-a', 'sandbox', 'https://app.sandbox.midtrans.com'],
    ['Mid-server-a', 'sandbox', 'https://app.sandbox.midtrans.com'],
    ['Mid-server-a', 'production', 'https://app.midtrans.com'],
    ['Mid-server-a', undefined, 'https://app.midtrans.com'],
  ])('with the key %s in the mode %s uses the address %s', async (key, mode, origin) => {
    const asked: string[] = [];
    const http = (url: string) => {
      asked.push(url);
      return Promise.resolve(Response.json({ status_code: '404' }, { status: 404 }));
    };
    const configured = gatewayOf(midtrans, {
      MIDTRANS_SERVER_KEY: key,
      ...(mode && { MIDTRANS_MODE: mode }),
    });
    await configured.look(attempt(), http, now);
    await configured.cancel?.(attempt({ provider_id: 'token' }), http, now);
    expect(asked.slice(0, 2)).toEqual([
      `${origin.replace('app', 'api')}/v2/${reference}/status`,
      `${origin}/snap/v1/transactions/token/cancel`,
    ]);
  });

  test('accepts whole rupiah only', () => {
    expect(gateway.unitOf('IDR')).toEqual({ exponent: 0, step: 1 });
    expect(gateway.unitOf('USD')).toBeUndefined();
    expect(gateway.life).toEqual({ min: 300, max: 604_800 });
  });
});
