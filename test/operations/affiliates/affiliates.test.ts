import { describe, expect, test } from 'vitest';
import type { Product } from '../../../src/domain/product/schemas.ts';
import { nothing, percentages, useAffiliateStore } from '../../harness/affiliates.ts';

const stage = useAffiliateStore();

const get = (path: string) => stage.at.fixture.api.get(`/affiliates/${path}`);
const store = 'https://store.example';

const promoted = (affiliate: object = {}, fields: object = {}) =>
  stage.at.newCourse(
    {
      links: [
        {
          key: 'webinar',
          title: 'Webinar',
          description: 'Live',
          link: 'https://live.example/a?b=c',
        },
        { key: 'blog', title: 'Blog', description: '', link: '/blog/course' },
      ],
      ...affiliate,
    },
    fields,
  );

describe('Links', () => {
  test('lead to the sales page, the checkout and the pages named by the product', async () => {
    const { seller } = stage.at;
    const product = await promoted({}, { slug: 'selling', title: 'Selling' });
    const { body, trips } = await get(`${seller.id}/links?product_id=${product.id}`);
    expect(trips).toBe(1);
    const base = `${store}/aff/${seller.id}/${product.id}`;
    const link = (key: string, label: string, description: string, link: string) => ({
      ...{ key, label, description, link },
      ...{ affiliate_link: `${base}/${key}`, product_id: product.id },
      ...{ clicks: 0, orders: 0, paid: 0, revenue: 0, commission: 0 },
    });
    expect(body.data).toEqual([
      link('sales-page', 'Selling', '', `${store}/product/selling`),
      link('checkout', 'Checkout: Selling', '', `${store}/checkout/selling`),
      link('webinar', 'Webinar', 'Live', 'https://live.example/a?b=c'),
      link('blog', 'Blog', '', `${store}/blog/course`),
    ]);
    const one = await get(`${seller.id}/link?product_id=${product.id}&target=blog&coupon=save10`);
    expect(one.body.data).toEqual({
      ...body.data[3],
      affiliate_link: `${base}/blog?coupon=SAVE10`,
    });
    const usual = await get(`${seller.id}/link?product_id=${product.id}`);
    expect(usual.body.data).toEqual(body.data[0]);
  });

  test('never lead to an invalid address, nor replace the store’s own links', async () => {
    const product = await promoted({
      links: [{ key: 'checkout', title: 'D', description: '', link: 'https://evil.example/' }],
    });
    const { body } = await get(`${stage.at.seller.id}/links?product_id=${product.id}`);
    expect(body.data.map(({ link }: { link: string }) => link)).toEqual([
      `${store}/product/${product.slug}`,
      `${store}/checkout/${product.slug}`,
    ]);
    for (const link of [
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil.example',
      'https://store.example@evil.example/',
    ]) {
      const page = { key: 'page', title: 'A', description: '', link };
      for (const affiliate of [{ landing_page: link }, { links: [page] }]) {
        const reply = await stage.at.fixture.api.patch(`/products/${product.id}`, { affiliate });
        expect(reply, link).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      }
    }
  });

  test('of all products are listed if no product is named', async () => {
    await promoted();
    const product = await promoted();
    const products = await stage.at.fixture.api.get('/products?per_page=100');
    const all = (products.body.data as Product[]).filter(({ affiliate }) => affiliate.enabled);
    const { body } = await get(`${stage.at.seller.id}/links`);
    expect(body.data[0].product_id).toBe(product.id);
    const linked = body.data.map((link: { product_id: number }) => link.product_id);
    expect(new Set(linked)).toEqual(new Set(all.map(({ id }) => id)));
  });

  test('need an affiliate, a product of the programme and a page of it', async () => {
    const { seller } = stage.at;
    const product = await promoted();
    const closed = await stage.at.fixture.newProduct();
    for (const path of [
      `999999/links?product_id=${product.id}`,
      `${seller.id}/links?product_id=${closed.id}`,
      `${seller.id}/link?product_id=${closed.id}`,
      `${seller.id}/link?product_id=${product.id}&target=nowhere`,
    ]) {
      expect(await get(path), path).toMatchObject({
        status: 404,
        body: { code: 'rest_not_found' },
      });
    }
    expect((await get(`${seller.id}/link`)).body.code).toBe('rest_missing_callback_param');
    const wrong = await get(`${seller.id}/link?product_id=${product.id}&coupon=a%20b`);
    expect(wrong.status).toBe(400);
  });
});

