import { describe, expect, test } from 'vitest';
import { runJobs } from '../../../src/jobs/index.ts';
import { useAffiliateStore } from '../../harness/affiliates.ts';

const stage = useAffiliateStore();
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };

const follow = (path: string, headers: Record<string, string> = browser) =>
  stage.at.fixture.store.client().get(`//aff/${path}`, { headers });

async function clicks() {
  const { rows } = await stage.at.fixture.store.database.query(
    'select affiliate_id::int, product_id::int, target from affiliate_clicks order by id',
  );
  return rows;
}

const course = () =>
  stage.at.newCourse({
    links: [{ key: 'live', title: 'Live', description: '', link: 'https://live.example/a?b=c#d' }],
  });

describe('An affiliate link', () => {
  test('records the visit and redirects with a ref that an order can carry', async () => {
    const { at } = stage;
    const product = await course();
    const before = await clicks();
    const reply = await follow(`${at.seller.id}/${product.id}/live`);
    expect(reply.status).toBe(302);
    const location = new URL(reply.headers.get('location') ?? '');
    expect(reply.body).toEqual({ location: location.href });
    const ref = location.searchParams.get('ref') ?? '';
    expect(ref).toMatch(/^[0-9A-Za-z]{20}$/);
    expect(location.href).toBe(`https://live.example/a?b=c&ref=${ref}#d`);
    expect(reply.headers.get('set-cookie')).toBe(
      `ref=${ref}; Path=/; Max-Age=2592000; Secure; HttpOnly; SameSite=Lax`,
    );
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.trips).toBe(2);
    expect((await clicks()).slice(before.length)).toEqual([
      { affiliate_id: at.seller.id, product_id: product.id, target: 'live' },
    ]);
    const order = await at.fixture.newOrder({ product_id: product.id, ref });
    expect(order).toMatchObject({
      affiliate_id: at.seller.id,
      attribution: { affiliate_id: at.seller.id, source: 'link' },
      affiliate: { id: at.seller.id },
    });
    expect(await at.ledger(order)).toHaveLength(3);
  });

  test('ranks after a coupon and a named affiliate, and before the sponsor', async () => {
    const { at } = stage;
    const { fixture } = at;
    const product = await course();
    const reply = await follow(`${at.seller.id}/${product.id}/checkout`);
    const ref = new URL(reply.body.location).searchParams.get('ref');
    const sponsored = await fixture.newUser({ affiliate_id: at.top.id });
    const carried = { product_id: product.id, user_id: sponsored.id, ref };
    expect(await fixture.newOrder(carried)).toMatchObject({ affiliate_id: at.seller.id });
    const named = await fixture.newOrder({ ...carried, affiliate_id: at.middle.id });
    expect(named).toMatchObject({
      affiliate_id: at.middle.id,
      attribution: { source: 'explicit' },
    });
    // An unknown visit changes nothing.
    const unknown = await fixture.newOrder({ ...carried, ref: 'nobody-came-this-way' });
    expect(unknown).toMatchObject({ affiliate_id: at.top.id, attribution: { source: 'sponsor' } });
    await fixture.set('permanent_affiliate', true);
    expect(await fixture.newOrder(carried)).toMatchObject({ affiliate_id: at.top.id });
    await fixture.set('permanent_affiliate', false);
    const own = { product_id: product.id, user_id: at.seller.id, ref };
    expect(await fixture.newOrder(own)).toMatchObject({
      affiliate_id: null,
      attribution: { rejected_reason: 'self' },
    });
  });

  test('passes a coupon on', async () => {
    const product = await course();
    const { body } = await follow(`${stage.at.seller.id}/${product.id}/sales-page?coupon=save10`);
    const { origin, pathname, searchParams } = new URL(body.location);
    expect(origin + pathname).toBe(`https://store.example/product/${product.slug}`);
    expect(searchParams.get('coupon')).toBe('SAVE10');
  });

  test.each([
    ['coupon=half%20price!', null],
    ['coupon=', null],
    ['coupon=%00', null],
    ['coupon=' + 'X'.repeat(65), null],
    ['coupon=%3F%3F&coupon=save10&coupon=SAVE20', 'SAVE10'],
    ['utm_source=a%zz&utm_source=b&date_start=x', null],
  ])('redirects and counts, whatever its parameter %s says', async (query, coupon) => {
    const product = await course();
    const before = await clicks();
    const reply = await follow(`${stage.at.seller.id}/${product.id}/sales-page?${query}`);
    expect(reply.status).toBe(302);
    expect(new URL(reply.body.location).searchParams.get('coupon')).toBe(coupon);
    expect(await clicks()).toHaveLength(before.length + 1);
  });

  test('of an unknown affiliate redirects, and to an unknown product is a 404', async () => {
    const product = await course();
    for (const affiliate of ['0', 'abc', '1e99', '-5', '%20']) {
      const reply = await follow(`${affiliate}/${product.id}/checkout`);
      expect(reply.body.location, affiliate).toBe(`https://store.example/checkout/${product.slug}`);
    }
    for (const rest of [
      'abc/checkout',
      `${product.id}/a%20page!`,
      `${product.id}/${'x'.repeat(99)}`,
    ]) {
      expect((await follow(`${stage.at.seller.id}/${rest}`)).status, rest).toBe(404);
    }
  });

  test.each([
    'Googlebot/2.1 (+http://www.google.com/bot.html)',
    'facebookexternalhit/1.1',
    'WhatsApp/2.23.20.0',
    'curl/8.5.0',
    '',
  ])('redirects %j without counting it', async (agent) => {
    const product = await course();
    const before = await clicks();
    const reply = await follow(`${stage.at.seller.id}/${product.id}/live`, { 'user-agent': agent });
    expect(reply.status).toBe(302);
    expect(reply.body.location).toBe('https://live.example/a?b=c#d');
    expect(reply.headers.get('set-cookie')).toBe(null);
    expect(await clicks()).toEqual(before);
  });

  test('of a user who is not allowed to promote it redirects, but the visit is not counted', async () => {
    const { at } = stage;
    const product = await course();
    const member = await at.fixture.newUser();
    const before = await clicks();
    for (const affiliate of [member.id, 999_999]) {
      const reply = await follow(`${affiliate}/${product.id}/checkout`);
      expect(reply.body.location).toBe(`https://store.example/checkout/${product.slug}`);
    }
    expect(await clicks()).toEqual(before);
  });

  test.each(['https%3A%2F%2Fevil.example', '%2F%2Fevil.example', 'nowhere', '..%2F', 'a b'])(
    'redirects only to the pages of a product: not to %s',
    async (target) => {
      const product = await course();
      const reply = await follow(`${stage.at.seller.id}/${product.id}/${target}`);
      expect([400, 404]).toContain(reply.status);
      expect(reply.headers.get('location')).toBe(null);
    },
  );

  test('needs a published product', async () => {
    const { at } = stage;
    const draft = await at.newCourse({}, { status: 'draft' });
    expect((await follow(`${at.seller.id}/${draft.id}/checkout`)).status).toBe(404);
    expect((await follow(`${at.seller.id}/999999/checkout`)).status).toBe(404);
  });

  test('may be requested with HEAD, which counts no visit and sets no cookie', async () => {
    const product = await course();
    const before = await clicks();
    const url = `https://shop.example/aff/${stage.at.seller.id}/${product.id}/live`;
    const { fetch } = stage.at.fixture.store;
    const reply = await fetch(new Request(url, { method: 'HEAD', headers: browser }));
    expect(reply.status).toBe(302);
    expect(reply.headers.get('location')).toBeTruthy();
    expect(reply.headers.get('set-cookie')).toBeNull();
    expect(await clicks()).toEqual(before);
  });

  test('counts for the number of days in the settings, for any product of the programme', async () => {
    const { at } = stage;
    const { fixture } = at;
    const [visited, bought] = [await course(), await course()];
    await fixture.set('affiliate_link_days', 10);
    const reply = await follow(`${at.seller.id}/${visited.id}/live`);
    expect(reply.headers.get('set-cookie')).toContain('Max-Age=864000;');
    const ref = new URL(reply.body.location).searchParams.get('ref');
    const order = () => fixture.newOrder({ product_id: bought.id, ref });
    const outside = await fixture.newProduct();
    expect(await fixture.newOrder({ product_id: outside.id, ref })).toMatchObject({
      affiliate_id: null,
      attribution: { rejected_reason: 'disabled' },
    });
    fixture.store.clock.advance(10 * 86_400 - 1);
    expect(await order()).toMatchObject({ affiliate_id: at.seller.id });
    fixture.store.clock.advance(1);
    expect(await order()).toMatchObject({ affiliate_id: null, attribution: null });
    await fixture.set('affiliate_link_days', 30);
  });
});

