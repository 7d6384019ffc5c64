import { expect, test } from 'vitest';
import { sendersOf } from '../../../src/providers/messages/index.ts';
import { checkProviders } from '../../../src/providers/setup/check.ts';
import { configWith } from './bench.ts';

const mail = { MAIL_FROM: 'hello@shop.example' };
const resend = { ...mail, RESEND_API_KEY: 're_1' };
const cloudflare = { ...mail, EMAIL: { send: async () => ({ messageId: '1' }) } };
const fonnte = { FONNTE_TOKEN: 't' };
const whatsapp = { WHATSAPP_TOKEN: 't', WHATSAPP_PHONE_ID: '1' };
const relay = {
  REMINDER_URL: 'https://mail.example/send',
  REMINDER_SECRET: 'whsec_c2VjcmV0IG9mIHRoZSBzZWxsZXIncyBvd24=',
};

const namesWith = (variables: object) =>
  Object.fromEntries(
    Object.entries(sendersOf(configWith(variables))).map(([medium, { id }]) => [medium, id]),
  );

test.each([
  [{}, {}],
  [mail, {}],
  [{ FONNTE_API_URL: 'https://a.example', RESEND_API_URL: 'https://b.example' }, {}],
  [resend, { email: 'resend' }],
  [cloudflare, { email: 'cloudflare' }],
  [fonnte, { whatsapp: 'fonnte' }],
  [whatsapp, { whatsapp: 'whatsapp' }],
  [relay, { email: 'relay', whatsapp: 'relay', sms: 'relay' }],
  [
    { ...resend, ...fonnte },
    { email: 'resend', whatsapp: 'fonnte' },
  ],
  [
    { ...resend, ...relay },
    { email: 'resend', whatsapp: 'relay', sms: 'relay' },
  ],
  [
    { ...cloudflare, ...whatsapp, ...relay },
    { email: 'cloudflare', whatsapp: 'whatsapp', sms: 'relay' },
  ],
  // Without a secret nothing is sent to an address.
  [{ REMINDER_URL: relay.REMINDER_URL }, {}],
  [{ REMINDER_SECRET: relay.REMINDER_SECRET }, {}],
])('a deployment with %o sends by %o', (variables, names) => {
  expect(namesWith(variables)).toEqual(names);
});

test.each([
  [/^MAIL_FROM is missing: /, { RESEND_API_KEY: 're_1' }],
  [/^MAIL_FROM is missing: /, { EMAIL: cloudflare.EMAIL }],
  [
    /^RESEND_API_KEY is missing: /,
    { RESEND_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  ],
  [/^RESEND_WEBHOOK_SECRET is cut short: /, { ...resend, RESEND_WEBHOOK_SECRET: 'whsec_MfKQ9' }],
  [/WHATSAPP_TOKEN and WHATSAPP_PHONE_ID\. Set both/, { WHATSAPP_TOKEN: 't' }],
  [/WHATSAPP_TOKEN and WHATSAPP_PHONE_ID\. Set both/, { WHATSAPP_PHONE_ID: '1' }],
  [/WHATSAPP_TOKEN and WHATSAPP_PHONE_ID\. Set both/, { WHATSAPP_APP_SECRET: 's' }],
  [/WHATSAPP_TOKEN and WHATSAPP_PHONE_ID\. Set both/, { ...fonnte, WHATSAPP_VERIFY_TOKEN: 's' }],
  [/^RESEND_API_KEY and the binding EMAIL both send e-mail/, { ...resend, ...cloudflare }],
  [/^FONNTE_TOKEN and WHATSAPP_TOKEN both send/, { ...fonnte, ...whatsapp }],
])('a deployment does not start, and the error says %s', (message, variables) => {
  expect(() => checkProviders(configWith(variables))).toThrow(message);
});

test('a deployment starts with everything set up', () => {
  expect(() => checkProviders(configWith({ ...resend, ...whatsapp, ...relay }))).not.toThrow();
});

test.each([
  ['a&b@shop.example', { name: '', address: 'a&b@shop.example' }],
  ['Toko <halo@xn--e1afmkfd.xn--p1ai>', { name: 'Toko', address: 'halo@xn--e1afmkfd.xn--p1ai' }],
  ['<halo@shop.example>', { name: '', address: 'halo@shop.example' }],
])('MAIL_FROM takes %s', (MAIL_FROM, mailbox) => {
  expect(configWith({ ...resend, MAIL_FROM }).MAIL_FROM).toEqual(mailbox);
});

test.each([
  'shop.example',
  'a@shop.example, b@shop.example',
  'Toko <a@shop.example>, <b@shop.example>',
  'Toko <a@shop.example',
  'Toko\r\nBcc: b@shop.example <a@shop.example>',
])('MAIL_FROM refuses %j', (MAIL_FROM) => {
  expect(() => configWith({ ...resend, MAIL_FROM })).toThrow('MAIL_FROM is an e-mail address');
});

test('the senders of a deployment are made once', () => {
  const config = configWith(resend);
  expect(sendersOf(config)).toBe(sendersOf(config));
});

test.each([
  [{ ...resend, MAIL_RATE: '10' }, { email: 10 }],
  [{ ...cloudflare, MAIL_RATE: '0.5' }, { email: 0.5 }],
  [{ ...fonnte, WHATSAPP_RATE: '1' }, { whatsapp: 1 }],
  [{ ...whatsapp, WHATSAPP_RATE: '80' }, { whatsapp: 80 }],
  [
    { ...resend, ...fonnte },
    { email: 2, whatsapp: 0.5 },
  ],
  [whatsapp, { whatsapp: 20 }],
])('a deployment with %o sends at the rates %o', (variables, rates) => {
  const found = Object.entries(sendersOf(configWith(variables)));
  expect(Object.fromEntries(found.map(([medium, { rate }]) => [medium, rate]))).toEqual(rates);
});
