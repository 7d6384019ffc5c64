import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problemAt } from '../../../src/providers/payments/check.ts';
import { gatewaysOf } from '../../../src/providers/payments/index.ts';
import { providerNames, providers } from '../index.ts';
import { configOf } from './bench.ts';

/** Secrets that no provider issued. */
const wrong: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  stripe: { STRIPE_SECRET_KEY: 'sk_test_another' },
  midtrans: { MIDTRANS_SERVER_KEY: 'SB-Mid-server-another' },
  duitku: { DUITKU_API_KEY: 'another' },
  xendit: { XENDIT_SECRET_KEY: 'xnd_development_another' },
  paypal: { PAYPAL_SECRET: 'another' },
};

describe.each(providerNames)('The check of %s', (name) => {
  const provider = providers[name]?.();
  const now = new Date('2026-03-01T08:00:00.000Z');
  const check = (changed: Readonly<Record<string, string>> = {}) => {
    const [gateway] = gatewaysOf(configOf({ ...provider?.variables, ...changed }));
    if (!gateway) throw new Error('It is off.');
    const currency = Object.keys(provider?.units ?? {})[0] ?? '';
    return problemAt(gateway, currency, (url, init) => fetch(url, init), now);
  };

  beforeAll(() => provider?.open(() => now));
  afterAll(() => provider?.close());

  test('finds no problem with the credentials of the account, and opens no payment', async () => {
    expect(await check()).toBeNull();
    expect(provider?.references()).toEqual([]);
  });

  test('names the problem with invalid credentials', async () => {
    expect(await check(wrong[name])).toMatch(/^[\w.-]+$/);
  });

  test('says that a provider did not answer', async () => {
    provider?.fail('look', 'dropped');
    // PayPal's token is requested first, or together with the look-up.
    expect(await check()).toBe('no_answer');
  });
});
