import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paypal } from '../../../src/providers/payments/paypal.ts';
import { PayPalServer } from '../paypal.ts';
import { Bench, configOf, refused } from './bench.ts';

const server = new PayPalServer();
const bench = new Bench(server, paypal);

beforeAll(() => bench.open());
afterAll(() => server.close());

const inDollars = (changed: object = {}) =>
  bench.payment({ currency: 'USD', amount: 123_456, ...changed });

const open = (payment = inDollars()) => bench.opened(payment);
const paid = () => bench.paid(inDollars());

const askedFor = (path: string) => server.journal.filter((asked) => asked.path === path);

const asked = (): unknown => JSON.parse(askedFor('/v2/checkout/orders').at(-1)?.body ?? '');

describe('PayPal', () => {
  const { PAYPAL_CLIENT_ID, PAYPAL_SECRET, PAYPAL_WEBHOOK_ID } = server.variables;

  test('is off without variables of its own', () => {
    expect(paypal(configOf({}))).toBeUndefined();
  });

  test.each<Record<string, string>>([
    { PAYPAL_CLIENT_ID, PAYPAL_SECRET },
    { PAYPAL_CLIENT_ID, PAYPAL_WEBHOOK_ID },
    { PAYPAL_SECRET, PAYPAL_WEBHOOK_ID },
    { PAYPAL_MODE: 'sandbox' },
    { PAYPAL_API_URL: 'https://api-m.paypal.com' },
  ])('says what is missing beside %o, without showing it', (variables) => {
    const make = () => paypal(configOf(variables));
    expect(make).toThrow('needs PAYPAL_CLIENT_ID, PAYPAL_SECRET and PAYPAL_WEBHOOK_ID');
    expect(make).not.toThrow(PAYPAL_SECRET);
  });

  test.each([
    [{}, 'https://api-m.paypal.com'],
    [{ PAYPAL_MODE: 'production' }, 'https://api-m.paypal.com'],
    [{ PAYPAL_MODE: 'sandbox' }, 'https://api-m.sandbox.paypal.com'],
    [{ PAYPAL_MODE: 'sandbox', PAYPAL_API_URL: 'http://127.0.0.1:1' }, 'http://127.0.0.1:1'],
  ])('uses the address of the mode in %o', async (mode, origin) => {
    const own = { PAYPAL_CLIENT_ID, PAYPAL_SECRET, PAYPAL_WEBHOOK_ID, ...mode };
    const urls: string[] = [];
    const nowhere = (url: string) => {
      urls.push(url);
      return Promise.reject(new Error('down'));
    };
    const opening = paypal(configOf(own))?.open(inDollars(), nowhere, bench.now);
    await expect(opening).rejects.toEqual(refused('unknown', 'no_answer'));
    expect(urls).toEqual([`${origin}/v1/oauth2/token`]);
  });
});

describe('The token of PayPal', () => {
  const tokens = () => askedFor('/v1/oauth2/token').length;

  test('is requested once, until shortly before its end', async () => {
    const gateway = bench.gateway();
    const before = tokens();
    await bench.opened(inDollars(), gateway);
    await bench.opened(inDollars(), gateway);
    expect(tokens() - before).toBe(1);
    bench.pass(9 * 3600 - 60);
    await bench.opened(inDollars(), gateway);
    expect(tokens() - before).toBe(2);
  });

  test('is requested again if it was withdrawn', async () => {
    const { look } = await open();
    const before = tokens();
    server.withdrawTokens();
    expect(await look()).toMatchObject({ state: 'open' });
    expect(tokens() - before).toBe(1);
  });

  test('is refused for invalid credentials', async () => {
    const stranger = bench.gateway({ PAYPAL_SECRET: 'guessed' });
    await expect(stranger.open(inDollars(), bench.http, bench.now)).rejects.toEqual(
      refused('temporary', 'invalid_client'),
    );
  });

  test('is dropped if it is refused although it is new', async () => {
    const { gateway, attempt } = await open();
    const refusing = async (url: string, init: RequestInit) => {
      const response = await bench.http(url, init);
      if (url.endsWith('/v1/oauth2/token')) return response;
      return Response.json({ name: 'AUTHENTICATION_FAILURE' }, { status: 401 });
    };
    await expect(gateway.look(attempt, refusing, bench.now)).rejects.toEqual(
      refused('temporary', 'AUTHENTICATION_FAILURE'),
    );
  });
});

