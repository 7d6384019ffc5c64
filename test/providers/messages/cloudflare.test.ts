import { afterEach, describe, expect, test, vi } from 'vitest';
import { senderWith, http, messageOf, now, refusalOf, useSender } from './bench.ts';
import { CloudflareEmail } from './cloudflare.ts';

describe("An e-mail through Cloudflare's binding", () => {
  const bench = useSender(new CloudflareEmail(), { MAIL_REPLY_TO: 'Help <help@shop.example>' });
  const send = (message = messageOf()) => bench.sender.send(message, http, now);

  afterEach(() => void vi.useRealTimers());

  test('is passed on in this form', async () => {
    const unsubscribe_url = 'https://shop.example/u/1';
    await send(
      messageOf({ content: { unsubscribe_url, from_name: 'Toko "A"\r\nBcc: x@y.example' } }),
    );
    expect(bench.provider.journal.at(-1)).toEqual({
      from: { email: 'hello@shop.example', name: 'Toko "A" Bcc: x@y.example' },
      to: 'sari@buyers.example',
      replyTo: 'help@shop.example',
      subject: 'Your order INV-42',
      text: 'Hello Sari,\n\npay Rp 350.123 to BCA 111.',
      html: '<p>Hello Sari,</p>',
      headers: {
        'List-Unsubscribe': '<https://shop.example/u/1>',
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    });
  });

  test('has no headers that the binding would refuse', async () => {
    const unsubscribe_url = 'http://localhost:8787/u/1';
    expect(await send(messageOf({ content: { unsubscribe_url, from_name: '' } }))).toMatch(/./);
    expect(bench.provider.journal.at(-1)).not.toHaveProperty('headers');
  });

  /** developers.cloudflare.com/email-service/api/send-emails/workers-api, Error codes. */
  test.each([
    ['E_VALIDATION_ERROR', 'permanent'],
    ['E_FIELD_MISSING', 'permanent'],
    ['E_TOO_MANY_RECIPIENTS', 'permanent'],
    ['E_SENDER_NOT_VERIFIED', 'setup'],
    ['E_RECIPIENT_NOT_ALLOWED', 'permanent'],
    ['E_RECIPIENT_SUPPRESSED', 'permanent'],
    ['E_SENDER_DOMAIN_NOT_AVAILABLE', 'setup'],
    ['E_CONTENT_TOO_LARGE', 'permanent'],
    ['E_DELIVERY_FAILED', 'temporary'],
    ['E_RATE_LIMIT_EXCEEDED', 'temporary'],
    ['E_DAILY_LIMIT_EXCEEDED', 'setup'],
    ['E_INTERNAL_SERVER_ERROR', 'unknown'],
    ['E_HEADER_NOT_ALLOWED', 'permanent'],
    ['E_HEADERS_TOO_MANY', 'permanent'],
    ['SOMETHING_ELSE', 'unknown'],
  ])('that ends in %s is %s', async (code, kind) => {
    bench.provider.throw(code);
    expect(await refusalOf(send())).toMatchObject({ kind, code });
  });

  test.each(['a@b.example, c@d.example', 'Sari <a@b.example>', ''])(
    'goes to one address alone, and not to %j',
    async (recipient) => {
      expect(await refusalOf(send(messageOf({ recipient })))).toMatchObject({ kind: 'permanent' });
    },
  );

  test('is not waited for longer than eight seconds', async () => {
    vi.useFakeTimers();
    const release = bench.provider.hold();
    const refusal = refusalOf(send());
    await vi.advanceTimersByTimeAsync(8000);
    expect(await refusal).toMatchObject({ kind: 'unknown', code: 'no_answer' });
    release();
  });

  test('leaves no timer behind', async () => {
    vi.useFakeTimers();
    await send();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('counts as sent, whatever the answer contains', async () => {
    bench.provider.fail('lying');
    expect(await send()).toBeNull();
    const broken = { send: async () => undefined };
    const sender = senderWith({ EMAIL: broken, MAIL_FROM: 'hello@shop.example' }, 'cloudflare');
    expect(await sender.send(messageOf(), http, now)).toBeNull();
  });

  test.each([
    [undefined, 'unknown'],
    ['a text', 'unknown'],
    [new TypeError('no code'), 'unknown'],
  ])('that ends in the error %o is %s', async (thrown, kind) => {
    const broken = {
      send: async () => {
        throw thrown;
      },
    };
    const sender = senderWith({ EMAIL: broken, MAIL_FROM: 'hello@shop.example' }, 'cloudflare');
    const sending = sender.send(messageOf(), http, now);
    expect(await refusalOf(sending)).toMatchObject({ kind });
  });
});