describe('The earnings of an affiliate', () => {
  test('are shown for all time, some days and a product', async () => {
    const { at } = stage;
    const person = await at.fixture.newAffiliate({ display_name: 'Ed', bank_info: 'BCA 1' });
    const first = await at.newCourse({ tiers: percentages(20), hold_days: 0 });
    const second = await at.newCourse({ tiers: percentages(10) });
    const sell = (product: { id: number }) =>
      at.fixture.newOrder({ product_id: product.id, affiliate_id: person.id });
    await at.change(await sell(first), { status: 'completed' });
    await at.payOut(person);
    at.fixture.store.clock.advance(86_400);
    await at.change(await sell(first), { status: 'completed' });
    await at.change(await sell(second), { status: 'completed' });
    await at.change(await sell(second), { status: 'cancelled' });
    await sell(second);
    const today = at.fixture.store.clock.now().toISOString().slice(0, 10);
    const info = async (query = '') =>
      (await get(`${person.id}/commission-info?${query}`)).body.data;
    const all = {
      affiliate_id: person.id,
      display_name: 'Ed',
      currency: 'USD',
      pending_commission: 10_000,
      unpaid_commission: 30_000,
      paid_commission: 20_000,
      held_commission: 10_000,
      payable_commission: 20_000,
      total_commission: 60_000,
      orders: 4,
      last_paid_at: expect.any(String),
      bank_info: 'BCA 1',
    };
    expect(await info()).toEqual(all);
    expect(await info('date_start=2020-01-01')).toEqual(all);
    expect(await info(`date_start=${today}`)).toEqual({
      ...all,
      ...{ paid_commission: 0, total_commission: 40_000, orders: 3 },
    });
    expect(await info(`product_id=${second.id}`)).toEqual({
      ...all,
      ...{ unpaid_commission: 10_000, paid_commission: 0, payable_commission: 0 },
      ...{ total_commission: 20_000, orders: 2 },
    });
    const fresh = await at.fixture.newAffiliate();
    expect(await at.balances(fresh)).toEqual(nothing);
    expect((await get('999999/commission-info')).status).toBe(404);
  });
});

describe('A lookup', () => {
  test('finds an affiliate by id, e-mail, phone or the code of a coupon', async () => {
    const { at } = stage;
    const { api } = at.fixture;
    const group = (await api.post('/user-groups', { name: 'Team' })).body.data;
    const person = await at.fixture.newAffiliate({
      ...{ email: 'fay@x.example', phone: '+62 811 5', display_name: 'Fay' },
      ...{ affiliate_id: at.top.id, group_id: group.id },
    });
    for (const code of ['FAY10', 'FAY20']) await api.post('/coupons', { code, user_id: person.id });
    const found = {
      affiliate_id: person.id,
      display_name: 'Fay',
      can_affiliate: true,
      group: { id: group.id, name: 'Team' },
      sponsor_id: at.top.id,
      coupon_codes: ['FAY10', 'FAY20'],
    };
    for (const query of [
      `id=${person.id}`,
      'email=Fay@X.example',
      'phone=%2B62%20811%205',
      'coupon=fay20',
    ]) {
      expect((await get(`lookup?${query}`)).body.data, query).toEqual(found);
    }
  });

  test('answers 404 for no match, 409 for several, 400 for no parameter or two', async () => {
    const { fixture } = stage.at;
    await fixture.newUser({ phone: '12345' });
    await fixture.newUser({ phone: '12345' });
    expect((await get('lookup?coupon=NOBODYS')).status).toBe(404);
    expect((await get('lookup?phone=12345')).body.code).toBe('rest_ambiguous');
    expect((await get('lookup')).status).toBe(400);
    expect((await get('lookup?id=1&coupon=A')).status).toBe(400);
  });
});

