import { describe, expect, test } from 'vitest';
import type { Outbound } from '../../../../src/kernel/events/outbound.ts';
import { refusal, useStripe } from './store.ts';

const store = useStripe();

describe('Looking up a payment at Stripe', () => {
  const nothing = { paid: null, refunded: 0, dispute: 'none' };
  const usd = (amount: number) => ({ amount, currency: 'USD' });

  test('finds a payment open, and expired once its time is over', async () => {
    const attempt = await store.opened();
    const untouched = { ...nothing, payment_ref: null };
    expect(await store.look(attempt)).toEqual({ ...untouched, state: 'open' });
    store.instant = attempt.expires_at;
    expect(await store.look(attempt)).toEqual({ ...untouched, state: 'expired' });
  });

  test('finds it open after a card was declined, and paid with the next', async () => {
    const attempt = await store.opened();
    store.provider.decline(attempt.reference);
    expect(await store.look(attempt)).toMatchObject({ ...nothing, state: 'open' });
    store.provider.pay(attempt.reference);
    expect(await store.look(attempt)).toEqual({
      ...nothing,
      state: 'paid',
      paid: usd(12_500),
      payment_ref: expect.stringMatching(/^pi_/),
    });
  });

  test('finds it pending while a debit is under way, then paid', async () => {
    const attempt = await store.opened();
    store.provider.begin(attempt.reference);
    store.pass(3600 + 86_400);
    expect(await store.look(attempt)).toMatchObject({ ...nothing, state: 'pending' });
    store.provider.pay(attempt.reference);
    expect(await store.look(attempt)).toMatchObject({ state: 'paid', paid: usd(12_500) });
  });

  test('finds it failed once a debit failed', async () => {
    const attempt = await store.opened();
    store.provider.begin(attempt.reference);
    store.provider.decline(attempt.reference);
    expect(await store.look(attempt)).toMatchObject({ ...nothing, state: 'failed' });
  });

  test('reports the paid amount, not the requested one', async () => {
    const attempt = await store.opened();
    store.provider.pay(attempt.reference, { amount: 125, currency: 'EUR' });
    expect(await store.look(attempt)).toMatchObject({ paid: { amount: 125, currency: 'EUR' } });
  });

  test('reports the refunded amount, without failed refunds', async () => {
    const attempt = await store.paid();
    await store.refund(attempt, 'failing', 2000);
    store.provider.settleRefunds('failed');
    await store.refund(attempt, 'pending', 3000);
    store.provider.refundByHand(attempt.reference, 500);
    expect(await store.look(attempt)).toMatchObject({
      state: 'paid',
      paid: usd(12_500),
      refunded: 3500,
      dispute: 'none',
    });
  });

  test('adds up more refunds than fit on one page', async () => {
    const attempt = await store.paid();
    for (let i = 0; i < 101; i++) store.provider.refundByHand(attempt.reference, 100);
    expect(await store.look(attempt)).toMatchObject({ refunded: 10_100 });
  });

  test('reports a dispute, and counts the lost amount as refunded', async () => {
    const attempt = await store.paid();
    store.provider.refundByHand(attempt.reference, 500);
    store.provider.dispute(attempt.reference, 'open');
    expect(await store.look(attempt)).toMatchObject({ dispute: 'open', refunded: 500 });
    store.provider.dispute(attempt.reference, 'won');
    expect(await store.look(attempt)).toMatchObject({ dispute: 'won', refunded: 500 });
    store.provider.dispute(attempt.reference, 'lost');
    expect(await store.look(attempt)).toMatchObject({ dispute: 'lost', refunded: 12_500 });
  });

  /** Objects of docs.stripe.com/api: a session, its payment, and its refunds. */
  const answered =
    (
      payment_intent: object | null,
      session = {},
      refunds: object[] = [],
      disputes: object[] = [],
    ) =>
    async (url: string) => {
      const list = (data: object[]) => Response.json({ data, has_more: false });
      if (url.includes('/refunds?')) return list(refunds);
      if (url.includes('/disputes?')) return list(disputes);
      const paid = {
        status: 'complete',
        payment_status: 'paid',
        amount_total: 700,
        currency: 'usd',
      };
      return Response.json({ ...paid, ...session, payment_intent });
    };

  const looked = async (outbound: Outbound) =>
    store.gateway.look(await store.opened(), outbound, store.now);

  const charged = (amount_refunded: number, disputed: boolean) => ({
    id: 'pi_1',
    status: 'succeeded',
    latest_charge: { id: 'ch_1', amount_refunded, disputed },
  });

  const unpaid = { payment_status: 'unpaid' };

  test.for([
    ['processing', 'pending'],
    ['requires_action', 'pending'],
    ['requires_payment_method', 'failed'],
    ['canceled', 'failed'],
  ] as const)('treats a payment that is %s after the page as %s', async ([status, state]) => {
    const intent = { id: 'pi_1', status, latest_charge: null };
    expect(await looked(answered(intent, unpaid))).toMatchObject({ state });
  });

  test('treats a completed payment that is not there yet as pending', async () => {
    expect(await looked(answered(null, unpaid))).toEqual({
      ...nothing,
      state: 'pending',
      payment_ref: null,
    });
  });

  test('requests refunds and disputes only if the charge may have them', async () => {
    const refund = { id: 're_1', amount: 100, status: null, metadata: null };
    const found = (intent: object) => looked(answered(intent, {}, [refund]));
    expect(await found(charged(0, false))).toMatchObject({ refunded: 0 });
    expect(await found(charged(100, false))).toMatchObject({ refunded: 100 });
    expect(await found({ ...charged(0, false), latest_charge: 'ch_1' })).toMatchObject({
      refunded: 100,
    });
  });

  test('is open in a dispute as long as one of them is', async () => {
    const disputes = ['lost', 'needs_response'].map((status, i) => ({
      id: `du_${i}`,
      amount: 100,
      status,
    }));
    const found = await looked(answered(charged(0, true), {}, [], disputes));
    expect(found).toMatchObject({ dispute: 'open', refunded: 100 });
  });

  test.for([
    ['warning_needs_response', 'open', 0],
    ['warning_under_review', 'open', 0],
    ['warning_closed', 'won', 0],
    ['needs_response', 'open', 0],
    ['under_review', 'open', 0],
    ['prevented', 'won', 0],
    ['won', 'won', 0],
    ['lost', 'lost', 700],
  ] as const)('treats a dispute that is %s as %s', async ([status, dispute, refunded]) => {
    const disputes = [{ id: 'du_1', amount: 700, status }];
    const found = await looked(answered(charged(0, true), {}, [], disputes));
    expect(found).toMatchObject({ dispute, refunded });
  });

  test('is impossible for a payment whose id is unknown', async () => {
    const attempt = { ...(await store.opened()), provider_id: null };
    await expect(store.look(attempt)).rejects.toMatchObject(refusal('permanent', 'no_id'));
  });

  test.for([
    ['overloaded', refusal('temporary', 'api_error')],
    ['refused', refusal('temporary', 'api_error')],
    ['dropped', refusal('unknown', 'no_answer')],
  ] as const)('can be tried again if Stripe is %s', async ([fault, error]) => {
    const attempt = await store.opened();
    store.provider.fail('look', fault);
    await expect(store.look(attempt)).rejects.toMatchObject(error);
    expect(await store.look(attempt)).toMatchObject({ state: 'open' });
  });

  test('is permanently refused for a payment that Stripe does not know', async () => {
    const attempt = { ...(await store.opened()), provider_id: 'cs_test_gone' };
    await expect(store.look(attempt)).rejects.toMatchObject(
      refusal('permanent', 'resource_missing'),
    );
  });
});
