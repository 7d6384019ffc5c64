import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { checkProviders } from '../../src/providers/setup/check.ts';

const base = {
  DATABASE_URL: 'postgresql://nobody@localhost/none',
  API_KEY_PEPPERS: '1:none',
  SESSION_KEYS: '{}',
  BASE_URL: 'https://shop.example',
};

const check = (variables: object) => () => checkProviders(readConfig({ ...base, ...variables }));

test('a deployment without providers starts', () => {
  expect(check({})).not.toThrow();
});

test.each([
  ['STRIPE_WEBHOOK_SECRET', { STRIPE_SECRET_KEY: 'sk_test_1' }],
  [
    'STRIPE_MODE',
    { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1', STRIPE_MODE: 'production' },
  ],
  ['MIDTRANS_MODE', { MIDTRANS_SERVER_KEY: 'SB-Mid-server-1', MIDTRANS_MODE: 'production' }],
  ['DUITKU_API_KEY', { DUITKU_MERCHANT_CODE: 'D0001' }],
  ['XENDIT_CALLBACK_TOKEN', { XENDIT_SECRET_KEY: 'xnd_development_1' }],
  ['PAYPAL_WEBHOOK_ID', { PAYPAL_CLIENT_ID: 'a', PAYPAL_SECRET: 'b' }],
  ['MOOTA_SECRET_TOKEN', { MOOTA_TOKEN: 'a' }],
])(
  'a deployment with a partly configured provider does not start, and the error names %s',
  (name, variables) => {
    expect(check(variables)).toThrow(name);
  },
);
