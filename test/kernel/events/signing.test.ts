import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { newSecret } from '../../../src/kernel/events/signing.ts';
import { useStore } from '../../harness/store.ts';
import { PostOffice } from './post-office.ts';
import { type Received, useReceiver } from './receiver.ts';

const opened = useStore();
const receiver = useReceiver();

const accepts = (secret: string, { body, headers }: Pick<Received, 'body' | 'headers'>) => {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

describe('After a rotation', () => {
  /** Rotates a webhook's secret some seconds ago, and makes a delivery now. */
  async function deliveredAfter(seconds: number) {
    const { store } = opened;
    // The verifier uses the real time.
    store.clock.set(new Date(Date.now() - seconds * 1000).toISOString());
    const office = await PostOffice.open(store);
    const path = `/rotated-${seconds}`;
    const { id, secret: old } = await office.webhook(receiver.url(path));
    const rotated = await office.api.post(`/webhooks/${id}/rotate`);
    expect(rotated).toMatchObject({ status: 200, trips: 2 });
    store.clock.advance(seconds);
    await office.product();
    await office.store.settled();
    const [delivery] = receiver.at(path);
    if (!delivery) throw new Error('Nothing arrived.');
    return { old, secret: rotated.body.data.secret, delivery };
  }

  test('a delivery is accepted with either secret for 24 hours', async () => {
    const { old, secret, delivery } = await deliveredAfter(86_399);
    expect(secret).not.toBe(old);
    expect(accepts(old, delivery)).toBe(true);
    expect(accepts(secret, delivery)).toBe(true);
    expect(accepts(newSecret(), delivery)).toBe(false);
  });

  test('a delivery is accepted only with the new secret afterwards', async () => {
    const { old, secret, delivery } = await deliveredAfter(86_400);
    expect(accepts(old, delivery)).toBe(false);
    expect(accepts(secret, delivery)).toBe(true);
  });

  test('a further rotation makes the older secret invalid', async () => {
    const { store } = opened;
    store.clock.set(new Date().toISOString());
    const office = await PostOffice.open(store);
    const { id, secret: first } = await office.webhook(receiver.url('/twice'));
    const second = (await office.api.post(`/webhooks/${id}/rotate`)).body.data.secret;
    const third = (await office.api.post(`/webhooks/${id}/rotate`)).body.data.secret;
    await office.product();
    await office.store.settled();
    const [delivery] = receiver.at('/twice');
    if (!delivery) throw new Error('Nothing arrived.');
    expect([first, second, third].map((secret) => accepts(secret, delivery))).toEqual([
      false,
      true,
      true,
    ]);
  });
});
