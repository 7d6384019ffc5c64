import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { newSecret, signedHeaders } from '../../../src/kernel/events/signing.ts';

const accepts = (secret: string, body: string, headers: Record<string, string>) => {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

describe('A signature', () => {
  test('is accepted by the verifier of Standard Webhooks for any body, and for no other', async () => {
    const anyText = fc.string({ unit: 'grapheme', maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (text, other) => {
        const secret = newSecret();
        const body = JSON.stringify({ text });
        const headers = await signedHeaders({ id: 'evt_1', at: new Date(), body }, [secret]);
        expect(accepts(secret, body, headers)).toBe(true);
        const changed = JSON.stringify({ text: `${text}${other}!` });
        expect(accepts(secret, changed, headers)).toBe(false);
        expect(accepts(newSecret(), body, headers)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  test('covers the id, the whole second and the body, once for each secret', async () => {
    const at = new Date('2026-03-10T09:00:00.999Z');
    const secrets = [newSecret(), newSecret()];
    const by = (secret: string) =>
      createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update('evt_1.1773133200.{"a":1}')
        .digest('base64');
    expect(await signedHeaders({ id: 'evt_1', at, body: '{"a":1}' }, secrets)).toEqual({
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1773133200',
      'webhook-signature': secrets.map((secret) => `v1,${by(secret)}`).join(' '),
    });
  });

  test('is made with 32 random bytes', () => {
    const secrets = Array.from({ length: 50 }, newSecret);
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
  });
});
