import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { xendit } from '../../../src/providers/payments/xendit.ts';
import { XenditServer } from '../xendit.ts';
import { Bench, attemptOf, configOf, refused } from './bench.ts';

const server = new XenditServer();
const bench = new Bench(server, xendit);

beforeAll(() => bench.open());
afterAll(() => server.close());

const inRupiah = (changed: object = {}) =>
  bench.payment({ currency: 'IDR', amount: 350_000, ...changed });

const open = (payment = inRupiah()) => bench.opened(payment);
const paid = () => bench.paid(inRupiah());

const asked = (): unknown =>
  JSON.parse(server.journal.findLast(({ path }) => path === '/sessions')?.body ?? '');

describe('Xendit', () => {
  const { XENDIT_SECRET_KEY: key, XENDIT_CALLBACK_TOKEN: token } = server.variables;

  test('is off without variables of its own', () => {
    expect(xendit(configOf({}))).toBeUndefined();
  });

  test.each([
    { XENDIT_SECRET_KEY: key },
    { XENDIT_CALLBACK_TOKEN: token },
    { XENDIT_MODE: 'sandbox' },
    { XENDIT_API_URL: 'https://api.xendit.co' },
  ])('says what is missing beside %o', (variables) => {
    expect(() => xendit(configOf(variables))).toThrow(
      'needs XENDIT_SECRET_KEY and XENDIT_CALLBACK_TOKEN',
    );
  });

  test.each([
    ['xnd_development_key', 'production', 'is a key for sandbox'],
    ['xnd_production_key', 'sandbox', 'is a key for production'],
    ['xnd_public_development_key', 'sandbox', 'is not a secret key of Xendit'],
  ])('refuses the key %s for %s, without showing it', (key, mode, message) => {
    const make = () => bench.gateway({ XENDIT_SECRET_KEY: key, XENDIT_MODE: mode });
    expect(make).toThrow(message);
    expect(make).not.toThrow(key);
  });

  test('takes the mode of the key', () => {
    expect(bench.gateway({ XENDIT_MODE: 'sandbox' }).id).toBe('xendit');
  });
});

describe('Opening a payment at Xendit', () => {
  test('sends the buyer to the page of the session, for as long as is wanted', async () => {
    const payment = inRupiah();
    const opened = await bench.gateway().open(payment, bench.http, bench.now);
    expect(opened).toEqual({
      provider_id: expect.stringMatching(/^ps-[0-9a-f]{24}$/),
      url: `https://checkout-staging.xendit.co/sessions/${opened.provider_id}`,
      expires_at: payment.expires_at,
    });
    expect(server.returned(payment.reference)).toBe(payment.return_url);
    expect(asked()).toMatchObject({ amount: 350_000, currency: 'IDR', country: 'ID' });
  });

  test.each([
    ['PHP', 123_456, 1234.56],
    ['THB', 10, 0.1],
    ['SGD', 1_999_901, 19_999.01],
    ['MYR', 900_719_925_474_099, 9_007_199_254_740.99],
    ['VND', 350_000, 350_000],
  ])('requests an amount of %s exactly', async (currency, amount, number) => {
    const { look, reference } = await open(bench.payment({ currency, amount }));
    expect(asked()).toMatchObject({ amount: number });
    server.pay(reference);
    expect(await look()).toMatchObject({ state: 'paid', paid: { amount, currency } });
  });

  test('offers the currencies that belong to a country', () => {
    const gateway = bench.gateway();
    for (const [currency, exponent] of Object.entries(server.units)) {
      expect(gateway.unitOf(currency)).toEqual({ exponent, step: 1 });
    }
    expect(gateway.unitOf('USD')).toBeUndefined();
  });

  test.each([
    ['Siti Nurbaya', 'Siti Nurbaya'],
    ["Đặng O'Brien-Müller", 'ang OBrienMuller'],
    ['สมชาย', 'Customer'],
    ['', 'Customer'],
  ])('sends the name %o in the characters that Xendit accepts', async (name, given_names) => {
    await open(inRupiah({ buyer: { name, email: null, phone: '' } }));
    expect(asked()).toMatchObject({ customer: { individual_detail: { given_names } } });
  });

  test('leaves out the fields of a buyer that Xendit would refuse', async () => {
    const email = `${'a'.repeat(50)}@example.com`;
    await open(inRupiah({ buyer: { name: 'Siti', email, phone: '0812 345' } }));
    expect(asked()).toMatchObject({ customer: expect.not.objectContaining({ email }) });
    expect(asked()).not.toHaveProperty('customer.mobile_number');
  });

  test('has no return address for a shop without https', async () => {
    const { reference } = await open(inRupiah({ return_url: 'http://localhost:5173/thanks' }));
    expect(server.returned(reference)).toBe('');
  });

  test('cuts a long title between characters', async () => {
    const title = `${'x'.repeat(999)}😀`;
    await open(inRupiah({ order: { id: 7, number: 'INV-7', title } }));
    expect(asked()).toMatchObject({ description: 'x'.repeat(999) });
  });

  test.each([
    ['dropped', 'unknown', 'no_answer'],
    ['lost', 'unknown', 'no_answer'],
    ['refused', 'temporary', 'SERVER_ERROR'],
    ['overloaded', 'temporary', 'CHANNEL_UNAVAILABLE'],
  ] as const)('reports that its request was %s', async (fault, kind, code) => {
    server.fail('open', fault);
    await expect(open()).rejects.toEqual(refused(kind, code));
    await expect(open()).resolves.toBeDefined();
  });

  test('is permanently refused if the request is invalid, and temporarily if the key is', async () => {
    const soon = new Date(bench.now.getTime() + 300_000).toISOString();
    const none = bench.payment({ currency: 'IDR', amount: 0 });
    await expect(open(none)).rejects.toEqual(refused('permanent', 'INVALID_AMOUNT'));
    await expect(open(inRupiah({ expires_at: soon }))).rejects.toEqual(
      refused('permanent', 'INVALID_EXPIRY_DATE'),
    );
    const stranger = bench.gateway({ XENDIT_SECRET_KEY: 'xnd_development_other' });
    await expect(stranger.open(inRupiah(), bench.http, bench.now)).rejects.toEqual(
      refused('temporary', 'INVALID_API_KEY'),
    );
  });

  test.each([
    ['no page', { payment_link_url: null }],
    ['a page that others can read', { payment_link_url: 'http://xen.to/kGxPCi60' }],
    ['a script', { payment_link_url: 'javascript:alert(1)' }],
    ['a name too long to keep', { payment_session_id: 'p'.repeat(256) }],
  ])('rejects an answer with %s', async (_, changed) => {
    const answer = {
      payment_session_id: 'ps-661f87c614802d6c402cd82d',
      payment_link_url: 'https://xen.to/kGxPCi60',
      expires_at: '2026-12-31T23:59:59Z',
    };
    const opened = (body: object) =>
      bench.gateway().open(inRupiah(), async () => Response.json(body, { status: 201 }), bench.now);
    expect(await opened(answer)).toMatchObject({ expires_at: '2026-12-31T23:59:59.000Z' });
    await expect(opened({ ...answer, ...changed })).rejects.toEqual(
      refused('unknown', 'unreadable_answer'),
    );
  });
});