test('Expired visits are removed, a thousand a run, and no others', async () => {
  const { at } = stage;
  const { store } = at.fixture;
  const product = await course();
  await store.database.query('delete from affiliate_clicks');
  const visits = (count: number, when: string) =>
    store.database.query(
      `insert into affiliate_clicks (ref, affiliate_id, product_id, target, at)
       select gen_random_uuid(), $1, $2, 'live', $3::timestamptz from generate_series(1, $4)`,
      [at.seller.id, product.id, when, count],
    );
  const now = store.clock.now().getTime();
  await visits(1500, new Date(now - 30 * 86_400_000).toISOString());
  await visits(3, new Date(now - 30 * 86_400_000 + 1).toISOString());
  const left = async () => {
    await runJobs(await store.services(), () => {});
    return (await clicks()).length;
  };
  expect(await left()).toBe(503);
  expect(await left()).toBe(3);
});

describe('The affiliate code of a visitor', () => {
  const landing = 'https://shop.example/lp?x=1#buy';

  const led = async (query: string, affiliate: object = { landing_page: landing }) => {
    const { at } = stage;
    const product = await at.newCourse(affiliate);
    const reply = await follow(`${at.seller.id}/${product.id}/sales-page${query}`);
    return new URL(reply.headers.get('location') ?? '');
  };

  test('is added before the fragment, with every parameter of the link, repeated ones included', async () => {
    const to = await led('?utm_source=ig&utm_campaign=a%20b&fbclid=z9&tag=1&tag=2');
    expect(to.hash).toBe('#buy');
    expect(to.searchParams.get('x')).toBe('1');
    expect(to.searchParams.get('utm_campaign')).toBe('a b');
    expect(to.searchParams.get('fbclid')).toBe('z9');
    expect(to.searchParams.getAll('tag')).toEqual(['1', '2']);
    expect(to.searchParams.get('ref')).toMatch(/^[0-9A-Za-z]{20}$/);
  });

  test('overwrites neither a ref nor a parameter of the page', async () => {
    const to = await led('?ref=forged&x=2&coupon=abc10');
    expect(to.searchParams.getAll('ref')).not.toContain('forged');
    expect(to.searchParams.getAll('x')).toEqual(['1']);
    expect(to.searchParams.getAll('coupon')).toEqual(['ABC10']);
  });

  test('is passed on even if the visit does not count, but without a ref', async () => {
    const to = await led('?utm_source=ig&ref=forged', { enabled: false, landing_page: landing });
    expect(to.searchParams.get('utm_source')).toBe('ig');
    expect(to.searchParams.has('ref')).toBe(false);
  });
});

