import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Gateway, NewPayment } from '../../../src/providers/payments/gateway.ts';
import { midtrans } from '../../../src/providers/payments/midtrans.ts';
import { MidtransServer } from '../midtrans.ts';
import { attempt, gatewayOf, otherReference, payment } from './payment.ts';

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

describe('Refunding a payment at Midtrans', () => {
  const refund = async (amount = 50_000, key = 'refund-1', of = reference) => {
    const { payment_ref } = await gateway.look(attempt({ reference: of }), fetch, now);
    const known = attempt({ reference: of, payment_ref });
    return gateway.refund?.(known, { key, amount, reason: 'Too late' }, fetch, now);
  };
  const given = () => server.books(reference).refunded;

  beforeEach(async () => {
    await open();
  });

  test('is sent once, and done once the bank confirms it', async () => {
    server.holdsRefunds = true;
    server.pay(reference);
    const sent = await refund();
    expect(sent).toEqual({ state: 'sent', provider_ref: expect.stringMatching(/^\d+$/) });
    expect(await refund()).toEqual(sent);
    server.confirmRefunds();
    expect(await refund()).toEqual({ ...sent, state: 'succeeded' });
    expect(given()).toBe(50_000);
  });

  test.each(['lost', 'dropped', 'refused', 'overloaded'] as const)(
    'happens once if the answer is %s',
    async (fault) => {
      server.pay(reference);
      server.fail('refund', fault);
      await expect(refund()).rejects.toMatchObject({
        kind: fault === 'lost' || fault === 'dropped' ? 'unknown' : 'temporary',
      });
      await refund();
      expect(await refund()).toMatchObject({ state: 'succeeded' });
      expect(given()).toBe(50_000);
    },
  );

  test('happens once if two ask at the same time', async () => {
    server.pay(reference);
    const both = await Promise.all([refund(), refund()]);
    expect(both.map((one) => one?.state)).not.toContain('failed');
    expect(given()).toBe(50_000);
  });

  test('is possible in parts, up to the whole amount', async () => {
    server.pay(reference);
    await refund(50_000, 'refund-1');
    await refund(300_000, 'refund-2');
    expect(given()).toBe(350_000);
    await expect(refund(1, 'refund-3')).rejects.toMatchObject({ kind: 'permanent', code: '412' });
    expect(await refund(50_000, 'refund-1')).toMatchObject({ state: 'succeeded' });
  });

  test('fails if the bank rejects it', async () => {
    server.pay(reference);
    server.deniesRefunds = true;
    expect(await refund()).toMatchObject({ state: 'failed' });
    expect(given()).toBe(0);
  });

  test('is refused beyond the paid amount, and for payments by bank transfer', async () => {
    server.pay(reference);
    await expect(refund(350_001)).rejects.toMatchObject({ kind: 'permanent', code: '414' });
    await open({ reference: otherReference });
    server.method = 'bank_transfer';
    server.pay(otherReference);
    const refused = refund(1, 'refund-1', otherReference);
    await expect(refused).rejects.toMatchObject({ kind: 'permanent', code: '412' });
  });

  test('waits for a card’s payment to settle', async () => {
    server.method = 'credit_card';
    server.pay(reference);
    await expect(refund()).rejects.toMatchObject({ kind: 'temporary', code: 'capture' });
    server.settle(reference);
    await refund();
    expect(given()).toBe(50_000);
  });

  test('is refused for an unpaid payment', async () => {
    await expect(refund()).rejects.toMatchObject({ kind: 'permanent', code: '404' });
  });
});
