import { beforeAll, describe, expect, test } from 'vitest';
import type { Product } from '../../../src/domain/product/schemas.ts';
import type { User } from '../../../src/domain/user/schemas.ts';
import { type ApiClient, type Reply, formOf } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { pictures } from '../../lib/pictures.ts';

// The members' app from its first screen on, step by step, with a buyer, the affiliate who sells to them, and the
// store's administrator.
const opened = useStoreFixture();

let course: Product, seller: User, buyer: User, owner: User;
let asSeller: ApiClient, asBuyer: ApiClient, asOwner: ApiClient;
/** Records for later steps. */
let order: { id: number };
let proof: string;

const clientOf = (reply: Reply) =>
  opened.fixture.store.client({ authorization: `Bearer ${reply.body.data.token}` });

/** Reads a screen in one trip, as the token's user. */
async function screen(client: ApiClient, path: string, user: User) {
  const { status, trips, body } = await client.get(path);
  expect({ status, trips }, `${path}: ${JSON.stringify(body)}`).toEqual({ status: 200, trips: 1 });
  const spoken = body.meta?.effective_user_id ?? body.data.effective_user_id;
  expect(spoken ?? user.id, path).toBe(user.id);
  return body;
}

beforeAll(async () => {
  const { fixture } = opened;
  await fixture.set('site_url', 'https://store.example');
  owner = await fixture.newAdministrator();
  seller = await fixture.newAffiliate({ display_name: 'Citra Wijaya' });
  buyer = await fixture.newUser({ display_name: 'Dewi Kartika', affiliate_id: seller.id });
  course = await fixture.newProduct({
    title: 'Selling Online',
    price: 100_000,
    affiliate: { enabled: true, tiers: [{ tier: 1, fee: 20, type: 'percentage' }] },
  });
  await fixture.api.post('/coupons', {
    code: 'TEMPLATE',
    discount: { value: 10, type: 'percentage' },
    rule: { use_by_affiliate: true },
  });
  const session = async ({ id }: User) =>
    clientOf(await fixture.api.post('/sessions', { user_id: id, provider: 'mobile_app' }));
  [asSeller, asBuyer, asOwner] = [
    await session(seller),
    await session(buyer),
    await session(owner),
  ];
});

