import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProviderError } from '../../../src/providers/http.ts';
import { paypal } from '../../../src/providers/payments/paypal.ts';
import { PayPalServer } from '../paypal.ts';
import { Bench, apiBase, attemptOf, refused } from './bench.ts';

const server = new PayPalServer();
const bench = new Bench(server, paypal);

beforeAll(() => bench.open());
afterAll(() => server.close());

const inDollars = (changed: object = {}) =>
  bench.payment({ currency: 'USD', amount: 123_456, ...changed });

const open = (payment = inDollars()) => bench.opened(payment);
const paid = () => bench.paid(inDollars());

const askedFor = (path: string) => server.journal.filter((asked) => asked.path === path);

describe('Looking up a payment at PayPal', () => {
  const nothing = { paid: null, payment_ref: null, refunded: 0, dispute: 'none' };
  const money = { amount: 123_456, currency: 'USD' };

  test('captures the money of an approved order, once', async () => {
    const { look, reference } = await open();
    expect(await look()).toEqual({ state: 'open', ...nothing });
    server.pay(reference);
    expect(server.books(reference)).toMatchObject({ paid: 0 });
    const found = { state: 'paid', paid: money, refunded: 0, dispute: 'none' };
    const payment = await look();
    expect(payment).toMatchObject(found);
    expect(payment.payment_ref).toMatch(/^[0-9A-Z]{17}$/);
    expect(server.books(reference)).toMatchObject({ paid: 123_456, payable: false });
    expect(await look()).toEqual(payment);
  });

  test('captures it once if two look at the same moment', async () => {
    const { look, reference } = await open();
    server.pay(reference);
    const [first, second] = await Promise.all([look(), look()]);
    expect(first).toMatchObject({ state: 'paid', paid: money });
    expect(second).toEqual(first);
  });

  test('finds its capture after the answer was lost', async () => {
    const { gateway, attempt, look, reference } = await open();
    server.pay(reference);
    const losing = async (url: string, init: RequestInit) => {
      const response = await bench.http(url, init);
      if (url.endsWith('/capture')) throw new Error('broken off');
      return response;
    };
    await expect(gateway.look(attempt, losing, bench.now)).rejects.toEqual(
      refused('unknown', 'no_answer'),
    );
    expect(await look()).toMatchObject({ state: 'paid', paid: money });
  });

  test('delayed money is pending until it arrives', async () => {
    const { look, reference } = await open();
    server.begin(reference);
    expect(await look()).toMatchObject({ state: 'pending', paid: null });
    bench.pass(86_400);
    expect(await look()).toMatchObject({ state: 'pending', paid: null });
    server.pay(reference);
    expect(await look()).toMatchObject({ state: 'paid', paid: money });
  });

  test('delayed money is pending until it fails', async () => {
    const { look, reference } = await open();
    server.begin(reference);
    await look();
    server.decline(reference);
    expect(await look()).toMatchObject({ state: 'failed', paid: null });
  });

  test.each([
    ['CHARGEBACK', { reversed: true }],
    ['ECHECK', {}],
  ])('a capture that is declined because of %s is reversed or not', async (reason, expected) => {
    const { gateway, attempt } = await paid();
    const declined = `"status":"DECLINED","status_details":{"reason":"${reason}"},"amount"`;
    const declining = async (url: string, init: RequestInit) => {
      const response = await bench.http(url, init);
      const text = await response.text();
      return new Response(text.replace('"status":"COMPLETED","amount"', declined), response);
    };
    const { payment_ref } = attempt;
    const failed = { ...nothing, state: 'failed', payment_ref };
    expect(await gateway.look(attempt, declining, bench.now)).toEqual({ ...failed, ...expected });
  });

  test('a declined card leaves the order open for another card', async () => {
    const { look, reference } = await open();
    server.useBadCard(reference);
    expect(await look()).toEqual({ state: 'open', ...nothing });
    server.pay(reference);
    expect(await look()).toMatchObject({ state: 'paid', paid: money });
  });

  test('reports the captured amount, not the requested one', async () => {
    const { look, reference } = await open();
    server.pay(reference, { amount: 1_234, currency: 'JPY' });
    expect(await look()).toMatchObject({ paid: { amount: 1_234, currency: 'JPY' } });
  });

  test('captures nothing after the expiry, though the page still exists', async () => {
    const { look, reference } = await open();
    bench.pass(3600);
    expect(await look()).toEqual({ state: 'expired', ...nothing });
    server.pay(reference);
    expect(await look()).toEqual({ state: 'expired', ...nothing });
    expect(server.books(reference)).toMatchObject({ paid: 0 });
  });

  test('an order that PayPal has forgotten is expired', async () => {
    const expires_at = new Date(bench.now.getTime() + 86_400_000).toISOString();
    const { look, reference } = await open(inDollars({ expires_at }));
    bench.pass(3 * 3600);
    expect(server.books(reference)).toMatchObject({ payable: false });
    expect(await look()).toEqual({ state: 'expired', ...nothing });
  });

  test('treats a payment of unknown outcome as open until its page would have expired', async () => {
    const payment = inDollars();
    server.fail('open', 'lost');
    await expect(open(payment)).rejects.toThrow(ProviderError);
    const look = () => bench.gateway().look(attemptOf(payment), bench.http, bench.now);
    expect(await look()).toMatchObject({ state: 'open' });
    bench.pass(3600);
    expect(await look()).toMatchObject({ state: 'expired' });
  });

  test('counts completed refunds, but not refused ones', async () => {
    const { look, reference, refund } = await paid();
    server.refundByHand(reference, 10_000);
    await refund('refund-1', 20_000);
    expect(await look()).toMatchObject({ state: 'paid', refunded: 30_000 });
    server.settleRefunds('failed');
    expect(await look()).toMatchObject({ state: 'paid', refunded: 10_000 });
    server.refundByHand(reference);
    expect(await look()).toMatchObject({ state: 'paid', refunded: 123_456 });
  });

  test('reports disputes, and counts their cost', async () => {
    const { look, reference } = await paid();
    server.dispute(reference, 'open');
    expect(await look()).toMatchObject({ state: 'paid', dispute: 'open', refunded: 0 });
    server.dispute(reference, 'won');
    expect(await look()).toMatchObject({ state: 'paid', dispute: 'won', refunded: 0 });
    server.refundByHand(reference, 100_000);
    server.dispute(reference, 'lost');
    expect(await look()).toMatchObject({ state: 'paid', dispute: 'lost', refunded: 123_456 });
  });

  test.each<[string, { at: string; ours?: string; value?: string } | undefined, number]>([
    ['is listed among the refunds', { at: '2026-03-02T00:00:00Z' }, 4000],
    ['is not listed', undefined, 4000],
    ['was opened after a refund of the same amount', { at: '2026-02-01T00:00:00Z' }, 8000],
    ['was lost beside a refund of ours', { at: '2026-03-02T00:00:00Z', ours: '1-a-7' }, 8000],
    ['was lost beside another refund', { at: '2026-03-02T00:00:00Z', value: '10.00' }, 5000],
  ])('a lost dispute of a part that %s counts once', async (_, refund, refunded) => {
    const usd = (value: string) => ({ currency_code: 'USD', value });
    const refunds = refund && [
      {
        ...{ id: 'R1', status: 'COMPLETED', custom_id: refund.ours ?? null },
        ...{ amount: usd(refund.value ?? '40.00'), create_time: refund.at },
      },
    ];
    const captures = [{ id: 'C1', status: 'PARTIALLY_REFUNDED', amount: usd('100.00') }];
    const dispute = {
      ...{ create_time: '2026-03-01T00:00:00.000Z', dispute_amount: usd('40.00') },
      dispute_outcome: { outcome_code: 'RESOLVED_BUYER_FAVOUR', amount_refunded: usd('40.00') },
    };
    const answers = {
      '/v1/oauth2/token': { access_token: 't', expires_in: 3600 },
      '/v2/checkout/orders/O1': {
        status: 'COMPLETED',
        purchase_units: [{ payments: { captures, refunds } }],
      },
      '/v1/customer/disputes': { items: [{ dispute_id: 'PP-D-1', status: 'RESOLVED' }] },
      '/v1/customer/disputes/PP-D-1': dispute,
    };
    const http = async (url: string) =>
      Response.json(answers[new URL(url).pathname as keyof typeof answers]);
    const attempt = { ...attemptOf(inDollars()), provider_id: 'O1', payment_ref: 'C1' };
    expect(await bench.gateway().look(attempt, http, bench.now)).toMatchObject({
      ...{ dispute: 'lost', refunded },
    });
  });

  test('ignores disputes if the app may not read them', async () => {
    const { gateway, attempt } = await paid();
    const without = async (url: string, init: RequestInit) =>
      url.includes('/customer/disputes')
        ? Response.json({ name: 'NOT_AUTHORIZED' }, { status: 403 })
        : bench.http(url, init);
    expect(await gateway.look(attempt, without, bench.now)).toMatchObject({
      state: 'paid',
      dispute: 'none',
    });
  });

  test.each([
    ['dropped', 'unknown', 'no_answer'],
    ['overloaded', 'temporary', 'SERVICE_UNAVAILABLE'],
  ] as const)('reports a %s answer as such', async (fault, kind, code) => {
    const { look } = await open();
    server.fail('look', fault);
    await expect(look()).rejects.toEqual(refused(kind, code));
  });
});