describe('Opening a payment at PayPal', () => {
  test('sends the buyer to the page on which the order is approved', async () => {
    const payment = inDollars();
    const opened = await bench.gateway().open(payment, bench.http, bench.now);
    expect(opened).toEqual({
      provider_id: expect.stringMatching(/^[0-9A-Z]{17}$/),
      url: `https://www.sandbox.paypal.com/checkoutnow?token=${opened.provider_id}`,
      expires_at: payment.expires_at,
    });
    expect(server.returned(payment.reference)).toContain(`${payment.return_url}&token=`);
  });

  test('is answered with the same order when it is repeated', async () => {
    const payment = inDollars();
    server.fail('open', 'lost');
    await expect(open(payment)).rejects.toEqual(refused('unknown', 'no_answer'));
    const first = await open(payment);
    const second = await open(payment);
    expect(second.attempt).toEqual(first.attempt);
    expect(server.references().filter((each) => each === payment.reference)).toHaveLength(1);
  });

  test.each([
    ['USD', 5, '0.05'],
    ['EUR', 900_719_925_474_099, '9007199254740.99'],
    ['JPY', 1_500, '1500'],
    ['HUF', 99, '99'],
    ['TWD', 7, '7'],
  ])('requests an amount of %s exactly', async (currency, amount, value) => {
    const { look, reference } = await open(bench.payment({ currency, amount }));
    const money = { currency_code: currency, value };
    expect(asked()).toMatchObject({ purchase_units: [{ amount: money }] });
    server.pay(reference);
    expect(await look()).toMatchObject({ state: 'paid', paid: { amount, currency } });
  });

  test('offers the currencies that PayPal supports', () => {
    const gateway = bench.gateway();
    for (const [currency, exponent] of Object.entries(server.units)) {
      expect(gateway.unitOf(currency)).toEqual({ exponent, step: 1 });
    }
    for (const currency of ['IDR', 'KWD', 'RUB']) expect(gateway.unitOf(currency)).toBeUndefined();
  });

  test('cuts a long title between characters', async () => {
    const title = `${'x'.repeat(126)}😀`;
    await open(inDollars({ order: { id: 7, number: 'INV-7', title } }));
    const description = 'x'.repeat(126);
    expect(asked()).toMatchObject({ purchase_units: [{ description }] });
  });

  test.each([
    ['dropped', 'unknown', 'no_answer'],
    ['refused', 'temporary', 'INTERNAL_SERVER_ERROR'],
    ['overloaded', 'temporary', 'SERVICE_UNAVAILABLE'],
  ] as const)('reports that its request was %s', async (fault, kind, code) => {
    server.fail('open', fault);
    await expect(open()).rejects.toEqual(refused(kind, code));
  });

  test('is permanently refused if the request is invalid', async () => {
    await expect(open(inDollars({ amount: 0 }))).rejects.toEqual(
      refused('permanent', 'CANNOT_BE_ZERO_OR_NEGATIVE'),
    );
    await expect(open(inDollars({ return_url: 'thanks' }))).rejects.toEqual(
      refused('permanent', 'INVALID_PARAMETER_SYNTAX'),
    );
  });

  test.each([
    ['no page', []],
    ['a page that others can read', [{ rel: 'approve', href: 'http://paypal.example/' }]],
    ['a script', [{ rel: 'payer-action', href: 'javascript:alert(1)' }]],
  ])('rejects an answer with %s', async (_, links) => {
    const { gateway } = await open();
    const answers = async () => Response.json({ id: '5O190127TN364715T', links }, { status: 201 });
    await expect(gateway.open(inDollars(), answers, bench.now)).rejects.toEqual(
      refused('unknown', 'unreadable_answer'),
    );
  });
});

describe('Refunding a payment at PayPal', () => {
  test('happens once, however often it is requested', async () => {
    const { reference, refund } = await paid();
    const first = await refund('refund-1', 23_456);
    expect(first).toEqual({ state: 'sent', provider_ref: expect.stringMatching(/^[0-9A-Z]{17}$/) });
    expect(await refund('refund-1', 23_456)).toEqual(first);
    server.settleRefunds('succeeded');
    expect(await refund('refund-1', 23_456)).toEqual({ ...first, state: 'succeeded' });
    bench.pass(46 * 86_400);
    expect(await refund('refund-1', 23_456)).toEqual({ ...first, state: 'succeeded' });
    expect(server.books(reference)).toMatchObject({ refunded: 23_456, refunds: 1 });
  });

  test('happens once if two request it at the same moment', async () => {
    const { reference, refund } = await paid();
    const [first, second] = await Promise.all([refund('refund-1', 50), refund('refund-1', 50)]);
    expect(second).toEqual(first);
    expect(server.books(reference)).toMatchObject({ refunded: 50, refunds: 1 });
  });

  test('happens once if its answer is lost', async () => {
    const { reference, refund } = await paid();
    server.fail('refund', 'lost');
    await expect(refund('refund-1', 123_456)).rejects.toEqual(refused('unknown', 'no_answer'));
    expect(await refund('refund-1', 123_456)).toMatchObject({ state: 'sent' });
    expect(server.books(reference)).toMatchObject({ refunded: 123_456, refunds: 1 });
  });

  test('is sent again after a refusal without effect', async () => {
    const { reference, refund } = await paid();
    server.fail('refund', 'overloaded');
    await expect(refund('refund-1', 5)).rejects.toEqual(
      refused('temporary', 'SERVICE_UNAVAILABLE'),
    );
    await refund('refund-1', 5);
    await refund('refund-2', 6);
    expect(server.books(reference)).toMatchObject({ refunded: 11, refunds: 2 });
  });

  test('that fails is reported as failed', async () => {
    const { refund } = await paid();
    await refund('refund-1', 100);
    server.settleRefunds('failed');
    expect(await refund('refund-1', 100)).toMatchObject({ state: 'failed' });
  });

  test('keeps the reason in the store, because PayPal would show it to the buyer', async () => {
    const { refund } = await paid();
    await refund('refund-1', 100);
    const body = server.journal.findLast(({ path }) => path.endsWith('/refund'))?.body;
    expect(body).not.toContain('Damaged');
  });

  test('of more than is left is permanently refused', async () => {
    const { reference, refund } = await paid();
    await expect(refund('refund-1', 123_457)).rejects.toEqual(
      refused('permanent', 'REFUND_AMOUNT_EXCEEDED'),
    );
    server.refundByHand(reference);
    await expect(refund('refund-2', 1)).rejects.toEqual(
      refused('permanent', 'CAPTURE_FULLY_REFUNDED'),
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

test('there is nothing to cancel at PayPal', () => {
  expect(bench.gateway()).not.toHaveProperty('cancel');
});