describe('A day in the app:', () => {
  test('the affiliate looks at the start page, takes a link and makes a coupon', async () => {
    expect((await screen(asSeller, '/me', seller)).data.can_affiliate).toBe(true);
    const home = await screen(asSeller, '/me/home-summary', seller);
    expect(home.data).toMatchObject({ today: { sales: 0 }, recent_orders: [] });
    const { data: products } = await screen(asSeller, '/me/products', seller);
    expect(products).toMatchObject([{ product_id: course.id, can_promote: true }]);
    const links = await screen(asSeller, `/me/links?product_id=${course.id}`, seller);
    expect(links.data[0].affiliate_link).toContain(`/aff/${seller.id}/${course.id}/`);
    await screen(asSeller, `/me/creatives?product_id=${course.id}`, seller);
    const { meta } = await screen(asSeller, '/me/affiliate-coupons', seller);
    const [template] = meta.templates;
    const made = await asSeller.post('/me/affiliate-coupons', {
      code: 'CITRA10',
      coupon_parent_id: template.id,
    });
    expect(made.body.data).toMatchObject({ user_id: seller.id, status: 'need-approve' });
    await opened.fixture.api.patch(`/coupons/${made.body.data.id}`, { status: 'active' });
  });

  test('the buyer orders with the coupon, pays, and sends the proof', async () => {
    const { api } = opened.fixture;
    order = await opened.fixture.newOrder({
      product_id: course.id,
      user_id: buyer.id,
      coupon_code: 'CITRA10',
    });
    const { data: orders } = await screen(asBuyer, '/me/orders?status_group=unpaid', buyer);
    expect(orders).toMatchObject([{ id: order.id, grand_total: 90_000, affiliate_id: seller.id }]);
    const file = new Blob([pictures.jpeg]);
    const form = formOf({ file, purpose: 'proof', order_id: order.id });
    const uploaded = await asBuyer.post('/me/media/upload-image', form);
    expect(uploaded).toMatchObject({ status: 201, trips: 2 });
    proof = uploaded.body.data.url;
    const confirmed = await api.post(`/orders/${order.id}/confirmations`, {
      sender: 'Dewi Kartika',
      total: 90_000,
      proof,
    });
    expect(confirmed.body.data).toMatchObject({ amount_matches: true, detail: { proof } });
    const { data: read } = await screen(asBuyer, `/me/orders/${order.id}`, buyer);
    expect(read).toMatchObject({ status: 'payment-confirm', payment_status: 'in-review' });
    const profile = await asBuyer.patch('/me/profile', { phone: '+62 812', bank_info: 'BCA 1' });
    expect(profile.body.data).toMatchObject({ phone: '+62 812', bank: 'BCA 1' });
  });

  test('the administrator sees the open tasks, views the proof and completes the order', async () => {
    const summary = await screen(asOwner, '/me/admin-summary', owner);
    expect(summary.data).toMatchObject({ confirmations_pending: 1 });
    const shown = await asOwner.get(new URL(proof).pathname.replace('/api/svc/v1', ''));
    expect(shown).toMatchObject({ status: 200, trips: 1 });
    const done = await asOwner.post(`/me/orders/${order.id}/status`, { status: 'completed' });
    expect(done).toMatchObject({ status: 200, trips: 2, body: { changed: true } });
    const { data: users } = await screen(asOwner, '/me/users?search=dewi', owner);
    expect(users).toMatchObject([{ id: buyer.id, phone: '+62 812' }]);
    for (const path of ['/me/coupons', '/me/licenses', '/me/coupon-products', '/me/settings']) {
      await screen(asOwner, path, owner);
    }
  });

  test("the affiliate has a commission, and does not see the buyer's address", async () => {
    const { data: rows } = await screen(asSeller, '/me/commissions', seller);
    expect(rows).toMatchObject([{ order_id: order.id, commission: 18_000, status: 'added' }]);
    const earned = await screen(asSeller, '/me/commission-summary', seller);
    expect(earned.data).toMatchObject({ orders: 1, total_commission: 18_000 });
    const { data: sold } = await screen(asSeller, '/me/orders?scope=affiliate', seller);
    expect(JSON.stringify(sold)).not.toContain(buyer.email);
    expect((await screen(asSeller, '/me/rank', seller)).data).toMatchObject({ rank: 1 });
    await screen(asSeller, '/me/leaderboard', seller);
    const home = await screen(asSeller, '/me/home-summary', seller);
    expect(home.data.today).toMatchObject({ sales: 1, revenue: 90_000, commission: 18_000 });
  });

  test('the buyer has what they bought', async () => {
    const { data: access } = await screen(asBuyer, '/me/access', buyer);
    expect(access).toMatchObject([{ product_id: course.id, status: 'active' }]);
    await screen(asBuyer, '/me/subscriptions', buyer);
    await screen(asBuyer, '/me/license-keys', buyer);
    expect((await screen(asBuyer, '/me/home-summary', buyer)).data.access_count).toBe(1);
  });

  test('the administrator helps the buyer as the buyer, and goes back', async () => {
    const reason = 'Could not change the phone number.';
    const asHelper = clientOf(await asOwner.post('/me/switch-user', { user_id: buyer.id, reason }));
    const { session } = await screen(asHelper, '/me', buyer);
    expect(session).toMatchObject({ switched: true, actor_user_id: owner.id });
    const { data: orders } = await screen(asHelper, '/me/orders', buyer);
    expect(orders).toMatchObject([{ id: order.id }]);
    expect((await asHelper.get('/me/admin-summary')).status).toBe(403);
    expect((await asHelper.patch('/me/profile', { phone: '+62 899' })).status).toBe(200);
    const asOwnerAgain = clientOf(await asHelper.post('/me/switch-back'));
    await screen(asOwnerAgain, '/me/admin-summary', owner);
    const { data: user } = await screen(asOwnerAgain, `/me/users/${buyer.id}`, owner);
    expect(user).toMatchObject({ phone: '+62 899' });
    const { rows } = await opened.fixture.store.database.query(
      'select operation, actor_id::int, user_id::int, reason from audit_log where user_id is not null order by id',
    );
    const row = { actor_id: owner.id, user_id: buyer.id };
    expect(rows).toEqual([
      { operation: 'me.switchUser', ...row, reason },
      { operation: 'me.profile.update', ...row, reason: null },
      { operation: 'me.switchBack', ...row, reason: null },
    ]);
  });
});
