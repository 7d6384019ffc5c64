import { beforeAll, describe, expect, test } from 'vitest';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();
let product_id = 0;

beforeAll(async () => {
  product_id = (await opened.fixture.newProduct({ affiliate: { enabled: true } })).id;
});

async function attributed(user: object, order: object = {}) {
  const { fixture } = opened;
  const { id: user_id } = await fixture.newUser(user);
  return fixture.newOrder({ product_id, user_id, ...order });
}

/** Expects an order that counts for nobody, with the reason. */
async function expectRejected(
  reason: string,
  affiliate_id: number,
  user: object = {},
  order: object = {},
) {
  expect(await attributed(user, { affiliate_id, ...order })).toMatchObject({
    affiliate_id: null,
    affiliate: null,
    attribution: { affiliate_id, source: 'none', rejected_reason: reason },
  });
}

describe('An order counts for', () => {
  test('nobody, if no affiliate is named and the buyer has no sponsor', async () => {
    expect(await attributed({})).toMatchObject({ affiliate_id: null, attribution: null });
  });

  test('the affiliate it names, before the sponsor of its buyer', async () => {
    const { fixture } = opened;
    const sponsor = await fixture.newAffiliate({ display_name: 'Sam' });
    const named = await fixture.newAffiliate({ display_name: 'Nat' });
    expect(await attributed({ affiliate_id: sponsor.id })).toMatchObject({
      affiliate_id: sponsor.id,
      affiliate: { id: sponsor.id, display_name: 'Sam' },
      attribution: { affiliate_id: sponsor.id, source: 'sponsor' },
    });
    const both = await attributed({ affiliate_id: sponsor.id }, { affiliate_id: named.id });
    expect(both).toMatchObject({
      affiliate_id: named.id,
      affiliate: { id: named.id, display_name: 'Nat' },
      attribution: { affiliate_id: named.id, source: 'explicit' },
    });
    expect(await fixture.order(both.id)).toMatchObject({ affiliate: both.affiliate });
  });

  test('the sponsor first, if the store keeps affiliates permanently', async () => {
    const { fixture } = opened;
    const sponsor = await fixture.newAffiliate();
    const named = await fixture.newAffiliate();
    await fixture.set('permanent_affiliate', true);
    try {
      const kept = await attributed({ affiliate_id: sponsor.id }, { affiliate_id: named.id });
      expect(kept.attribution).toMatchObject({ affiliate_id: sponsor.id, source: 'sponsor' });
      const free = await attributed({}, { affiliate_id: named.id });
      expect(free.attribution).toMatchObject({ affiliate_id: named.id, source: 'explicit' });
    } finally {
      await fixture.set('permanent_affiliate', false);
    }
  });

  test('nobody, if the sponsor is deleted', async () => {
    const { fixture } = opened;
    const sponsor = await fixture.newAffiliate();
    const buyer = await fixture.newUser({ affiliate_id: sponsor.id });
    await fixture.api.delete(`/users/${sponsor.id}`);
    const order = await fixture.newOrder({ product_id, user_id: buyer.id });
    expect(order).toMatchObject({ affiliate_id: null, attribution: null });
  });
});

describe('An affiliate earns nothing', () => {
  test('on an order of their own', async () => {
    const { fixture } = opened;
    const { id } = await fixture.newAffiliate();
    await expectRejected('self', id, {}, { user_id: id });
  });

  test('without the role, or blocked', async () => {
    const { fixture } = opened;
    await expectRejected('not-eligible', (await fixture.newUser()).id);
    await expectRejected('not-eligible', (await fixture.newAffiliate({ status: 'blocked' })).id);
  });

  test('on a product outside the programme', async () => {
    const { fixture } = opened;
    const other = await fixture.newProduct();
    await expectRejected(
      'disabled',
      (await fixture.newAffiliate()).id,
      {},
      { product_id: other.id },
    );
  });
});

describe('An order that was placed', () => {
  test('can be given to another affiliate, or to none', async () => {
    const { fixture } = opened;
    const order = await attributed({}, { affiliate_id: (await fixture.newAffiliate()).id });
    const other = await fixture.newAffiliate({ display_name: 'Other' });
    const path = `/orders/${order.id}`;
    const given = await fixture.api.patch(path, { affiliate_id: other.id });
    expect(given.body.data).toMatchObject({
      affiliate_id: other.id,
      affiliate: { id: other.id, display_name: 'Other' },
      attribution: { affiliate_id: other.id, source: 'explicit' },
    });
    const none = await fixture.api.patch(path, { affiliate_id: null });
    expect(none.body.data).toMatchObject({
      affiliate_id: null,
      affiliate: null,
      attribution: null,
    });
  });

  test('can not be given to an affiliate who may not earn from it', async () => {
    const { fixture } = opened;
    const buyer = await fixture.newAffiliate();
    const order = await fixture.newOrder({ product_id, user_id: buyer.id });
    for (const affiliate_id of [buyer.id, (await fixture.newUser()).id]) {
      const reply = await fixture.api.patch(`/orders/${order.id}`, { affiliate_id });
      expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    }
    const unknown = await fixture.api.patch(`/orders/${order.id}`, { affiliate_id: 999_999 });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'rest_not_found' } });
    expect(unknown.body.data.params).toHaveProperty('affiliate_id');
  });
});
