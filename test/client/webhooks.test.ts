import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { isEvent, verifyWebhook } from '../../packages/client/src/index.ts';
import { newSecret } from '../../src/kernel/events/signing.ts';

const secret = newSecret();
const id = 'evt_0b9f4c1e-6d2a-4c57-9a55-3f1f0a7d2c11';
const event = {
  id,
  type: 'order-completed',
  event: 'order.completed',
  object_id: 12,
  created_at: '2026-03-10T09:00:00.000Z',
  data: { id: 12, number: 'INV-000012' },
};

/** A delivery signed by the library of Standard Webhooks. */
function delivery({
  body = JSON.stringify(event),
  at = new Date(),
  by = [secret],
}: { body?: string; at?: Date; by?: readonly string[] } = {}) {
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': by.map((each) => new Webhook(each).sign(id, at, body)).join(' '),
  };
  return { body, headers };
}

const minutes = (n: number) => new Date(Date.now() + n * 60_000);

describe('a delivery of the service', () => {
  test('is verified, and becomes the event', async () => {
    const { body, headers } = delivery();
    expect(await verifyWebhook(body, headers, secret)).toEqual(event);
  });

  test('may be given as bytes, with the headers of a Request or of Node', async () => {
    const { body, headers } = delivery();
    const bytes = new TextEncoder().encode(body);
    expect(await verifyWebhook(bytes, new Headers(headers), secret)).toEqual(event);
    expect(await verifyWebhook(bytes.buffer, { ...headers, accept: ['a', 'b'] }, secret)).toEqual(
      event,
    );
  });

  test('is valid with either secret during a rotation', async () => {
    const other = newSecret();
    const both = delivery({ by: [other, secret] });
    expect(await verifyWebhook(both.body, both.headers, secret)).toEqual(event);
    const { body, headers } = delivery({ by: [other] });
    expect(await verifyWebhook(body, headers, [secret, other])).toEqual(event);
  });

  test('is found among thousands of signatures, and hashed once', async () => {
    const { body, headers } = delivery({ body: JSON.stringify({ text: 'x'.repeat(1_000_000) }) });
    const others = `v1,${btoa('y'.repeat(32))} `.repeat(10_000);
    const signature = others + headers['webhook-signature'];
    expect(
      await verifyWebhook(body, { ...headers, 'webhook-signature': signature }, secret),
    ).toEqual(JSON.parse(body));
  });

  test('with an unknown event is accepted like any other', async () => {
    const unheard = { ...event, type: 'comet-seen', event: 'comet.seen', data: { tail: 'long' } };
    const { body, headers } = delivery({ body: JSON.stringify({ ...unheard, more: 1 }) });
    const read = await verifyWebhook(body, headers, secret);
    expect(read).toEqual({ ...unheard, more: 1 });
    expect(isEvent(read, 'order.completed')).toBe(false);
  });

  test('carries the name of its event', async () => {
    const { body, headers } = delivery();
    const read = await verifyWebhook(body, headers, secret);
    expect(isEvent(read, 'order.completed') && read.data.number).toBe('INV-000012');
    expect(isEvent(read, 'order.created')).toBe(false);
  });
});

describe('verifyWebhook refuses', () => {
  const { body, headers } = delivery();
  test.each([
    ['no signature', body, { ...headers, 'webhook-signature': '' }, 'missing_header'],
    ['no id', body, { ...headers, 'webhook-id': undefined }, 'missing_header'],
    ['another body', body.replace('12', '13'), headers, 'wrong_signature'],
    ['another id', body, { ...headers, 'webhook-id': 'evt_2' }, 'wrong_signature'],
    [
      'a signature of another kind',
      body,
      { ...headers, 'webhook-signature': 'v1a,AAAA' },
      'wrong_signature',
    ],
    [
      'a malformed signature',
      body,
      { ...headers, 'webhook-signature': 'v1,%%%' },
      'wrong_signature',
    ],
    ['no time', body, { ...headers, 'webhook-timestamp': 'now' }, 'too_old'],
    [
      'a time later by hand',
      body,
      { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) },
      'wrong_signature',
    ],
  ])('%s', async (_, text, given, code) => {
    await expect(verifyWebhook(text, given, secret)).rejects.toMatchObject({
      name: 'WebhookVerificationError',
      code,
    });
  });

  test.each([-6, 6])('a delivery whose timestamp is %d minutes away', async (minute) => {
    const old = delivery({ at: minutes(minute) });
    await expect(verifyWebhook(old.body, old.headers, secret)).rejects.toMatchObject({
      code: 'too_old',
    });
  });

  test("a delivery with somebody else's signature", async () => {
    const theirs = delivery({ by: [newSecret()] });
    await expect(verifyWebhook(theirs.body, theirs.headers, secret)).rejects.toMatchObject({
      code: 'wrong_signature',
    });
  });

  test('any delivery if it is given no secret', async () => {
    await expect(verifyWebhook(body, headers, [])).rejects.toMatchObject({
      code: 'wrong_signature',
    });
    await expect(verifyWebhook(body, headers, '')).rejects.toMatchObject({
      code: 'wrong_signature',
    });
  });

  test('any delivery if the secret is blank', async () => {
    await expect(verifyWebhook(body, headers, 'whsec_ ')).rejects.toMatchObject({
      code: 'wrong_signature',
    });
  });

  test('a signed body that is not an event', async () => {
    const empty = delivery({ body: 'null' });
    await expect(verifyWebhook(empty.body, empty.headers, secret)).rejects.toMatchObject({
      code: 'unreadable',
    });
  });
});
