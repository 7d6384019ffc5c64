import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  answering,
  callbackOf,
  senderWith,
  http,
  messageOf,
  now,
  refusalOf,
  useSender,
} from './bench.ts';
import { WhatsAppServer } from './whatsapp.ts';

const address = 'https://shop.example/callback';

describe("A message through WhatsApp's Cloud API", () => {
  const bench = useSender(new WhatsAppServer());
  const { provider } = bench;
  const message = (content: Parameters<typeof messageOf>[0] = {}) =>
    messageOf({ medium: 'whatsapp', ...content });
  const approved = (values: string[], name = 'order_placed') =>
    message({ content: { approved: { name, values } } });
  const send = (sent = message()) => bench.sender.send(sent, http, now);
  const lastBody = () => JSON.parse(provider.journal.at(-1)?.body ?? '');

  test('is sent as this request if it is free text', async () => {
    await send(message({ key: '0f1e2d3c-0000-4000-8000-000000000001' }));
    const { method, path, headers } = provider.journal.at(-1) ?? {};
    expect({ method, path }).toEqual({ method: 'POST', path: '/v25.0/106540352242922/messages' });
    expect(headers).toMatchObject({
      authorization: 'Bearer EAAG-system-user-token',
      'content-type': 'application/json',
    });
    expect(lastBody()).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '6281234567890',
      biz_opaque_callback_data: '0f1e2d3c-0000-4000-8000-000000000001',
      type: 'text',
      text: { preview_url: false, body: 'Hello Sari,\n\npay Rp 350.123 to BCA 111.' },
    });
  });

  test('is sent as this request if a template was approved', async () => {
    provider.isWindowOpen = false;
    await send(approved(['Sari', 'INV-42']));
    provider.isWindowOpen = true;
    expect(lastBody()).toMatchObject({
      type: 'template',
      template: {
        name: 'order_placed',
        language: { code: 'en' },
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Sari' },
              { type: 'text', text: 'INV-42' },
            ],
          },
        ],
      },
    });
    expect(lastBody()).not.toHaveProperty('text');
    expect(provider.sent().at(-1)?.text).toBe('Hello Sari, your order is INV-42.');
  });

  test('has values that WhatsApp accepts', async () => {
    await send(approved(['Sari\n\tPutri      Dewi ', '  ']));
    expect(provider.sent().at(-1)?.text).toBe('Hello Sari Putri Dewi, your order is -.');
  });

  test('has no components if the template has no variables', async () => {
    provider.templates.set('thanks/en', 'Thank you.');
    await send(approved([], 'thanks'));
    expect(lastBody().template).toEqual({ name: 'thanks', language: { code: 'en' } });
  });

  test('is permanently refused without its template or its values, or if the buyer has not written', async () => {
    expect(await refusalOf(send(approved(['Sari', 'x'], 'unknown')))).toMatchObject({
      kind: 'permanent',
      code: '132001',
    });
    expect(await refusalOf(send(approved(['Sari'])))).toMatchObject({ code: '132000' });
    provider.isWindowOpen = false;
    expect(await refusalOf(send())).toMatchObject({ kind: 'permanent', code: '131047' });
    provider.isWindowOpen = true;
  });

  test.each(['081234567890', '+62812-3456', ''])('is not sent to %j', async (recipient) => {
    expect(await refusalOf(send(message({ recipient })))).toMatchObject({
      kind: 'permanent',
      code: 'invalid_number',
    });
  });

  test.each([
    [{ WHATSAPP_TOKEN: 'expired' }, '190'],
    [{ WHATSAPP_PHONE_ID: '1' }, '100'],
  ])('is refused as a fault of the setup with %o', async (variables, code) => {
    const sender = senderWith({ ...provider.variables, ...variables }, 'whatsapp');
    const sending = sender.send(message(), http, now);
    expect(await refusalOf(sending)).toMatchObject({ kind: 'setup', code });
  });

  /** developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes. */
  test.each([
    [0, 401, 'setup'],
    [1, 400, 'temporary'],
    [2, 503, 'temporary'],
    [3, 500, 'setup'],
    [4, 400, 'temporary'],
    [10, 403, 'setup'],
    [33, 400, 'setup'],
    [100, 400, 'permanent'],
    [190, 401, 'setup'],
    [200, 403, 'setup'],
    [299, 403, 'setup'],
    [368, 403, 'setup'],
    [80_007, 429, 'temporary'],
    [130_429, 429, 'temporary'],
    [130_472, 400, 'permanent'],
    [130_497, 403, 'permanent'],
    [131_000, 500, 'temporary'],
    [131_005, 403, 'setup'],
    [131_008, 400, 'permanent'],
    [131_009, 400, 'permanent'],
    [131_016, 500, 'temporary'],
    [131_026, 400, 'permanent'],
    [131_031, 403, 'setup'],
    [131_037, 400, 'setup'],
    [131_042, 400, 'setup'],
    [131_045, 500, 'setup'],
    [131_047, 400, 'permanent'],
    [131_048, 400, 'temporary'],
    [131_049, 400, 'permanent'],
    [131_050, 400, 'permanent'],
    [131_056, 400, 'temporary'],
    [131_057, 500, 'temporary'],
    [132_000, 400, 'permanent'],
    [132_001, 404, 'permanent'],
    [132_015, 400, 'permanent'],
    [133_004, 503, 'temporary'],
    [133_010, 400, 'setup'],
    [9999, 403, 'setup'],
    [9999, 500, 'unknown'],
    [9999, 503, 'temporary'],
    [9999, 400, 'permanent'],
  ])('that ends in %i with %i is %s', async (code, status, kind) => {
    const body = { error: { message: '...', type: 'OAuthException', code, fbtrace_id: 'A' } };
    const sending = bench.sender.send(message(), answering(status, body), now);
    expect(await refusalOf(sending)).toMatchObject({ kind, code: String(code) });
  });

  test.each([
    [200, {}, 'unknown'],
    [200, { messages: [] }, 'unknown'],
    [200, { messages: [{ id: '' }] }, 'unknown'],
    [500, '<html>', 'unknown'],
    [503, '<html>', 'temporary'],
    [504, '<html>', 'unknown'],
    [400, { error: { code: 'x' } }, 'permanent'],
  ])('whose answer is %i %j is %s', async (status, body, kind) => {
    const sending = bench.sender.send(message(), answering(status, body), now);
    expect(await refusalOf(sending)).toMatchObject({ kind });
  });
});

