import { beforeAll, describe, expect, test } from 'vitest';
import { nothing, percentages, useAffiliateShop } from '../../harness/affiliates.ts';

const stage = useAffiliateShop();

const get = (path: string) => stage.at.shop.api.get(`/affiliates/${path}`);
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
  test('lead to the sales page, the checkout and the pages the product names', async () => {
    const { seller } = stage.at;
    const product = await promoted({}, { slug: 'selling', title: 'Selling' });
    const { body, trips } = await get(`${seller.id}/links?product_id=${product.id}`);
    expect(trips).toBe(1);
    const base = `${store}/aff/${seller.id}/${product.id}`;
    const link = (key: string, label: string, description: string, link: string) => ({
      ...{ key, label, description, link },
      ...{ affiliate_link: `${base}/${key}`, product_id: product.id },
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

  test('never lead to what is no web address, nor take the place of the store’s own', async () => {
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
        const reply = await stage.at.shop.api.patch(`/products/${product.id}`, { affiliate });
        expect(reply, link).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      }
    }
  });

  test('of all products are listed where none is named', async () => {
    const product = await promoted();
    const { body } = await get(`${stage.at.seller.id}/links`);
    expect(body.data[0].product_id).toBe(product.id);
    expect(new Set(body.data.map((link: { product_id: number }) => link.product_id)).size).toBe(3);
  });

  test('need an affiliate, a product of the programme and a page of it', async () => {
    const { seller } = stage.at;
    const product = await promoted();
    const closed = await stage.at.shop.newProduct();
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

describe('What an affiliate has earned', () => {
  test('is told for all time, some days and a product', async () => {
    const { at } = stage;
    const person = await at.shop.newAffiliate({ display_name: 'Ed', bank_info: 'BCA 1' });
    const first = await at.newCourse({ tiers: percentages(20), hold_days: 0 });
    const second = await at.newCourse({ tiers: percentages(10) });
    const sell = (product: { id: number }) =>
      at.shop.newOrder({ product_id: product.id, affiliate_id: person.id });
    await at.change(await sell(first), { status: 'completed' });
    await at.payOut(person);
    at.shop.store.clock.advance(86_400);
    await at.change(await sell(first), { status: 'completed' });
    await at.change(await sell(second), { status: 'completed' });
    await at.change(await sell(second), { status: 'cancelled' });
    await sell(second);
    const today = at.shop.store.clock.now().toISOString().slice(0, 10);
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
    const fresh = await at.shop.newAffiliate();
    expect(await at.balances(fresh)).toEqual(nothing);
    expect((await get('999999/commission-info')).status).toBe(404);
  });
});

describe('A lookup', () => {
  test('finds an affiliate by id, e-mail, phone or the code of a coupon', async () => {
    const { at } = stage;
    const { api } = at.shop;
    const group = (await api.post('/user-groups', { name: 'Team' })).body.data;
    const person = await at.shop.newAffiliate({
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

  test('answers 404 for nobody, 409 for several, 400 for no or two questions', async () => {
    const { shop } = stage.at;
    await shop.newUser({ phone: '12345' });
    await shop.newUser({ phone: '12345' });
    expect((await get('lookup?coupon=NOBODYS')).status).toBe(404);
    expect((await get('lookup?phone=12345')).body.code).toBe('rest_ambiguous');
    expect((await get('lookup')).status).toBe(400);
    expect((await get('lookup?id=1&coupon=A')).status).toBe(400);
  });
});

describe('Products to promote', () => {
  test('say what each tier earns, from where, and whether one may', async () => {
    const { at } = stage;
    const { body } = await at.shop.api.post('/user-groups', {
      name: 'Best',
      commissions: percentages(40),
    });
    const person = await at.shop.newAffiliate({ group_id: body.data.id });
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
    const own = await at.shop.newOrder({ product_id: asking.id, user_id: person.id });
    await at.change(own, { status: 'completed' });
    expect((await get(`${person.id}/products?per_page=1`)).body.data[0].reason).toBe('ok');
    const member = await at.shop.newUser();
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

describe('Rankings', () => {
  let people: number[];
  let products: number[];

  beforeAll(async () => {
    const { at } = stage;
    await at.shop.store.database.query('delete from affiliate_sales');
    await at.shop.set('currency_exponent', 2);
    at.shop.store.clock.set('2026-05-31T23:00:00Z');
    const names = ['Ana', 'Ben', 'Cid', 'Dan'];
    people = [];
    for (const display_name of names)
      people.push((await at.shop.newAffiliate({ display_name })).id);
    products = [(await promoted()).id, (await promoted({}, { price: 30_000 })).id];
    const [ana, ben, cid] = people;
    const sell = async (affiliate_id: number | undefined, product: number, more: object = {}) => {
      const product_id = products[product] ?? 0;
      const order = await at.shop.newOrder({ product_id, affiliate_id, ...more });
      await at.change(order, { status: 'completed' });
      return order;
    };
    await sell(ana, 0);
    await sell(ben, 0);
    at.shop.store.clock.advance(86_400);
    await sell(ana, 1, { quantity: 5 });
    await sell(ben, 1);
    await at.refund(await sell(cid, 0), 40_000);
    // What isn't paid, or was cancelled or refunded in full, doesn't count.
    await at.shop.newOrder({ product_id: products[0] ?? 0, affiliate_id: cid });
    await at.refund(await sell(cid, 0));
  });

  const board = async (query: string) => {
    const { body, trips } = await get(`leaderboard?${query}`);
    expect(trips).toBe(1);
    return body.data.map((place: { rank: number; name: string; raw_total: number }) => [
      ...[place.rank, place.name, place.raw_total],
    ]);
  };

  test('count orders, totals, items or revenue; who sold the same shares a rank', async () => {
    expect(await board('')).toEqual([
      [1, 'Ana', 2],
      [1, 'Ben', 2],
      [3, 'Cid', 1],
    ]);
    expect(await board('calculate=quantity')).toEqual([
      [1, 'Ana', 6],
      [2, 'Ben', 2],
      [3, 'Cid', 1],
    ]);
    expect(await board('calculate=total')).toEqual([
      [1, 'Ana', 250_000],
      [2, 'Ben', 130_000],
      [3, 'Cid', 100_000],
    ]);
    expect(await board('calculate=revenue&limit=2')).toEqual([
      [1, 'Ana', 250_000],
      [2, 'Ben', 130_000],
    ]);
    expect((await board('calculate=revenue'))[2]).toEqual([3, 'Cid', 60_000]);
  });

  test('are of a product, of whole months or of any days', async () => {
    expect(await board(`product_id=${products[1]}&calculate=quantity`)).toEqual([
      [1, 'Ana', 5],
      [2, 'Ben', 1],
    ]);
    const may = [
      [1, 'Ana', 1],
      [1, 'Ben', 1],
    ];
    const june = [...may, [1, 'Cid', 1]];
    expect(await board('date_start=2026-05-01&date_end=2026-05-31')).toEqual(may);
    expect(await board('date_end=2026-05-31')).toEqual(may);
    expect(await board('date_start=2026-06-01')).toEqual(june);
    expect(await board('date_start=2026-05-02&date_end=2026-05-31')).toEqual(may);
    expect(await board('date_start=2026-06-01&date_end=2026-06-01')).toEqual(june);
    expect(await board('date_start=2026-05-31&date_end=2026-06-01')).toHaveLength(3);
    const [first, second] = products.map((id) => `product_id=${id}`);
    expect(await board(`date_start=2026-05-31&date_end=2026-05-31&${second}`)).toEqual([]);
    expect(await board(`date_start=2026-05-31&${first}`)).toHaveLength(3);
    expect(await board(`date_start=2026-05-01&${first}`)).toHaveLength(3);
    expect(await board(`date_end=2026-06-30&${second}`)).toEqual(may);
    for (const date_end of ['2026-06-30', '2026-07-15']) {
      expect(await board(`date_start=2026-05-15&date_end=${date_end}`)).toEqual(await board(''));
    }
    expect(await board('date_start=2026-04-15&date_end=2026-05-31')).toEqual(may);
    expect(await board('date_start=2026-04-15&date_end=2026-05-30')).toEqual([]);
    expect(await board('date_start=2026-07-01')).toEqual([]);
    expect(await board('date_start=2026-06-30&date_end=2026-05-01')).toEqual([]);
    expect(await board(`date_end=2026-04-30&${first}`)).toEqual([]);
    expect(await get('leaderboard?date_start=2026-05-01T00:00:00Z')).toMatchObject({
      status: 400,
      body: { data: { params: { date_start: 'must be a date (YYYY-MM-DD)' } } },
    });
  });

  test('show amounts with their currency', async () => {
    const { body } = await get('leaderboard?calculate=total&limit=1');
    expect(body.data).toEqual([
      {
        ...{ rank: 1, id: people[0], name: 'Ana', image: '' },
        ...{ raw_total: 250_000, total: 'USD 2,500.00' },
      },
    ]);
    const orders = await get('leaderboard?limit=1');
    expect(orders.body.data[0].total).toBe('2');
  });

  test('tell an affiliate where they stand and what the next place takes', async () => {
    const rank = async (person: number | undefined, query = '') =>
      (await get(`${person}/rank?${query}`)).body.data;
    expect(await rank(people[2])).toEqual({
      affiliate_id: people[2],
      rank: 3,
      of: 3,
      raw_total: 1,
      total: '1',
      next: { rank: 1, gap: 1 },
    });
    expect(await rank(people[0])).toMatchObject({ rank: 1, next: null });
    expect(await rank(people[1], 'calculate=total')).toMatchObject({
      ...{ rank: 2, of: 3, total: 'USD 1,300.00', next: { rank: 1, gap: 120_000 } },
    });
    expect(await rank(people[3])).toMatchObject({
      ...{ rank: null, of: 3, raw_total: 0, next: { rank: 3, gap: 1 } },
    });
    expect((await get('999999/rank')).status).toBe(404);
  });

  test.each(['calculate=luck', 'date_start=yesterday', 'date_end=2026-05-31T00:00:00Z', 'limit=0'])(
    'refuse %s',
    async (query) => {
      expect((await get(`leaderboard?${query}`)).status).toBe(400);
    },
  );
});