describe('Cancelling a payment at Xendit', () => {
  test('closes the page, and is done once the page has expired', async () => {
    const { cancel, look, reference } = await open();
    await cancel();
    expect(server.books(reference).payable).toBe(false);
    expect(await look()).toMatchObject({ state: 'cancelled', paid: null });
    await expect(cancel()).resolves.toBeUndefined();
  });

  test('leaves a payment alone that was paid meanwhile', async () => {
    const { cancel, look } = await paid();
    await cancel();
    expect(await look()).toMatchObject({ state: 'paid' });
  });

  test('has nothing to do without a known session', async () => {
    const before = server.journal.length;
    await bench.gateway().cancel?.(attemptOf(inRupiah()), bench.http, bench.now);
    expect(server.journal.length).toBe(before);
  });

  test('reports the error', async () => {
    const { cancel } = await open();
    server.fail('cancel', 'overloaded');
    await expect(cancel()).rejects.toEqual(refused('temporary', 'CHANNEL_UNAVAILABLE'));
  });
});

describe('Refunding a payment at Xendit', () => {
  test('happens once, however often it is requested', async () => {
    const { reference, refund } = await paid();
    const first = await refund('refund-1', 100_000);
    expect(first).toEqual({ state: 'sent', provider_ref: expect.stringMatching(/^rfd-/) });
    expect(await refund('refund-1', 100_000)).toEqual(first);
    server.settleRefunds('succeeded');
    expect(await refund('refund-1', 100_000)).toEqual({ ...first, state: 'succeeded' });
    expect(server.books(reference)).toMatchObject({ refunded: 100_000, refunds: 1 });
  });

  test('happens once if its answer is lost', async () => {
    const { reference, refund } = await paid();
    server.fail('refund', 'lost');
    await expect(refund('refund-1', 350_000)).rejects.toEqual(refused('unknown', 'no_answer'));
    expect(await refund('refund-1', 350_000)).toMatchObject({ state: 'sent' });
    expect(server.books(reference)).toMatchObject({ refunded: 350_000, refunds: 1 });
  });

  test('is sent again after a refusal without effect', async () => {
    const { reference, refund } = await paid();
    server.fail('refund', 'refused');
    await expect(refund('refund-1', 5_000)).rejects.toEqual(refused('temporary', 'SERVER_ERROR'));
    await refund('refund-1', 5_000);
    expect(server.books(reference)).toMatchObject({ refunded: 5_000, refunds: 1 });
  });

  test('waits for the previous refund', async () => {
    const { reference, refund } = await paid();
    await refund('refund-1', 100_000);
    await expect(refund('refund-2', 50_000)).rejects.toEqual(
      refused('temporary', 'REFUND_IN_PROGRESS'),
    );
    server.settleRefunds('succeeded');
    await refund('refund-2', 50_000);
    expect(server.books(reference)).toMatchObject({ refunded: 150_000, refunds: 2 });
  });

  test('that fails is reported as failed', async () => {
    const { refund } = await paid();
    await refund('refund-1', 100_000);
    server.settleRefunds('failed');
    expect(await refund('refund-1', 100_000)).toMatchObject({ state: 'failed' });
  });

  test('of more than is left is permanently refused', async () => {
    const { refund } = await paid();
    await expect(refund('refund-1', 350_001)).rejects.toEqual(
      refused('permanent', 'REFUND_AMOUNT_EXCEEDED'),
    );
  });

  test('of an unpaid payment is refused without a request', async () => {
    const { gateway, attempt } = await open();
    const refund = { key: 'refund-1', amount: 1, reason: null };
    await expect(gateway.refund?.(attempt, refund, bench.http, bench.now)).rejects.toEqual(
      refused('permanent', 'not_paid'),
    );
  });
});
