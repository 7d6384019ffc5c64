import { describe, expect, test } from 'vitest';
import { stripe } from '../../../../src/providers/payments/stripe.ts';
import { units } from '../../stripe/forms.ts';
import { configOf, configured, refusal, useStripe } from './store.ts';

const store = useStripe();

describe('The configuration of Stripe', () => {
  const key = 'sk_test_1';
  const webhook = 'whsec_1';

  test('without variables leaves it off', () => expect(stripe(configOf({}))).toBeUndefined());

  test.for([
    [{ STRIPE_SECRET_KEY: key }, 'STRIPE_WEBHOOK_SECRET is missing'],
    [{ STRIPE_WEBHOOK_SECRET: webhook }, 'STRIPE_SECRET_KEY is missing'],
    [{ STRIPE_MODE: 'sandbox' }, 'STRIPE_SECRET_KEY is missing'],
    [{ STRIPE_API_URL: 'https://stripe.example' }, 'STRIPE_SECRET_KEY is missing'],
  ] as const)('that is incomplete names the missing variable: %o', ([variables, message]) => {
    expect(() => stripe(configOf(variables))).toThrow(message);
  });

  test.for(['sk_test_1', 'rk_test_1', 'sk_live_1', 'rk_live_1'])('takes the key %s', (key) => {
    const mode = key.includes('test') ? 'sandbox' : 'production';
    const variables = { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhook };
    expect(configured(variables).id).toBe('stripe');
    expect(configured({ ...variables, STRIPE_MODE: mode }).id).toBe('stripe');
  });

  test.for(['pk_test_secret', 'whsec_secret', 'sk_secret', ' sk_test_secret'])(
    'takes no key like "%s", and does not show it',
    (key) => {
      const variables = { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhook };
      const made = () => stripe(configOf(variables));
      expect(made).toThrow('STRIPE_SECRET_KEY must be a secret or restricted key');
      expect(made).not.toThrow('secret_');
      expect(made).not.toThrow(key);
    },
  );

  test.for([
    ['sk_test_1', 'production'],
    ['rk_live_1', 'sandbox'],
  ] as const)('takes no key %s in the mode %s', ([key, mode]) => {
    const variables = { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhook };
    const made = () => stripe(configOf({ ...variables, STRIPE_MODE: mode }));
    expect(made).toThrow(`STRIPE_MODE is ${mode}`);
    expect(made).not.toThrow(key);
  });

  test("uses Stripe's own address by default", async () => {
    const asked: string[] = [];
    const through = configured({ STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhook });
    const refusing = async (url: string) => {
      asked.push(url);
      return Response.json({}, { status: 403 });
    };
    await expect(through.open(store.payment(), refusing, store.now)).rejects.toMatchObject(
      refusal('temporary', '403'),
    );
    expect(asked).toEqual(['https://api.stripe.com/v1/checkout/sessions']);
  });
});

describe('Amounts', () => {
  test.for(Object.entries(units))('of %s are in units of 10^-%i', async (entry) => {
    const [currency, exponent] = entry;
    const unit = store.gateway.unitOf(currency);
    expect(unit?.exponent).toBe(exponent);
    const step = unit?.step ?? 0;
    const amount = 20_000 * step;
    const attempt = await store.opened({ currency, amount });
    store.provider.pay(attempt.reference);
    expect(await store.look(attempt)).toMatchObject({ paid: { amount, currency } });
    if (step === 1) return;
    await expect(store.opened({ currency, amount: amount + step / 10 })).rejects.toMatchObject(
      refusal('permanent', 'invalid_request_error'),
    );
  });

  test.for([
    ['BHD', 3, 10],
    ['JOD', 3, 10],
    ['KWD', 3, 10],
    ['OMR', 3, 10],
    ['TND', 3, 10],
    ['ISK', 2, 100],
    ['UGX', 2, 100],
  ] as const)('of %s have %i decimals, in steps of %i', ([currency, exponent, step]) => {
    expect(store.gateway.unitOf(currency)).toEqual({ exponent, step });
  });

  test.for('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))(
    'of %s have no decimals',
    (currency) => expect(store.gateway.unitOf(currency)).toEqual({ exponent: 0, step: 1 }),
  );

  test('of currencies that Stripe does not support have no unit', () => {
    for (const currency of ['IRR', 'KPW', 'XXX', 'usd', '', 'constructor']) {
      expect(store.gateway.unitOf(currency)).toBeUndefined();
    }
  });

  test('have the limits that Stripe documents, which are themselves accepted', async () => {
    expect(store.gateway.limitsOf('USD')).toEqual({ min: 50, max: 999_999_999_999 });
    expect(store.gateway.limitsOf('HUF')).toEqual({ min: 17_500, max: 999_999_999_999 });
    expect(store.gateway.limitsOf('KWD')).toEqual({ max: 999_999_999_999 });
    for (const amount of [50, 999_999_999_999]) await store.opened({ amount });
    await expect(store.opened({ amount: 1_000_000_000_000 })).rejects.toMatchObject(
      refusal('permanent', 'amount_too_large'),
    );
  });
});
