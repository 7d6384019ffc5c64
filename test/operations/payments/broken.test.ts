import { describe, expect, test } from 'vitest';
import type { StoreAccess } from '../../../src/kernel/command/store.ts';
import { attemptOf, newPayment } from '../../../src/domain/payment/sessions.ts';
import { reportOf, unexpectedReason } from '../../../src/domain/payment/settlement.ts';
import { askProvider } from '../../../src/processes/payments/ask-provider.ts';
import type { Gateway } from '../../../src/providers/payments/gateway.ts';
import { order as orderRow, person } from '../../harness/rows.ts';
import { providerNames } from '../../providers/index.ts';
import { toAsk, useTill } from './till.ts';

// Deliberately broken variants of the service: each fails where the service does not.

describe.each(providerNames)('A service that takes payments through %s', (name) => {
  const opened = useTill(name);

  test('would mark an unpaid order as paid if it trusted callbacks', async () => {
    const { till } = opened;
    const { id } = await till.newOrder();
    const reference = await till.opened(id);
    const { asking, gateway, session, access, settings } = await toAsk(till, id);
    await askProvider(asking, access);
    expect((await till.fixture.order(id)).status).toBe('on-hold');
    // The amount that a callback claims.
    const { amount, currency } = attemptOf(session, gateway, settings);
    const credulous: Gateway = {
      ...gateway,
      look: async () => ({
        state: 'paid',
        paid: { amount, currency },
        payment_ref: null,
        refunded: 0,
        dispute: 'none',
      }),
    };
    const { asking: now } = await toAsk(till, id);
    await askProvider({ ...now, gateway: credulous }, access);
    expect((await till.fixture.order(id)).status).toBe('completed');
    expect(till.provider.books(reference).paid).toBe(0);
  });

  test('would record a refund each time it is reported if it forgot its recorded refunds', async () => {
    const { till } = opened;
    if (!(await till.givesBack())) return;
    const quarter = till.price / 4;
    const heard = async (forgets: boolean) => {
      const { id, reference } = await till.paid();
      const part = till.provider.books(reference).paid / 4;
      till.provider.refundByHand(reference, part);
      till.lose();
      for (let time = 0; time < 2; time++) {
        const { asking, access } = await toAsk(till, id);
        const forgetful: StoreAccess = {
          ...access,
          change: ({ load, decide }) =>
            access.change({ load, decide: (loaded) => decide({ ...loaded, refundsThere: [] }) }),
        };
        await askProvider(asking, forgets ? forgetful : access);
      }
      return (await till.fixture.order(id)).refunded_total;
    };
    expect(await heard(false)).toBe(quarter);
    expect(await heard(true)).toBe(2 * quarter);
  });

  test('would request another amount and accept it as the whole if it confused its units with the provider’s', async () => {
    const { till } = opened;
    const { id } = await till.newOrder();
    await till.opened(id);
    const { gateway, session, settings } = await toAsk(till, id);
    const unit = gateway.unitOf(session.currency);
    // The store has decimals if the provider's unit has none, and vice versa.
    const currency_exponent = unit?.exponent === 0 ? 2 : 0;
    const kept = { ...settings, currency_exponent };
    const due = orderRow({ grand_total: session.amount, currency: session.currency });
    const said = { order: due, title: 'Course', buyer: person() };
    const asked = (by: Gateway) =>
      newPayment(session, said, { gateway: by, settings: kept, api: 'https://shop.example' })
        ?.amount ?? NaN;
    /** The refusal of an amount that isn't the order's, in these units. */
    const refusal = (units: number, by: Gateway) => {
      const paid = { amount: units, currency: session.currency };
      const seen = {
        state: 'paid',
        paid,
        payment_ref: null,
        refunded: 0,
        dispute: 'none',
      } as const;
      const report = reportOf(seen, by, kept);
      return report.paid && unexpectedReason(due, report.paid);
    };
    const blind: Gateway = { ...gateway, unitOf: () => ({ exponent: currency_exponent, step: 1 }) };
    expect(refusal(asked(gateway), gateway)).toBeUndefined();
    expect(asked(blind)).not.toBe(asked(gateway));
    expect(refusal(asked(blind), blind)).toBeUndefined();
    expect(refusal(asked(blind), gateway)).toBe('amount');
  });
});

describe('A service that takes payments through Stripe', () => {
  const opened = useTill('stripe');

  test('would get the same 500 again if it repeated the request under the same key', async () => {
    const { till } = opened;
    const { id } = await till.newOrder();
    await till.opened(id);
    const { services, gateway, session, settings } = await toAsk(till, id);
    const said = { order: orderRow({ id }), title: 'Course', buyer: person() };
    const places = { gateway, settings, api: 'https://shop.example' };
    const open = async (reference: string) => {
      const payment = newPayment({ ...session, reference }, said, places);
      if (!payment) throw new Error('It can not be asked for.');
      const done = gateway.open(payment, services.outbound, services.clock.now());
      return done.then(
        () => 'opened',
        () => 'refused',
      );
    };
    till.provider.fail('open', 'refused');
    expect([await open('first'), await open('first'), await open('second')]).toEqual([
      'refused',
      'refused',
      'opened',
    ]);
  });

  test('would never get a refund if it requested it after a 500 under the same key', async () => {
    const { till } = opened;
    const { id, reference } = await till.paid();
    const { services, gateway, session, settings } = await toAsk(till, id);
    const attempt = attemptOf(session, gateway, settings);
    const wanted = { key: 'one-key', amount: 100, reason: null };
    const refund = async (keepsKey: boolean) => {
      const http: typeof services.outbound = (url, init) => {
        const headers = new Headers(init.headers);
        if (keepsKey && headers.has('idempotency-key')) headers.set('idempotency-key', wanted.key);
        return services.outbound(url, { ...init, headers });
      };
      await gateway.refund?.(attempt, wanted, http, services.clock.now()).catch(() => undefined);
      return till.provider.books(reference).refunds;
    };
    till.provider.fail('refund', 'refused');
    expect([await refund(true), await refund(true), await refund(false)]).toEqual([0, 0, 1]);
  });
});