describe('A receipt of WhatsApp', () => {
  const bench = useSender(new WhatsAppServer());
  const { provider } = bench;
  const { receipts } = provider;

  const sent = async () =>
    (await bench.sender.send(messageOf({ medium: 'whatsapp' }), http, now)) ?? '';
  const readAll = async () => {
    const [request] = receipts.take(address);
    return request && bench.sender.receipts?.(await callbackOf(request), now);
  };

  const readText = (text: string, secret = provider.variables.WHATSAPP_APP_SECRET) => {
    const proof = `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
    return bench.sender.receipts?.({ text, header: () => proof }, now);
  };

  test('contains the code of the failure', async () => {
    const id = await sent();
    provider.failure = 131_049;
    receipts.tell(id, 'failed');
    expect(await readAll()).toMatchObject([{ provider_id: id, state: 'failed', reason: '131049' }]);
  });

  test.each(['sent', 'deleted', 'warning', 'constructor'])('of %s is ignored', async (status) => {
    provider.tellStatus(await sent(), status);
    expect(await readAll()).toEqual([]);
  });

  test('is not a message that a buyer writes', async () => {
    provider.tellMessage('Halo');
    expect(await readAll()).toEqual([]);
  });

  test('may cover several messages at once, some of them without a state', async () => {
    const status = (id: string, state: unknown) => ({ id, status: state });
    const change = (...statuses: unknown[]) => ({ value: { statuses } });
    const text = JSON.stringify({
      entry: [
        null,
        { changes: 'none' },
        { changes: [change(status('a', 'read'), status('b', 7), null), { value: {} }] },
        { changes: [7, { value: { statuses: 'none' } }] },
        {
          changes: [
            change({ ...status('c', 'failed'), errors: 'x', biz_opaque_callback_data: 'x' }),
          ],
        },
      ],
    });
    expect(await readText(text)).toEqual([
      { provider_id: 'a', key: null, state: 'read', reason: null },
      { provider_id: 'c', key: null, state: 'failed', reason: null },
    ]);
    expect(await readText(text, 'another')).toBe('forged');
  });

  test.each(['', '{}', '[]', 'null', '{"entry":[{"changes":[{"field":"messages"}]}]}'])(
    'with the body %j, signed, is ignored',
    async (text) => {
      expect(await readText(text)).toEqual([]);
    },
  );

  test('is signed over its exact bytes, with letters of any kind', async () => {
    const text = '{"entry":[],"name":"Café 咖啡 \\u00e9"}';
    expect(await readText(text)).toEqual([]);
  });

  test('is not read without the secret of the app', () => {
    const { WHATSAPP_TOKEN, WHATSAPP_PHONE_ID } = provider.variables;
    const sender = senderWith({ WHATSAPP_TOKEN, WHATSAPP_PHONE_ID }, 'whatsapp');
    expect(sender).toBeDefined();
    expect(sender).not.toHaveProperty('receipts');
    expect(sender).not.toHaveProperty('challenge');
  });
});

describe('The verification request for the store’s address', () => {
  const bench = useSender(new WhatsAppServer());
  const { question } = bench.provider;

  test('is answered with its challenge', () => {
    expect(bench.sender.challenge?.(question)).toBe('1158201444');
  });

  test.each([
    { 'hub.verify_token': 'guessed' },
    { 'hub.verify_token': '' },
    { 'hub.mode': 'unsubscribe' },
    { 'hub.challenge': '<script>' },
    { 'hub.challenge': '' },
    { 'hub.challenge': '1\n2' },
    { 'hub.challenge': '1'.repeat(65) },
  ])('is not answered with %o', (changed) => {
    expect(bench.sender.challenge?.({ ...question, ...changed })).toBeUndefined();
  });

  test('is not answered without a challenge', () => {
    expect(bench.sender.challenge?.({})).toBeUndefined();
  });
});
