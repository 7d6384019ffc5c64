import { describe, expect, test } from 'vitest';
import { http, refusal, useStripe } from './store.ts';

const store = useStripe();

describe('Cancelling a payment at Stripe', () => {
  test('closes a page once, even if the request is repeated or its answer is lost', async () => {
    const attempt = await store.opened();
    store.provider.fail('cancel', 'lost');
    await expect(store.cancel(attempt)).rejects.toMatchObject(refusal('unknown', 'no_answer'));
    await store.cancel(attempt);
    expect(store.provider.books(attempt.reference).payable).toBe(false);
    expect(await store.look(attempt)).toMatchObject({ state: 'expired' });
  });

  test('leaves a paid or pending payment alone', async () => {
    const attempt = await store.opened();
    store.provider.begin(attempt.reference);
    await store.cancel(attempt);
    expect(await store.look(attempt)).toMatchObject({ state: 'pending' });
    store.provider.pay(attempt.reference);
    await store.cancel(attempt);
    expect(await store.look(attempt)).toMatchObject({ state: 'paid' });
  });

  test.for([
    ['overloaded', refusal('temporary', 'api_error')],
    ['refused', refusal('temporary', 'api_error')],
    ['dropped', refusal('unknown', 'no_answer')],
  ] as const)('can be tried again if Stripe is %s', async ([fault, error]) => {
    const attempt = await store.opened();
    store.provider.fail('cancel', fault);
    await expect(store.cancel(attempt)).rejects.toMatchObject(error);
    expect(store.provider.books(attempt.reference).payable).toBe(true);
    await store.cancel(attempt);
    expect(store.provider.books(attempt.reference).payable).toBe(false);
  });

  test('reports a refusal for a page that is still open', async () => {
    const attempt = await store.opened();
    const refusing = (url: string, init: RequestInit) =>
      url.endsWith('/expire')
        ? Promise.resolve(Response.json({ error: { type: 'card_error' } }, { status: 400 }))
        : http(url, init);
    const cancelling = store.gateway.cancel?.(attempt, refusing, store.now);
    await expect(cancelling).rejects.toMatchObject(refusal('permanent', 'card_error'));
  });

  test('is impossible for a payment that is not known to be open', async () => {
    const attempt = { ...(await store.opened()), provider_id: null };
    await expect(store.cancel(attempt)).rejects.toMatchObject(refusal('permanent', 'no_id'));
  });
});

