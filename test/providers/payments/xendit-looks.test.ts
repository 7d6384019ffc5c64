import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProviderError } from '../../../src/providers/http.ts';
import { xendit } from '../../../src/providers/payments/xendit.ts';
import { XenditServer } from '../xendit.ts';
import { Bench, apiBase, attemptOf, refused } from './bench.ts';

const server = new XenditServer();
const bench = new Bench(server, xendit);

beforeAll(() => bench.open());
afterAll(() => server.close());

const inRupiah = (changed: object = {}) =>
  bench.payment({ currency: 'IDR', amount: 350_000, ...changed });

const open = (payment = inRupiah()) => bench.opened(payment);
const paid = () => bench.paid(inRupiah());

describe('Looking up a payment at Xendit', () => {
  test('follows a session through its life', async () => {
    const { look, reference } = await open();
    const nothing = { paid: null, payment_ref: null, refunded: 0, dispute: 'none' };
    expect(await look()).toEqual({ state: 'open', ...nothing });
    server.begin(reference);
    expect(await look()).toEqual({ state: 'open', ...nothing });
    server.decline(reference);
    expect(await look()).toEqual({ state: 'open', ...nothing });
    server.pay(reference);
    expect(await look()).toEqual({
      state: 'paid',
      paid: { amount: 350_000, currency: 'IDR' },
      payment_ref: expect.stringMatching(/^pr-/),
      refunded: 0,
      dispute: 'none',
    });
  });

  test('reports the paid amount, not the requested one', async () => {
    const { look, reference } = await open();
    server.pay(reference, { amount: 3_500 });
    expect(await look()).toMatchObject({ paid: { amount: 3_500, currency: 'IDR' } });
    const other = await open();
    server.pay(other.reference, { currency: 'PHP' });
    expect(await other.look()).toMatchObject({ paid: { amount: 350_000, currency: 'PHP' } });
  });

  test('finds a session expired when its time is over', async () => {
    const { look } = await open();
    bench.pass(3601);
    expect(await look()).toMatchObject({ state: 'expired', paid: null });
  });

  test('treats a payment of unknown outcome as open until its page would have expired', async () => {
    const payment = inRupiah();
    server.fail('open', 'lost');
    await expect(open(payment)).rejects.toThrow(ProviderError);
    const look = () => bench.gateway().look(attemptOf(payment), bench.http, bench.now);
    expect(await look()).toMatchObject({ state: 'open' });
    bench.pass(3600);
    expect(await look()).toMatchObject({ state: 'expired' });
  });

  test('continues after an unreadable refund or dispute of another payment', async () => {
    const { attempt, gateway, reference } = await paid();
    server.refundByHand(reference, 10_000);
    const http: typeof bench.http = async (url, init) => {
      const answer = await bench.http(url, init);
      if (!/\/(refunds|disputes)\?/.test(url)) return answer;
      const { data, ...rest } = (await answer.json()) as { data: unknown[] };
      const odd = [{ payment_request_id: 'pr-other', payment_id: 'py-other', status: 7 }, null];
      return Response.json({ ...rest, data: [...odd, ...data] });
    };
    expect(await gateway.look(attempt, http, bench.now)).toMatchObject({
      state: 'paid',
      refunded: 10_000,
    });
  });

  test('counts completed refunds, page by page, but not refused ones', async () => {
    const { look, reference, refund } = await paid();
    for (const amount of [10_000, 20_000, 30_000]) server.refundByHand(reference, amount);
    await refund('refund-1', 40_000);
    expect(await look()).toMatchObject({ state: 'paid', refunded: 100_000 });
    server.settleRefunds('failed');
    expect(await look()).toMatchObject({ state: 'paid', refunded: 60_000 });
    expect(server.books(reference)).toMatchObject({ refunded: 60_000, refunds: 4 });
  });

  test('reports disputes, and counts their cost', async () => {
    const { look, reference } = await paid();
    server.dispute(reference, 'open');
    expect(await look()).toMatchObject({ state: 'paid', dispute: 'open', refunded: 0 });
    server.dispute(reference, 'won');
    expect(await look()).toMatchObject({ state: 'paid', dispute: 'won', refunded: 0 });
    server.dispute(reference, 'lost');
    expect(await look()).toMatchObject({ state: 'paid', dispute: 'lost', refunded: 350_000 });
  });

  /** Xendit's answers, except for one path. */
  const except = (hidden: string, status: 403 | 404) => (url: string, init: RequestInit) =>
    new URL(url).pathname.startsWith(hidden)
      ? Promise.resolve(Response.json({ error_code: 'HIDDEN' }, { status }))
      : bench.http(url, init);

  test.each(['/refunds', '/v3/payments'])(
    'does not know the refunded amount if the key may not read %s',
    async (hidden) => {
      const { gateway, attempt } = await paid();
      const looked = gateway.look(attempt, except(hidden, 403), bench.now);
      await expect(looked).rejects.toEqual(refused('temporary', 'HIDDEN'));
    },
  );

  test('refunds nothing if the key may not read earlier refunds', async () => {
    const { gateway, attempt, reference } = await paid();
    const refund = { key: 'refund-1', amount: 10_000, reason: null };
    const listHidden = (url: string, init: RequestInit) =>
      init.method === 'GET' ? except('/refunds', 403)(url, init) : bench.http(url, init);
    const asked = gateway.refund?.(attempt, refund, listHidden, bench.now);
    await expect(asked).rejects.toEqual(refused('temporary', 'HIDDEN'));
    expect(server.books(reference)).toMatchObject({ refunded: 0, refunds: 0 });
  });

  test('ignores disputes if the key may not read them', async () => {
    const { gateway, attempt } = await paid();
    expect(await gateway.look(attempt, except('/v1/disputes', 403), bench.now)).toMatchObject({
      state: 'paid',
      dispute: 'none',
    });
  });

  test('treats a completed session as paid even if its payment is not found', async () => {
    const { gateway, attempt } = await paid();
    expect(await gateway.look(attempt, except('/v3/payments', 404), bench.now)).toEqual({
      state: 'paid',
      paid: { amount: 350_000, currency: 'IDR' },
      payment_ref: attempt.payment_ref,
      refunded: 0,
      dispute: 'none',
    });
  });

  test.each([
    ['PENDING', 'COMPLETED', 'pending'],
    ['AUTHORIZED', 'COMPLETED', 'pending'],
    ['FAILED', 'COMPLETED', 'failed'],
    ['FAILED', 'ACTIVE', 'open'],
    ['EXPIRED', 'EXPIRED', 'expired'],
  ])('a payment that is %s on a session that is %s is %s', async (payment, session, state) => {
    const { gateway, attempt } = await paid();
    const answers = async (url: string, init: RequestInit) => {
      const response = await bench.http(url, init);
      const json: unknown = await response.json();
      const status = url.includes('/sessions/') ? session : payment;
      return Response.json(Object.assign(Object(json), { status }));
    };
    expect(await gateway.look(attempt, answers, bench.now)).toMatchObject({ state, paid: null });
  });

  test('an amount that the currency has no unit for is not rounded', async () => {
    const { gateway, attempt } = await paid();
    const answers = async (url: string, init: RequestInit) => {
      const json: unknown = await (await bench.http(url, init)).json();
      const captures = [{ capture_amount: 10_000.01 }];
      return Response.json(Object.assign(Object(json), { captures }));
    };
    await expect(gateway.look(attempt, answers, bench.now)).rejects.toEqual(
      refused('unknown', 'unreadable_amount'),
    );
  });

  test.each(['dropped', 'lost'] as const)('treats a %s answer as no answer', async (fault) => {
    const { look } = await open();
    server.fail('look', fault);
    await expect(look()).rejects.toEqual(refused('unknown', 'no_answer'));
  });
});

