import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { answering, http, messageOf, now, refusalOf, useSender } from './bench.ts';
import { RelayServer } from './relay.ts';

describe("A message through the seller's own service", () => {
  const bench = useSender(new RelayServer());

  test('is posted as this request, signed like a webhook', async () => {
    const key = '0f1e2d3c-0000-4000-8000-000000000001';
    const sent = messageOf({ key, medium: 'sms', reminder_id: 3, kind: 'reminder' });
    await bench.sender.send(sent, http, now);
    const { headers, body = '' } = bench.provider.journal.at(-1) ?? {};
    expect(JSON.parse(body)).toEqual({
      id: `msg_${key}`,
      message_id: 7,
      kind: 'reminder',
      reminder_id: 3,
      media_type: 'sms',
      recipient: '+6281234567890',
      title: 'Your order INV-42',
      content: 'Hello Sari,\n\npay Rp 350.123 to BCA 111.',
      order_id: 42,
      user_id: 5,
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': `msg_${key}`,
      'webhook-timestamp': '1773133200',
      'webhook-signature': new Webhook(bench.provider.variables.REMINDER_SECRET).sign(
        `msg_${key}`,
        now,
        body,
      ),
    });
  });

  test.each([
    [200, null],
    [202, 'queued'],
    [204, null],
  ])('is accepted with %i, whatever the answer contains', async (status, body) => {
    const taken: typeof http = async () => new Response(body, { status });
    expect(await bench.sender.send(messageOf(), taken, now)).toBeNull();
  });

  test.each([
    [302, 'setup'],
    [400, 'permanent'],
    [401, 'setup'],
    [403, 'setup'],
    [404, 'setup'],
    [408, 'unknown'],
    [409, 'temporary'],
    [410, 'permanent'],
    [413, 'permanent'],
    [422, 'permanent'],
    [425, 'temporary'],
    [429, 'temporary'],
    [500, 'unknown'],
    [502, 'unknown'],
    [503, 'temporary'],
  ])('that is answered with %i is %s', async (status, kind) => {
    const sending = bench.sender.send(messageOf(), answering(status, ''), now);
    expect(await refusalOf(sending)).toMatchObject({ kind, code: String(status) });
  });
});
