import { describe, expect, test } from 'vitest';
import { callbackOf, http, messageOf, now, refusalOf, useSender } from './bench.ts';
import { senderNames, senders } from './index.ts';
import type { TestSender } from './sender.ts';

const address = 'https://shop.example/api/svc/v1/callback';

function made(name: string): TestSender {
  const provider = senders[name]?.();
  if (!provider) throw new Error(`There is no sender ${name}.`);
  return provider;
}

describe.each(senderNames)('%s', (name) => {
  const bench = useSender(made(name));
  const { provider } = bench;

  const message = () => messageOf({ medium: provider.medium });
  const send = (sent = message()) => bench.sender.send(sent, http, now);
  const arrivals = () => provider.sent().length;

  test('sends a message unchanged, under the given id', async () => {
    const sent = message();
    const before = arrivals();
    const id = await send(sent);
    const last = provider.sent().at(-1);
    expect(arrivals()).toBe(before + 1);
    expect(last).toMatchObject({
      to: sent.recipient.replace('+', ''),
      text: sent.content.text,
      subject: provider.medium === 'email' ? sent.content.subject : null,
    });
    // The seller's own service returns no id.
    expect(id).toBe(name === 'relay' ? null : last?.id);
  });

  test.each(['permanent', 'temporary', 'setup'] as const)(
    'reports that a refusal is %s, without revealing the recipient',
    async (kind) => {
      const sent = message();
      const before = arrivals();
      provider.refuse(kind);
      const error = await refusalOf(send(sent));
      expect(error).toMatchObject({ kind, code: expect.stringMatching(/^[\w.-]+$/) });
      const said = `${error.message} ${error.code} ${String(error.cause)}`;
      expect(said).not.toContain(sent.recipient);
      expect(said).not.toContain(sent.content.text);
      expect(arrivals()).toBe(before);
    },
  );

  test.each([
    // WhatsApp documents this code as not sent.
    ['refused', name === 'whatsapp' ? 'temporary' : 'unknown'],
    ['overloaded', 'temporary'],
  ] as const)('(%s) says that the refusal is %s', async (fault, kind) => {
    const before = arrivals();
    provider.fail(fault);
    expect(await refusalOf(send())).toMatchObject({ kind });
    expect(arrivals()).toBe(before);
  });

  test.each([
    ['lost', 1],
    ['dropped', 0],
  ] as const)('logs nothing of a message whose answer is %s', async (fault, arrived) => {
    const before = arrivals();
    provider.fail(fault);
    expect(await refusalOf(send())).toMatchObject({ kind: 'unknown', code: 'no_answer' });
    expect(arrivals()).toBe(before + arrived);
  });

  test('sends a repeated message once if it promises to, and twice otherwise', async () => {
    const sent = message();
    const before = arrivals();
    provider.fail('lost');
    await refusalOf(send(sent));
    await send(sent);
    expect(bench.sender.replays > 0).toBe(provider.knowsKeys);
    expect(arrivals() - before).toBe(provider.knowsKeys ? 1 : 2);
  });

  test('has a rate of its own', () => {
    expect(bench.sender.rate).toBeGreaterThan(0);
    expect(bench.sender.rate).toBeLessThanOrEqual(20);
  });
});

describe.each(['resend', 'fonnte', 'whatsapp'])('%s', (name) => {
  const bench = useSender(made(name));
  const message = () => messageOf({ medium: bench.provider.medium });

  test('does not count as having accepted a message that its answer does not name', async () => {
    bench.provider.fail('lying');
    const error = await refusalOf(bench.sender.send(message(), http, now));
    expect(error).toMatchObject({ kind: 'unknown', code: 'unreadable_answer' });
  });

  test('passes on the time for which the provider asks to wait', async () => {
    bench.provider.refuse('temporary', 37);
    const error = await refusalOf(bench.sender.send(message(), http, now));
    expect(error).toMatchObject({ kind: 'temporary', retryAfter: 37 });
  });
});

describe.each(['resend', 'whatsapp'])('Receipts of %s', (name) => {
  const bench = useSender(made(name));
  const { provider } = bench;
  const { receipts } = provider;
  if (!receipts) throw new Error(`${name} tells of nothing.`);

  const message = () => messageOf({ medium: provider.medium });
  const sent = async (which = message()) => (await bench.sender.send(which, http, now)) ?? '';
  const read = async (request: Request | undefined, at = now) =>
    request && bench.sender.receipts?.(await callbackOf(request), at);

  test.each(receipts.states)('say that a message is %s, by its id and its key', async (state) => {
    const which = message();
    const id = await sent(which);
    receipts.tell(id, state);
    const [request] = receipts.take(address);
    expect(await read(request)).toEqual([
      {
        provider_id: id,
        key: which.key,
        state,
        reason: ['bounced', 'failed'].includes(state) ? expect.stringMatching(/^[\w.-]+$/) : null,
      },
    ]);
  });

  test('are invalid without the secret, or with another body', async () => {
    const forgeries = await receipts.forgeries(address, await sent());
    expect(forgeries.length).toBeGreaterThan(3);
    for (const each of forgeries) expect(await read(each)).toBe('forged');
  });
});

describe.each(['cloudflare', 'fonnte', 'relay'])('%s', (name) => {
  const bench = useSender(made(name));

  test('sends no receipts', () => {
    expect(bench.sender).not.toHaveProperty('receipts');
    expect(bench.sender).not.toHaveProperty('challenge');
  });
});