describe('Reading a callback of Xendit', () => {
  const token = server.variables.XENDIT_CALLBACK_TOKEN;
  const read = (text: string, headers: Record<string, string> = { 'x-callback-token': token }) =>
    bench.gateway().read({ text, header: (name) => headers[name] }, bench.http, bench.now);

  test('finds the payment in the documented sample of a completed session', async () => {
    // docs.xendit.co/apidocs/webhook-notification-sent-defined-webhook-url-updates-payment-session
    const sample = {
      event: 'payment_session.completed',
      business_id: '661f87c614802d6c402cd82d',
      data: {
        payment_session_id: 'ps-661f87c614802d6c402cd82d',
        reference_id: 'order_12345_PAY',
        currency: 'PHP',
        amount: 10000,
        status: 'COMPLETED',
        payment_token_id: 'pt-661f87c614802d6c402cd82d',
        payment_request_id: 'pr-661f87c614802d6c402cd82d',
        payment_id: 'py-661f87c614802d6c402cd82d',
      },
    };
    expect(await read(JSON.stringify(sample))).toEqual([
      { provider_id: 'ps-661f87c614802d6c402cd82d' },
      { payment_ref: 'pr-661f87c614802d6c402cd82d' },
      { reference: 'order_12345_PAY' },
    ]);
  });

  test('finds the payment in the documented sample of a refund, whose record is nested one level deeper', async () => {
    // docs.xendit.co/apidocs/refund-webhook-notification
    const data = {
      id: 'rfd-6f4a377d-a201-437f-9119-f8b00cbbe857',
      payment_request_id: 'pr-1102feb0-bb79-47ae-9d1e-e69394d3949c',
      payment_id: 'ddpy-3cd658ae-25b9-4659-aa36-596ae41a809f',
      invoice_id: null,
      reference_id: 'b2756a1e-e6cd-4352-9a68-0483aa2b6a2',
      status: 'SUCCEEDED',
    };
    const event = 'refund.succeeded';
    expect(await read(JSON.stringify({ event, data: { event, data } }))).toEqual([
      { payment_ref: data.payment_request_id },
      { reference: data.reference_id },
    ]);
  });

  test('finds the payment of each callback', async () => {
    const { gateway, attempt, keyOf, reference, refund } = await paid();
    await refund('refund-1', 1_000);
    server.settleRefunds('succeeded');
    server.dispute(reference, 'open');
    const { provider_id, payment_ref } = attempt;
    const read = await bench.read(gateway);
    expect(read.slice(-3)).toEqual([
      [{ provider_id }, { payment_ref }, { reference }],
      [{ payment_ref }, { reference: keyOf('refund-1') }],
      [{ payment_ref }, { reference }],
    ]);
  });

  test('finds the payment of a session that expired', async () => {
    const { gateway, attempt, reference } = await open();
    bench.pass(3601);
    const { provider_id } = attempt;
    expect(await bench.read(gateway)).toContainEqual([{ provider_id }, { reference }]);
  });

  test('passes on the reference in a dispute over an unknown payment', async () => {
    const event = { event: 'dispute.lost', payment_id: 'py-none', reference_id: 'stranger' };
    expect(await read(JSON.stringify(event))).toEqual([{ reference: 'stranger' }]);
  });

  test('refuses a callback without the token', async () => {
    const { gateway, reference } = await open();
    const read = await bench.read(gateway, server.forgeries(apiBase, reference));
    expect(read.length).toBeGreaterThan(0);
    expect(new Set(read)).toEqual(new Set(['forged']));
  });

  test('looks up a forged outcome under the right token, and does not believe it', async () => {
    const { gateway, look, reference, attempt } = await open();
    const [hints] = await bench.read(gateway, server.alterations(apiBase, reference));
    expect(hints).toContainEqual({ provider_id: attempt.provider_id });
    expect(await look()).toMatchObject({ state: 'open', paid: null });
  });

  test.each(['', 'x', '[]', '7', 'null', '{}', '{"data":[]}', '{"data":{"reference_id":{"a":1}}}'])(
    'finds no payment in %o',
    async (text) => {
      expect(await read(text)).toEqual([]);
      expect(await read(text, {})).toBe('forged');
    },
  );
});