describe('The pages of a store', () => {
  const shown = async (product: number) => {
    const { at } = stage;
    const reply = await at.fixture.api.get(
      `/affiliates/${at.seller.id}/links?product_id=${product}`,
    );
    return reply.body.data.map(({ link }: { link: string }) => link) as string[];
  };

  test('are in the folder of its site', async () => {
    const { at } = stage;
    const links = [{ key: 'blog', title: 'Blog', description: '', link: '/blog' }];
    const product = await at.newCourse({ links, landing_page: '/store/lp?a=1' });
    for (const site of ['https://shop.example/store', 'https://shop.example/store/']) {
      await at.fixture.set('site_url', site);
      expect(await shown(product.id)).toEqual([
        'https://shop.example/store/lp?a=1',
        `https://shop.example/store/checkout/${product.slug}`,
        'https://shop.example/store/blog',
      ]);
    }
    const reply = await follow(`${at.seller.id}/${product.id}/checkout`);
    expect(reply.body.location).toMatch(`https://shop.example/store/checkout/${product.slug}?ref=`);
    await at.fixture.set('site_url', 'https://store.example');
  });

  test('are left out if it has no site, except for complete addresses', async () => {
    const { at } = stage;
    const links = [{ key: 'blog', title: 'Blog', description: '', link: 'https://blog.example/x' }];
    const product = await at.newCourse({ links });
    await at.fixture.set('site_url', '');
    expect(await shown(product.id)).toEqual(['https://blog.example/x']);
    expect((await follow(`${at.seller.id}/${product.id}/checkout`)).status).toBe(404);
    const promoted = await at.fixture.api.get(`/affiliates/${at.seller.id}/products?per_page=100`);
    const its = promoted.body.data.find(
      ({ product_id }: { product_id: number }) => product_id === product.id,
    );
    expect(its.affiliate_link).toBeNull();
    await at.fixture.set('site_url', 'https://store.example');
  });
});
