import { describe, expect, test } from 'vitest';
import { addSeconds } from '../../../../src/lib/instant.ts';
import { answering, configured, refusal, useStripe } from './store.ts';

const store = useStripe();

describe('Opening a payment at Stripe', () => {
  test("makes a page for one payment, with the payment's reference in every field", async () => {
    const payment = store.payment();
    const page = await store.open(payment);
    expect(page).toEqual({
      provider_id: expect.stringMatching(/^cs_test_/),
      url: `https://checkout.stripe.com/c/pay/${page.provider_id}`,
      expires_at: payment.expires_at,
    });
    const [{ headers, body } = { headers: {}, body: '' }] = store.provider.journal;
    expect(headers).toMatchObject({
      'idempotency-key': payment.reference,
      'stripe-version': '2026-07-29.dahlia',
    });
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      mode: 'payment',
      client_reference_id: payment.reference,
      customer_email: 'ayu@buyer.example',
      expires_at: String(Date.parse(payment.expires_at) / 1000),
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '12500',
      'line_items[0][price_data][product_data][name]': 'A course & more',
      'metadata[reference]': payment.reference,
      'metadata[order_id]': '7',
      'metadata[order_number]': 'INV-7',
      'payment_intent_data[metadata][reference]': payment.reference,
      'payment_intent_data[metadata][order_id]': '7',
      'payment_intent_data[metadata][order_number]': 'INV-7',
      success_url: payment.return_url,
      cancel_url: payment.return_url,
    });
  });

  test('needs no e-mail address, and shortens a long title', async () => {
    const order = { id: 7, number: 'INV-7', title: 'x'.repeat(500) };
    await store.open(store.payment({ order, buyer: { name: 'Ayu', email: null, phone: '' } }));
    const body = new URLSearchParams(store.provider.journal[0]?.body);
    expect(body.has('customer_email')).toBe(false);
    expect(body.get('line_items[0][price_data][product_data][name]')).toBe('x'.repeat(250));
  });

  test('again is answered with the same page, even if an answer was lost', async () => {
    const payment = store.payment();
    store.provider.fail('open', 'lost');
    await expect(store.open(payment)).rejects.toMatchObject(refusal('unknown', 'no_answer'));
    const first = await store.open(payment);
    store.pass(600);
    expect(await store.open(payment)).toEqual(first);
    expect(store.provider.references().filter((one) => one === payment.reference)).toHaveLength(1);
  });

  test('with other fields under a used reference is permanently refused', async () => {
    const payment = store.payment();
    await store.open(payment);
    await expect(store.open({ ...payment, amount: 1 })).rejects.toMatchObject(
      refusal('permanent', 'idempotency_error'),
    );
  });

  test('during an equal request is temporarily refused', async () => {
    const payment = store.payment();
    const held = store.provider.hold();
    const first = store.open(payment);
    await held.reached;
    await expect(store.open(payment)).rejects.toMatchObject(
      refusal('temporary', 'idempotency_key_in_use'),
    );
    held.release();
    expect(await store.open(payment)).toEqual(await first);
  });

  test('is refused for a day after an error of Stripe, but not under another reference', async () => {
    const payment = store.payment();
    store.provider.fail('open', 'refused');
    const failed = refusal('temporary', 'api_error');
    await expect(store.open(payment)).rejects.toMatchObject(failed);
    await expect(store.open(payment)).rejects.toMatchObject(failed);
    expect(await store.open(store.payment())).toMatchObject({ provider_id: expect.any(String) });
  });

  test.for([
    ['overloaded', refusal('temporary', 'api_error')],
    ['dropped', refusal('unknown', 'no_answer')],
  ] as const)('can be tried again if Stripe is %s', async ([fault, error]) => {
    const payment = store.payment();
    store.provider.fail('open', fault);
    await expect(store.open(payment)).rejects.toMatchObject(error);
    expect(await store.open(payment)).toMatchObject({ provider_id: expect.any(String) });
  });

  test('of an amount or an expiry that Stripe refuses is permanently refused', async () => {
    await expect(store.open(store.payment({ amount: 49 }))).rejects.toMatchObject(
      refusal('permanent', 'amount_too_small'),
    );
    const soon = addSeconds(store.instant, 60);
    await expect(store.open(store.payment({ expires_at: soon }))).rejects.toMatchObject(
      refusal('permanent', 'invalid_request_error'),
    );
  });

  test('accepts the shortest and the longest lifetime of a page', async () => {
    for (const seconds of [store.gateway.life.min, store.gateway.life.max]) {
      const expires_at = addSeconds(store.instant, seconds);
      expect(await store.open(store.payment({ expires_at }))).toMatchObject({ expires_at });
    }
  });

  test('with a wrong key is refused until the key is corrected', async () => {
    const through = configured({ ...store.provider.variables, STRIPE_SECRET_KEY: 'sk_test_other' });
    await expect(store.open(store.payment(), through)).rejects.toMatchObject(
      refusal('temporary', 'invalid_request_error'),
    );
  });

  const page = { id: 'cs_1', url: 'https://pay.example/cs_1', expires_at: 1_788_260_400 };

  test.for([
    ['no JSON at all', '<html>'],
    ['no id', { ...page, id: undefined }],
    ['an id too long to keep', { ...page, id: 'x'.repeat(256) }],
    ['a script for a page', { ...page, url: 'javascript:alert(1)' }],
    ['a page that others can read', { ...page, url: 'http://pay.example/cs_1' }],
    ['no end', { ...page, expires_at: null }],
  ] as const)('has an unknown outcome if it is answered with %s', async ([, body]) => {
    const opening = store.gateway.open(store.payment(), answering(body), store.now);
    await expect(opening).rejects.toMatchObject(refusal('unknown', 'malformed_answer'));
  });

  test('is permanently refused if the answer has no page, for example because the page expired', async () => {
    const opening = store.gateway.open(
      store.payment(),
      answering({ ...page, url: null }),
      store.now,
    );
    await expect(opening).rejects.toMatchObject(refusal('permanent', 'no_page'));
  });

  test("accepts a page on this machine only if Stripe's address is on this machine", async () => {
    const local = answering({ ...page, url: 'http://127.0.0.1:8080/cs_1' });
    expect(await store.gateway.open(store.payment(), local, store.now)).toMatchObject({
      url: 'http://127.0.0.1:8080/cs_1',
    });
    const remote = configured({
      ...store.provider.variables,
      STRIPE_API_URL: 'https://stripe.example',
    });
    await expect(remote.open(store.payment(), local, store.now)).rejects.toMatchObject(
      refusal('unknown', 'malformed_answer'),
    );
  });
});
