import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Callback } from '../../../../src/providers/callback.ts';
import { base, configured, http, useStripe } from './store.ts';

const store = useStripe();

describe('A callback of Stripe', () => {
  const read = (callback: Callback, through = store.gateway) =>
    through.read(callback, http, store.now);

  const received = async (request: Request): Promise<Callback> => {
    const text = await request.text();
    return { text, header: (name) => request.headers.get(name) ?? undefined };
  };

  const signed = (text: string, age = 0): Callback => {
    const time = Date.parse(store.instant) / 1000 - age;
    const secret = store.provider.variables.STRIPE_WEBHOOK_SECRET;
    const proof = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex');
    return { text, header: () => `t=${time},v1=${proof}` };
  };

  const readAll = async () =>
    Promise.all(store.provider.takeCallbacks(base).map(async (one) => read(await received(one))));

  test('about any change of a payment names the payment', async () => {
    const attempt = await store.opened();
    const { provider_id } = attempt;
    store.provider.begin(attempt.reference);
    store.provider.pay(attempt.reference);
    expect(await readAll()).toEqual([[{ provider_id }], [{ provider_id }]]);
    const { payment_ref } = await store.look(attempt);
    store.provider.refundByHand(attempt.reference, 100);
    await store.refund({ ...attempt, payment_ref }, 'r', 100);
    store.provider.settleRefunds('failed');
    store.provider.dispute(attempt.reference, 'lost');
    const hints = await readAll();
    expect(hints).toHaveLength(7);
    expect(new Set(hints.map((hint) => JSON.stringify(hint)))).toEqual(
      new Set([JSON.stringify([{ payment_ref }])]),
    );
  });

  test('about a closed page names the payment', async () => {
    const { provider_id, expires_at } = await store.opened();
    store.instant = expires_at;
    expect(await readAll()).toContainEqual([{ provider_id }]);
  });

  test('that somebody else made is forged', async () => {
    const { reference } = await store.opened();
    for (const forged of store.provider.forgeries(base, reference)) {
      expect(await read(await received(forged))).toBe('forged');
    }
  });

  // The digest was computed by hand as docs.stripe.com/webhooks#verify-manually describes.
  const text = '{"id":"evt_1"}';
  const digest = '248a374f50f943a28b0f6ab50faf9a7e7e29b710fa26df9fb1618b9bf8ea9c9a';

  test.for([
    ['as it is', `t=1700000000,v1=${digest}`, []],
    ['among others', `t=1700000000,v1=${'0'.repeat(64)},v0=1,v1=${digest}`, []],
    ['in another order', `v1=${digest},t=1700000000`, []],
    ['of another time', `t=1700000001,v1=${digest}`, 'forged'],
    ['of another scheme', `t=1700000000,v0=${digest}`, 'forged'],
    ['in part', `t=1700000000,v1=${digest.slice(1)}`, 'forged'],
    ['without a time', `v1=${digest}`, 'forged'],
    ['of nothing', '', 'forged'],
  ] as const)(
    'is verified by the signature that Stripe documents, %s',
    async ([, header, outcome]) => {
      store.instant = '2023-11-14T22:13:20.000Z';
      const secret = { STRIPE_WEBHOOK_SECRET: 'whsec_test_secret' };
      const through = configured({ ...store.provider.variables, ...secret });
      expect(await read({ text, header: () => header }, through)).toEqual(outcome);
    },
  );

  test.for([
    [300, []],
    [301, 'forged'],
    [-300, []],
    [-301, 'forged'],
  ] as const)('signed %i seconds ago is %s', async ([age, outcome]) => {
    expect(await read(signed(text, age))).toEqual(outcome);
  });

  test.for([
    'not JSON',
    'null',
    '{"type":"customer.created","data":{"object":{"id":"cus_1"}}}',
    '{"type":"charge.refunded","data":{"object":{"id":"ch_1","payment_intent":null}}}',
    '{"type":"checkout.session.completed","data":{"object":{"id":7}}}',
  ])('that is signed but concerns no payment of ours is ignored: %s', async (text) => {
    expect(await read(signed(text))).toEqual([]);
  });
});