describe('Reading a callback of PayPal', () => {
  test('finds the payment of each event', async () => {
    const { gateway, attempt, look, reference } = await open();
    const { provider_id } = attempt;
    server.pay(reference);
    const approved = await bench.read(gateway);
    expect(approved).toContainEqual([{ provider_id }, { reference }]);
    const { payment_ref } = await look();
    server.refundByHand(reference, 1_000);
    server.dispute(reference, 'open');
    expect(await bench.read(gateway)).toEqual([
      [{ provider_id }, { payment_ref }, { reference }],
      [{ payment_ref }, { reference }],
      [{ payment_ref }, { reference }],
    ]);
  });

  test('a refund of ours names the payment beside its key', async () => {
    const { gateway, attempt, keyOf, reference, refund } = await paid();
    await refund('refund-1', 1_000);
    await bench.read(gateway);
    server.settleRefunds('succeeded');
    const { payment_ref } = attempt;
    expect(await bench.read(gateway)).toContainEqual([
      { payment_ref },
      { reference: keyOf('refund-1') },
      { reference },
    ]);
  });

  test('sends the received event to PayPal for verification byte for byte', async () => {
    const { gateway, reference } = await open();
    server.pay(reference);
    const requests = server.takeCallbacks(apiBase);
    const texts = await Promise.all(requests.map((request) => request.clone().text()));
    await bench.read(gateway, requests);
    const proofs = askedFor('/v1/notifications/verify-webhook-signature').map(({ body }) => body);
    for (const text of texts) {
      expect(text).not.toBe(JSON.stringify(JSON.parse(text)));
      expect(proofs).toContainEqual(expect.stringContaining(`"webhook_event":${text}}`));
    }
  });

  test('rejects events that PayPal did not sign', async () => {
    const { gateway, reference } = await open();
    const read = await bench.read(gateway, server.forgeries(apiBase, reference));
    expect(read).toEqual(server.forgeries(apiBase, reference).map(() => 'forged'));
    expect(read.length).toBeGreaterThan(0);
  });

  const header = (name: string) => `${name}-1`;
  const answering = (verification_status: string) => async (url: string, init: RequestInit) =>
    url.endsWith('/verify-webhook-signature')
      ? Response.json({ verification_status })
      : bench.http(url, init);

  test.each(['', 'x', '{"id":"WH-1"', '{},"webhook_id":"WH-2"', '{}}'])(
    'makes no request about %o, which is no event',
    async (text) => {
      const read = bench.gateway().read({ text, header }, answering('SUCCESS'), bench.now);
      expect(await read).toBe('forged');
    },
  );

  test.each(['{}', '[]', 'null', '{"resource":7}', '{"resource":{"id":7,"links":"x"}}'])(
    'finds no payment in %s, though it is signed',
    async (text) => {
      const read = (status: string) =>
        bench.gateway().read({ text, header }, answering(status), bench.now);
      expect(await read('SUCCESS')).toEqual([]);
      expect(await read('FAILURE')).toBe('forged');
    },
  );

  test('finds the payment in the documented sample of a refunded capture', async () => {
    // developer.paypal.com/api/rest/webhooks/event-names, shortened
    const sample = {
      event_type: 'PAYMENT.CAPTURE.REFUNDED',
      resource_type: 'refund',
      resource: {
        id: '1Y107995YT783435V',
        status: 'COMPLETED',
        links: [
          { href: 'https://api.paypal.com/v2/payments/refunds/1Y107995YT783435V', rel: 'self' },
          { href: 'https://api.paypal.com/v2/payments/captures/0JF852973C016714D', rel: 'up' },
        ],
      },
    };
    const text = JSON.stringify(sample);
    const read = bench.gateway().read({ text, header }, answering('SUCCESS'), bench.now);
    expect(await read).toEqual([{ payment_ref: '0JF852973C016714D' }]);
  });
});

test('Parallel requests share one token', async () => {
  const { attempt } = await open();
  const fresh = bench.gateway();
  const before = askedFor('/v1/oauth2/token').length;
  await Promise.all(Array.from({ length: 20 }, () => fresh.look(attempt, bench.http, bench.now)));
  expect(askedFor('/v1/oauth2/token')).toHaveLength(before + 1);
});
