import { expect, test } from 'vitest';
import { withStandIns } from '../../src/cli/store/stand-ins.ts';
import { readConfig } from '../../src/config.ts';
import { checkProviders } from '../../src/providers/setup/check.ts';

const store = {
  ...{ DATABASE_URL: 'postgres://a@b.example/c', API_KEY_PEPPERS: '1:a', SESSION_KEYS: '{}' },
  BASE_URL: 'https://api.shop.example',
};

type Variables = Readonly<Record<string, string>>;

const ofProviders: readonly Variables[] = [
  {
    ...{ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
    ...{ STRIPE_MODE: 'sandbox', STRIPE_API_URL: 'https://stripe.example' },
  },
  { STRIPE_SECRET_KEY: 'rk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1', STRIPE_MODE: 'production' },
  {
    ...{ MIDTRANS_SERVER_KEY: 'SB-1', MIDTRANS_MODE: 'sandbox' },
    ...{ MIDTRANS_API_URL: 'https://api.example', MIDTRANS_APP_URL: 'https://app.example' },
  },
  { MIDTRANS_SERVER_KEY: 'Mid-1', MIDTRANS_MODE: 'production' },
  {
    ...{ DUITKU_MERCHANT_CODE: 'D1', DUITKU_API_KEY: 'key', DUITKU_MODE: 'sandbox' },
    DUITKU_API_URL: 'https://duitku.example',
  },
  {
    ...{ XENDIT_SECRET_KEY: 'xnd_development_1', XENDIT_CALLBACK_TOKEN: 'token' },
    ...{ XENDIT_MODE: 'sandbox', XENDIT_API_URL: 'https://xendit.example' },
  },
  { XENDIT_SECRET_KEY: 'xnd_production_1', XENDIT_CALLBACK_TOKEN: 'a', XENDIT_MODE: 'production' },
  {
    ...{ PAYPAL_CLIENT_ID: 'client', PAYPAL_SECRET: 'secret', PAYPAL_WEBHOOK_ID: 'webhook' },
    ...{ PAYPAL_MODE: 'sandbox', PAYPAL_API_URL: 'https://paypal.example' },
  },
  { MOOTA_SECRET_TOKEN: 'a', MOOTA_TOKEN: 'b', MOOTA_API_URL: 'https://moota.example' },
  {
    ...{ MAIL_FROM: 'a@shop.example', MAIL_REPLY_TO: 'b@shop.example', MAIL_RATE: '2' },
    ...{ RESEND_API_KEY: 're_1', RESEND_WEBHOOK_SECRET: 'whsec_MTIz' },
    RESEND_API_URL: 'https://resend.example',
  },
  {
    ...{ WHATSAPP_TOKEN: 'a', WHATSAPP_PHONE_ID: '1', WHATSAPP_RATE: '20' },
    ...{ WHATSAPP_APP_SECRET: 'b', WHATSAPP_VERIFY_TOKEN: 'c' },
    WHATSAPP_API_URL: 'https://whatsapp.example',
  },
  { FONNTE_TOKEN: 'a', WHATSAPP_TOKEN: 'b', WHATSAPP_PHONE_ID: '1' },
  { REMINDER_URL: 'https://mail.example/send', REMINDER_SECRET: `whsec_${'a'.repeat(24)}` },
];

/** Returns every way in which each variable is set in the store's files, at Cloudflare alone, or nowhere. */
function* placesOf(variables: Variables): Generator<readonly [own: Variables, kept: string[]]> {
  const [first, ...others] = Object.entries(variables);
  if (!first) return void (yield [{}, []]);
  const [name, value] = first;
  for (const [own, kept] of placesOf(Object.fromEntries(others))) {
    yield [own, kept];
    yield [{ [name]: value, ...own }, kept];
    yield [own, [name, ...kept]];
  }
}

const outcomeOf = (own: Variables, kept: readonly string[]): string => {
  try {
    checkProviders(withStandIns(readConfig({ ...store, ...own }), kept));
    return 'right';
  } catch (error) {
    return (error as Error).message;
  }
};

test.for(ofProviders)(
  'A provider with %o is judged the same if Cloudflare alone has some of its variables',
  (variables) => {
    for (const [own, kept] of placesOf(variables)) {
      const all = { ...own, ...Object.fromEntries(kept.map((name) => [name, variables[name]])) };
      const known = outcomeOf(all as Variables, []);
      expect([own, kept, outcomeOf(own, kept)]).toEqual([own, kept, known]);
    }
  },
);