describe('Products to promote', () => {
  test("show the tiers of a group up to the highest of the product's own", async () => {
    const { fixture } = stage.at;
    const { body } = await fixture.api.post('/user-groups', {
      name: 'Middle',
      commissions: percentages(0, 10, 0, 5).filter(({ fee }) => fee > 0),
    });
    const person = await fixture.newAffiliate({ group_id: body.data.id });
    const [first, , third] = percentages(20, 0, 4);
    await promoted({ tiers: [first, third] });
    const [{ tiers }] = (await get(`${person.id}/products?per_page=1`)).body.data;
    expect(tiers).toMatchObject([
      { tier: 1, fee: 20, source: 'product' },
      { tier: 2, fee: 10, source: 'group' },
      { tier: 3, fee: 4, source: 'product' },
    ]);
  });

  test('show what each tier earns, from which rate, and if the user may promote them', async () => {
    const { at } = stage;
    const { body } = await at.fixture.api.post('/user-groups', {
      name: 'Best',
      commissions: percentages(40),
    });
    const person = await at.fixture.newAffiliate({ group_id: body.data.id });
    const taxed = { tax: { enabled: true, rate: 11, inclusive: true }, price: 111_000 };
    const product = await promoted({ tiers: percentages(20, 10) }, { title: 'Taxed', ...taxed });
    const closed = await promoted({}, { enable_sale: false });
    const asking = await promoted({ require_purchase: true });
    const reply = await get(`${person.id}/products?per_page=3`);
    expect(reply.trips).toBe(1);
    expect(
      reply.body.data.map((p: Record<string, unknown>) => [p['product_id'], p['reason']]),
    ).toEqual([
      [asking.id, 'purchase-required'],
      [closed.id, 'closed'],
      [product.id, 'ok'],
    ]);
    expect(reply.body.data[2]).toEqual({
      product_id: product.id,
      title: 'Taxed',
      price: 111_000,
      can_promote: true,
      reason: 'ok',
      tiers: [
        { tier: 1, fee: 40, type: 'percentage', source: 'group', example_amount: 40_000 },
        { tier: 2, fee: 10, type: 'percentage', source: 'product', example_amount: 10_000 },
      ],
      affiliate_link: `${store}/aff/${person.id}/${product.id}/sales-page`,
    });
    const regular = { duration: 1, period: 'monthly', price: 50_000 };
    const club = await promoted(
      { tiers: percentages(20, 10) },
      { price: 90_000, subscription: { active: true, regular } },
    );
    const [{ price, tiers }] = (await get(`${person.id}/products?per_page=1`)).body.data;
    const sold = await at.fixture.newOrder({ product_id: club.id });
    expect(price).toBe(sold.unit_price);
    expect(tiers[0].example_amount).toBe(20_000);
    const own = await at.fixture.newOrder({ product_id: asking.id, user_id: person.id });
    await at.change(own, { status: 'completed' });
    expect((await get(`${person.id}/products?per_page=1`)).body.data[0].reason).toBe('ok');
    const member = await at.fixture.newUser();
    expect((await get(`${member.id}/products?per_page=1`)).body.data[0]).toMatchObject({
      can_promote: false,
      reason: 'not-eligible',
    });
  });
});

test('creatives come with the kind of their files', async () => {
  const tool = (id: string, file: string) => ({ id, title: id, description: '', file });
  const product = await promoted({
    tools: [
      tool('banner', 'https://cdn.example/a.PNG?v=2'),
      tool('clip', '/clip.mp4'),
      tool('guide', '/guide.pdf'),
      tool('page', 'https://cdn.example/page'),
    ],
  });
  const { body } = await get(`${stage.at.seller.id}/creatives?product_id=${product.id}`);
  expect(body.data.map(({ id, type }: { id: string; type: string }) => [id, type])).toEqual([
    ['banner', 'image'],
    ['clip', 'video'],
    ['guide', 'document'],
    ['page', 'other'],
  ]);
  expect((await get(`${stage.at.seller.id}/creatives`)).status).toBe(400);
});