describe('Refunding a payment at Stripe', () => {
  const sent = { state: 'sent', provider_ref: expect.stringMatching(/^re_/) };

  test.for(['succeeded', 'failed'] as const)('is sent, then has %s', async (outcome) => {
    const attempt = await store.paid();
    const first = await store.refund(attempt, 'a', 5000, 'Sent back');
    expect(first).toEqual(sent);
    const body = Object.fromEntries(new URLSearchParams(store.provider.journal.at(-1)?.body));
    expect(body).toEqual({
      payment_intent: attempt.payment_ref,
      amount: '5000',
      'metadata[refund_key]': 'a',
      'metadata[reason]': 'Sent back',
    });
    store.provider.settleRefunds(outcome);
    expect(await store.refund(attempt, 'a', 5000)).toEqual({ ...first, state: outcome });
    expect(store.provider.books(attempt.reference)).toMatchObject({ refunds: 1 });
  });

  test('pays back once however often it is requested, even days later', async () => {
    const attempt = await store.paid();
    const first = await store.refund(attempt, 'a', 5000);
    store.pass(3 * 86_400);
    expect(await store.refund(attempt, 'a', 5000)).toEqual(first);
    expect(store.provider.books(attempt.reference)).toMatchObject({ refunds: 1, refunded: 5000 });
  });

  test('pays back once if the answer is lost', async () => {
    const attempt = await store.paid();
    store.provider.fail('refund', 'lost');
    await expect(store.refund(attempt, 'a', 5000)).rejects.toMatchObject(
      refusal('unknown', 'no_answer'),
    );
    expect(await store.refund(attempt, 'a', 5000)).toEqual(sent);
    expect(store.provider.books(attempt.reference)).toMatchObject({ refunds: 1, refunded: 5000 });
  });

  test('pays back once if two request it at the same time', async () => {
    const attempt = await store.paid();
    const held = store.provider.hold();
    const first = store.refund(attempt, 'a', 5000);
    await held.reached;
    await expect(store.refund(attempt, 'a', 5000)).rejects.toMatchObject(
      refusal('temporary', 'idempotency_key_in_use'),
    );
    held.release();
    expect(await first).toEqual(sent);
    expect(store.provider.books(attempt.reference)).toMatchObject({ refunds: 1 });
  });

  test('pays back once for each key', async () => {
    const attempt = await store.paid();
    await store.refund(attempt, 'a', 5000);
    await store.refund(attempt, 'b', 7500);
    expect(store.provider.books(attempt.reference)).toMatchObject({ refunds: 2, refunded: 12_500 });
  });

  test('sends one request at a time after an error of Stripe, because the refund may still arrive', async () => {
    const attempt = await store.paid();
    const posted: (() => Promise<Response>)[] = [];
    const late = async (url: string, init: RequestInit) => {
      if (init.method !== 'POST') return http(url, init);
      posted.push(() => http(url, init));
      return Response.json({}, { status: 500 });
    };
    const refund = { key: 'a', amount: 5000, reason: null };
    const asked = store.gateway.refund?.(attempt, refund, late, store.now);
    await expect(asked).rejects.toMatchObject(refusal('temporary', '500'));
    expect(posted).toHaveLength(1);
    await posted[0]?.();
    store.pass(600);
    expect(await store.refund(attempt, 'a', 5000)).toEqual(sent);
    expect(store.provider.books(attempt.reference)).toMatchObject({ refunds: 1, refunded: 5000 });
  });

  test('uses a new key ten minutes after an error of Stripe, which repeats that error for the old key, and pays back once', async () => {
    const attempt = await store.paid();
    store.provider.fail('refund', 'refused');
    const failed = refusal('temporary', 'api_error');
    await expect(store.refund(attempt, 'a', 5000)).rejects.toMatchObject(failed);
    store.pass(60);
    await expect(store.refund(attempt, 'a', 5000)).rejects.toMatchObject(failed);
    store.pass(600);
    store.provider.fail('refund', 'lost');
    await expect(store.refund(attempt, 'a', 5000)).rejects.toMatchObject(
      refusal('unknown', 'no_answer'),
    );
    expect(await store.refund(attempt, 'a', 5000)).toEqual(sent);
    expect(store.provider.books(attempt.reference)).toMatchObject({ refunds: 1, refunded: 5000 });
  });

  test.for([
    ['overloaded', refusal('temporary', 'api_error')],
    ['dropped', refusal('unknown', 'no_answer')],
  ] as const)('can be tried again if Stripe is %s', async ([fault, error]) => {
    const attempt = await store.paid();
    store.provider.fail('refund', fault);
    await expect(store.refund(attempt, 'a', 5000)).rejects.toMatchObject(error);
    expect(store.provider.books(attempt.reference)).toMatchObject({ refunds: 0 });
    expect(await store.refund(attempt, 'a', 5000)).toEqual(sent);
  });

  test('is permanently refused for a disputed payment, or for more than is left', async () => {
    const attempt = await store.paid();
    await expect(store.refund(attempt, 'a', 12_501)).rejects.toMatchObject(
      refusal('permanent', 'invalid_request_error'),
    );
    store.provider.dispute(attempt.reference, 'open');
    await expect(store.refund(attempt, 'b', 1000)).rejects.toMatchObject(
      refusal('permanent', 'charge_disputed'),
    );
    store.provider.dispute(attempt.reference, 'won');
    await store.refund(attempt, 'c', 12_500);
    await expect(store.refund(attempt, 'd', 1)).rejects.toMatchObject(
      refusal('permanent', 'charge_already_refunded'),
    );
  });

  test('is impossible for an unpaid payment', async () => {
    await expect(store.refund(await store.opened(), 'a', 1)).rejects.toMatchObject(
      refusal('permanent', 'no_payment'),
    );
  });
});
