import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { isSvixSigned } from '../../../src/providers/messages/svix.ts';
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
import { ResendServer } from './resend.ts';

const address = 'https://shop.example/callback';

describe('An e-mail through Resend', () => {
  const bench = useSender(new ResendServer(), {
    MAIL_FROM: 'Toko <hello@shop.example>',
    MAIL_REPLY_TO: 'Help, Inc. <help@shop.example>',
  });
  const send = (message = messageOf()) => bench.sender.send(message, http, now);

  test('is sent as this request', async () => {
    const message = messageOf({
      key: '0f1e2d3c-0000-4000-8000-000000000001',
      content: { unsubscribe_url: 'https://shop.example/u/a?b=<c>' },
    });
    await send(message);
    const { method, path, headers, body } = bench.provider.journal.at(-1) ?? {};
    expect({ method, path }).toEqual({ method: 'POST', path: '/emails' });
    expect(headers).toMatchObject({
      authorization: 'Bearer re_123456789',
      'content-type': 'application/json',
      'idempotency-key': '0f1e2d3c-0000-4000-8000-000000000001',
    });
    expect(JSON.parse(body ?? '')).toEqual({
      from: 'Toko <hello@shop.example>',
      to: ['sari@buyers.example'],
      subject: 'Your order INV-42',
      text: 'Hello Sari,\n\npay Rp 350.123 to BCA 111.',
      html: '<p>Hello Sari,</p>',
      reply_to: '"Help, Inc." <help@shop.example>',
      headers: {
        'List-Unsubscribe': '<https://shop.example/u/a?b=%3Cc%3E>',
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
      tags: [{ name: 'message_key', value: '0f1e2d3c-0000-4000-8000-000000000001' }],
    });
  });

  test('has no HTML and no headers if they would be empty', async () => {
    await send(messageOf({ content: { html: null } }));
    const body = JSON.parse(bench.provider.journal.at(-1)?.body ?? '');
    expect(Object.keys(body)).toEqual(['from', 'to', 'subject', 'text', 'reply_to', 'tags']);
  });

  test('is sent twice under two keys', async () => {
    const before = bench.provider.sent().length;
    await send(messageOf());
    await send(messageOf());
    expect(bench.provider.sent()).toHaveLength(before + 2);
  });

  test('that is sent again gets its first id', async () => {
    const message = messageOf();
    const id = await send(message);
    expect(id).toMatch(/./);
    expect(await send(message)).toBe(id);
  });

  test('counts as sent if Resend knows its key from another text', async () => {
    const message = messageOf();
    await send(message);
    const before = bench.provider.sent().length;
    const changed = { ...message, content: { ...message.content, text: 'Other words.' } };
    expect(await send(changed)).toBeNull();
    expect(bench.provider.sent()).toHaveLength(before);
  });

  test('is retried while another request with its key is in progress', async () => {
    const message = messageOf();
    bench.provider.setRunning(message.key, true);
    expect(await refusalOf(send(message))).toMatchObject({
      kind: 'temporary',
      code: 'concurrent_idempotent_requests',
    });
    bench.provider.setRunning(message.key, false);
    expect(await send(message)).toMatch(/./);
  });

  test.each([
    'a@b.example, c@d.example',
    'a@b.example,d.example',
    'Sari <a@b.example>',
    'a@b.example\r\nBcc: x@y.example',
    '',
  ])('goes to one address alone, and not to %j', async (recipient) => {
    const before = bench.provider.journal.length;
    expect(await refusalOf(send(messageOf({ recipient })))).toMatchObject({
      kind: 'permanent',
      code: 'invalid_address',
    });
    expect(bench.provider.journal).toHaveLength(before);
  });
});

describe('The name that an e-mail comes from', () => {
  const bench = useSender(new ResendServer());

  const shownFor = async (from_name: string) => {
    await bench.sender.send(messageOf({ content: { from_name } }), http, now);
    return JSON.parse(bench.provider.journal.at(-1)?.body ?? '').from;
  };

  // The server accepts RFC 5322, and nothing else.
  test.each([
    ['Demo store', 'Demo store <hello@shop.example>'],
    ['', 'hello@shop.example'],
    ['Toko "Ibu" Sari', 'Toko Ibu Sari <hello@shop.example>'],
    ['Sari, Putri & Co.', '"Sari, Putri & Co." <hello@shop.example>'],
    ['Toko.com', '"Toko.com" <hello@shop.example>'],
    ['sari@evil.example', '"sari@evil.example" <hello@shop.example>'],
    ['Evil <evil@evil.example>', '"Evil evil@evil.example" <hello@shop.example>'],
    ['a\\"b', 'ab <hello@shop.example>'],
    ['a\r\nBcc: x@y.example', '"a Bcc: x@y.example" <hello@shop.example>'],
    ['a\u2028b\0c\td', 'a b c d <hello@shop.example>'],
    ['<>', 'hello@shop.example'],
    ['Café Ünique 咖啡 😀', 'Café Ünique 咖啡 😀 <hello@shop.example>'],
    ['\ud800', '\ufffd <hello@shop.example>'],
    ['x'.repeat(500), `${'x'.repeat(100)} <hello@shop.example>`],
  ])('of %j is %j', async (name, from) => {
    expect(await shownFor(name)).toBe(from);
  });

  test('contains no line break, and neither does a subject', async () => {
    const subject = 'Your order\r\nBcc: x@y.example\u2029now \ud800';
    await bench.sender.send(messageOf({ content: { subject } }), http, now);
    expect(bench.provider.sent().at(-1)).toMatchObject({
      to: 'sari@buyers.example',
      subject: 'Your order Bcc: x@y.example now \ufffd',
    });
  });
});

/** resend.com/docs/api-reference/errors. */
const documented = [
  [400, 'invalid_idempotency_key', 'permanent'],
  [400, 'validation_error', 'permanent'],
  [401, 'missing_api_key', 'setup'],
  [401, 'restricted_api_key', 'setup'],
  [403, 'invalid_api_key', 'setup'],
  [403, 'validation_error', 'setup'],
  [404, 'not_found', 'setup'],
  [405, 'method_not_allowed', 'setup'],
  [409, 'concurrent_idempotent_requests', 'temporary'],
  [422, 'invalid_from_address', 'setup'],
  [422, 'invalid_parameter', 'permanent'],
  [422, 'missing_required_field', 'permanent'],
  [422, 'validation_error', 'permanent'],
  [429, 'monthly_quota_exceeded', 'setup'],
  [429, 'daily_quota_exceeded', 'setup'],
  [429, 'rate_limit_exceeded', 'temporary'],
  [451, 'security_error', 'permanent'],
  [500, 'application_error', 'unknown'],
  [500, 'internal_server_error', 'unknown'],
] as const;

describe('An error of Resend', () => {
  const sender = senderWith({ RESEND_API_KEY: 're_1', MAIL_FROM: 'hello@shop.example' }, 'resend');
  const refused = (...answer: Parameters<typeof answering>) =>
    refusalOf(sender.send(messageOf(), answering(...answer), now));

  test.each(documented)('%i %s is %s', async (status, name, kind) => {
    const body = { statusCode: status, name, message: 'sari@buyers.example is wrong.' };
    expect(await refused(status, body)).toMatchObject({ kind, code: name });
  });

  test.each([
    [302, 'setup'],
    [413, 'permanent'],
    [418, 'permanent'],
    [429, 'temporary'],
    [408, 'unknown'],
    [500, 'unknown'],
    [502, 'unknown'],
    [503, 'temporary'],
    [504, 'unknown'],
    [524, 'unknown'],
  ])('%i without a name of its own is %s', async (status, kind) => {
    expect(await refused(status, '<html>')).toMatchObject({ kind, code: String(status) });
  });

  test.each([
    ['2', 2],
    ['0', 0],
    ['Tue, 10 Mar 2026 09:01:30 GMT', 90],
    ['Tue, 10 Mar 2026 08:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    ['1e9', undefined],
    ['2026', 2026],
    ['', undefined],
  ])('whose Retry-After is %j has these seconds: %s', async (text, retryAfter) => {
    expect(await refused(429, {}, { 'retry-after': text })).toHaveProperty(
      'retryAfter',
      retryAfter,
    );
  });

  test('may have any name, and its code has only letters, digits and signs', async () => {
    expect(await refused(400, { name: 'a b\n<c>'.repeat(50) })).toMatchObject({
      code: expect.stringMatching(/^[\w.-]{64}$/),
    });
    expect(await refused(400, { name: 'constructor' })).toMatchObject({ kind: 'permanent' });
  });

  test('asks to wait if the account has used up its requests', async () => {
    const provider = new ResendServer();
    await provider.open(() => now);
    provider.perSecond = 2;
    const limited = senderWith(provider.variables, 'resend');
    await limited.send(messageOf(), http, now);
    await limited.send(messageOf(), http, now);
    const error = await refusalOf(limited.send(messageOf(), http, now));
    expect(error).toMatchObject({ kind: 'temporary', retryAfter: 1 });
    expect(limited.rate).toBe(provider.perSecond);
    await provider.close();
  });
});

describe('A receipt of Resend', () => {
  const bench = useSender(new ResendServer());
  const { provider } = bench;
  const { receipts } = provider;

  const read = async (request: Request | undefined, at = now) =>
    request && bench.sender.receipts?.(await callbackOf(request), at);

  const toldOf = async (event: { type: string; [detail: string]: unknown }) => {
    const id = (await bench.sender.send(messageOf(), http, now)) ?? '';
    provider.tellEvent(id, event);
    const found = await read(receipts.take(address)[0]);
    return Array.isArray(found) ? found.map(({ state, reason }) => [state, reason]) : found;
  };

  test.each([
    [{ type: 'email.clicked', click: { link: 'https://shop.example' } }, 'read', null],
    [
      { type: 'email.bounced', bounce: { type: 'Permanent', subType: 'General' } },
      'bounced',
      'General',
    ],
    [{ type: 'email.bounced', bounce: { type: 'Permanent' } }, 'bounced', 'Permanent'],
    [
      { type: 'email.bounced', bounce: { type: 'Transient', subType: 'MailboxFull' } },
      'failed',
      'MailboxFull',
    ],
    [{ type: 'email.bounced', bounce: { type: 'Undetermined' } }, 'failed', 'Undetermined'],
    [{ type: 'email.bounced' }, 'failed', null],
    [{ type: 'email.bounced', bounce: 'Permanent' }, 'failed', null],
    [
      { type: 'email.suppressed', suppressed: { reason: 'previous_bounce' } },
      'bounced',
      'previous_bounce',
    ],
    [
      { type: 'email.suppressed', suppressed: { reason: 'previous_complaint' } },
      'complained',
      'previous_complaint',
    ],
    [{ type: 'email.failed', failed: { reason: 'not <a> code' } }, 'failed', 'not_a_code'],
  ])('%o says %s for %s', async (event, state, reason) => {
    expect(await toldOf(event)).toEqual([[state, reason]]);
  });

  test.each([
    'email.sent',
    'email.delivery_delayed',
    'email.scheduled',
    'email.received',
    'contact.created',
    'constructor',
  ])('of the type %s is ignored', async (type) => {
    expect(await toldOf({ type })).toEqual([]);
  });

  test.each([{}, { message_key: 'guessed' }, { category: 'x' }, 'x', null])(
    'with the tags %j is matched by the id alone',
    async (tags) => {
      const id = (await bench.sender.send(messageOf(), http, now)) ?? '';
      provider.tellEvent(id, { type: 'email.delivered', tags });
      expect(await read(receipts.take(address)[0])).toMatchObject([{ provider_id: id, key: null }]);
    },
  );

  test('is accepted with each secret during a rotation', async () => {
    const id = (await bench.sender.send(messageOf(), http, now)) ?? '';
    provider.rolling = true;
    receipts.tell(id, 'delivered');
    const [request] = receipts.take(address);
    provider.rolling = false;
    expect(request?.headers.get('svix-signature')).toMatch(/^v1,\S+ v1,\S+$/);
    expect(await read(request)).toMatchObject([{ provider_id: id }]);
  });

  test.each([
    [300, true],
    [301, false],
    [-300, true],
    [-301, false],
  ])('that is %i seconds old is accepted: %s', async (age, counts) => {
    const id = (await bench.sender.send(messageOf(), http, now)) ?? '';
    receipts.tell(id, 'delivered');
    const found = await read(receipts.take(address)[0], new Date(now.getTime() + age * 1000));
    expect(found !== 'forged').toBe(counts);
  });

  test.each([
    '',
    '[]',
    'null',
    '{"type":"email.delivered"}',
    'no JSON',
    '{"type":1,"data":{"email_id":""}}',
  ])('with the body %j, signed, is ignored', async (body) => {
    const signature = new Webhook(provider.variables.RESEND_WEBHOOK_SECRET).sign('a', now, body);
    const headers = {
      'svix-id': 'a',
      'svix-timestamp': String(now.getTime() / 1000),
      'svix-signature': signature,
    };
    const request = new Request(address, { method: 'POST', body, headers });
    expect(await read(request)).toEqual([]);
  });

  test('is not read without the secret of the webhook', () => {
    const sender = senderWith(
      { RESEND_API_KEY: 're_1', MAIL_FROM: 'hello@shop.example' },
      'resend',
    );
    expect(sender).not.toHaveProperty('receipts');
  });
});

/** docs.svix.com/receiving/verifying-payloads/how. */
test('The example in the documents of Svix has a valid signature', async () => {
  const headers = new Map([
    ['svix-id', 'msg_p5jXN8AQM9LWM0D4loKWxJek'],
    ['svix-timestamp', '1614265330'],
    ['svix-signature', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
  ]);
  const signedAt = (text: string, seconds: number) =>
    isSvixSigned(
      { text, header: (name) => headers.get(name) },
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      new Date(seconds * 1000),
    );
  expect(await signedAt('{"test": 2432232314}', 1_614_265_330)).toBe(true);
  expect(await signedAt('{"test": 2432232315}', 1_614_265_330)).toBe(false);
  expect(await signedAt('{"test": 2432232314}', 1_614_265_631)).toBe(false);
});
