import { beforeAll, expect, test } from 'vitest';
import { pages } from '../../../src/endpoints.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { visit } from './visitor.ts';

const opened = useStoreFixture();
const hostile = `<img src=x onerror=alert(1)>"'`;
let slug: string;

beforeAll(async () => {
  const { slug: made } = await opened.fixture.newProduct({
    title: hostile,
    description: `First ${hostile}\n\nSecond`,
    excerpt: hostile,
    image_url: 'https://pictures.example/a.jpg',
  });
  slug = made;
});

test('GET / shows the shop to a browser and the service to programs, and sends Vary', async () => {
  const { store } = opened.fixture;
  const page = await visit(store, '/');
  expect([page.status, page.trips]).toEqual([200, 1]);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.text).toContain(`/product/${slug}`);
  expect(page.headers.get('vary')).toBe('Accept-Language, Accept');
  for (const accept of ['*/*', 'application/json']) {
    const answer = await visit(store, '/', { headers: { accept } });
    expect(JSON.parse(answer.text)).toHaveProperty('api_base');
    expect(answer.headers.get('vary')).toBe('Accept');
  }
});

test('every page leads to the account, also out of a frame', async () => {
  for (const path of ['/', '/product/unknown', '/account']) {
    const { text } = await visit(opened.fixture.store, path);
    expect(text).toContain('<a class="small" href="/account" target="_top">Your account</a>');
  }
});

test('texts of products are escaped, and the policy lets no other code run', async () => {
  const { store } = opened.fixture;
  for (const path of ['/', `/product/${slug}`]) {
    const { text, headers } = await visit(store, path);
    expect(text).not.toContain('<img src=x');
    expect(text).toContain('&lt;img src=x');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain("img-src 'self' https://pictures.example;");
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/<script(?! src)|<style| style=| on[a-z]+="/);
    expect(headers.get('set-cookie')).toBeNull();
  }
});

test('The shop names the price of a term for a subscription with a price of its own, as its checkout does', async () => {
  const { fixture } = opened;
  const subscription = {
    active: true,
    regular: { duration: 1, period: 'monthly', price: 5_000 },
  };
  const fields = { payment_type: 'recurring', subscription };
  for (const [title, price] of [
    ['Club for members', 0],
    ['Club for all', 9_900],
  ] as const) {
    const club = await fixture.newProduct({ ...fields, title, price });
    const page = (await visit(fixture.store, `/product/${club.slug}`)).text;
    expect(page).toMatch(/<strong>\$50\.00<\/strong><span class="faint"> every month/);
    expect(page).toContain('>Buy</a>');
    const [, shown = ''] = (await visit(fixture.store, '/')).text.split(`/product/${club.slug}`);
    expect(shown.split('</li>')[0]).toContain('<strong>$50.00</strong>');
    expect((await visit(fixture.store, `/checkout/${club.slug}`)).text).toContain('$50.00');
  }
});

test('The shop names the number of payments of a plan in both languages', async () => {
  const { fixture } = opened;
  const regular = { duration: 2, period: 'monthly', price: 0 };
  const { slug } = await fixture.newProduct({
    ...{ title: 'School', price: 100_000, payment_type: 'recurring' },
    subscription: { active: true, payments: 4, regular },
  });
  const textOf = async (path: string, language: string) =>
    (await visit(fixture.store, path, { headers: { 'accept-language': language } })).text.replace(
      /<[^>]+>/g,
      '',
    );
  for (const path of [`/product/${slug}`, '/']) {
    expect(await textOf(path, 'en')).toContain('4 payments of $1,000.00, one every 2 months');
    expect(await textOf(path, 'id')).toMatch(/4 kali pembayaran \S+, sekali tiap 2 bulan/);
  }
  expect(await textOf(`/checkout/${slug}`, 'id')).toMatch(
    /Selanjutnya 3 kali pembayaran \S+, sekali tiap 2 bulan\./,
  );
});

test('the checkout names each line of a price in the language of its reader alone', async () => {
  const { fixture } = opened;
  const { slug } = await fixture.newProduct({
    ...{ title: 'Klub', payment_type: 'recurring', tax: { enabled: true, rate: 11.5 } },
    subscription: {
      active: true,
      regular: { duration: 1, period: 'monthly', price: 10_000 },
      signup: { active: true, fee: 500 },
    },
  });
  const linesIn = async (language: string) => {
    const headers = { 'accept-language': language };
    const { text } = await visit(fixture.store, `/checkout/${slug}`, { headers });
    return [...text.matchAll(/<th scope="row">(.*?)<\/th>/g)].map(([, shown = '']) =>
      shown.replaceAll(/<[^>]*>/g, ''),
    );
  };
  expect(await linesIn('id')).toEqual(['Harga Klub', 'Biaya pendaftaran', 'Pajak 11,5%', 'Total']);
  expect(await linesIn('en')).toEqual(['Price Klub', 'Sign-up fee', 'Tax 11.5%', 'Total']);
});

test('GET /product/{slug} takes one trip, and answers in the language of its reader', async () => {
  const { store } = opened.fixture;
  const english = await visit(store, `/product/${slug}?coupon=A`);
  expect([english.status, english.trips]).toEqual([200, 1]);
  expect(english.text).toContain(`href="/checkout/${slug}?coupon=A"`);
  expect(english.text).toContain('lang="en"');
  const headers = { 'accept-language': 'id-ID,id;q=0.9,en;q=0.8' };
  const indonesian = await visit(store, `/product/${slug}`, { headers });
  expect(indonesian.text).toContain('lang="id"');
  expect(indonesian.text).toContain('>Beli</a>');
});

test('a product that is a draft, deleted or unknown answers 404 with a page', async () => {
  const { fixture } = opened;
  const { slug: draft } = await fixture.newProduct({ status: 'draft' });
  for (const path of [draft, 'nothing', '%F0%9F', encodeURIComponent('a\0b'), 'x'.repeat(300)]) {
    const page = await visit(fixture.store, `/product/${path}`);
    expect([400, 404], path).toContain(page.status);
    expect(page.headers.get('content-type'), path).toContain('text/html');
  }
});

test('pages have the name, the colour and the links of the store, without inline styles', async () => {
  const { fixture } = opened;
  const plain = await visit(fixture.store, '/');
  expect(plain.text).not.toMatch(/shop\/colors|<footer/);
  await fixture.set('shop_color', '#ffd000');
  await fixture.set('shop_terms_url', 'https://demo.example/terms?a=1&b=2');
  await fixture.set('shop_logo_url', 'https://pictures.example/logo.png');
  for (const path of ['/', `/product/${slug}`, `/checkout/${slug}`]) {
    const { text, headers } = await visit(fixture.store, path);
    expect(text, path).toContain('href="/shop/colors/ffd000.css"');
    expect(text, path).toContain('href="https://demo.example/terms?a=1&amp;b=2"');
    expect(text, path).toContain('src="https://pictures.example/logo.png"');
    expect(text, path).not.toMatch(/<style| style=/);
    expect(headers.get('content-security-policy'), path).toContain('https://pictures.example');
  }
  const sheet = await visit(fixture.store, '/shop/colors/ffd000.css');
  expect([sheet.status, sheet.trips]).toEqual([200, 0]);
  expect(sheet.headers.get('content-type')).toContain('text/css');
  for (const name of ['ffd0.css', 'ffd000', 'FFD000.css', '}body{.css'])
    expect((await visit(fixture.store, `/shop/colors/${encodeURIComponent(name)}`)).status).toBe(
      400,
    );
});

test('only the checkout and the order may be framed, and only by sites that the store lists', async () => {
  const { fixture } = opened;
  const policyOf = async (path: string) =>
    (await visit(fixture.store, path)).headers.get('content-security-policy');
  expect(await policyOf(`/checkout/${slug}`)).toContain("frame-ancestors 'none'");
  await fixture.set('shop_frame_sites', JSON.stringify(['https://blog.example']));
  expect(await policyOf(`/checkout/${slug}`)).toContain('frame-ancestors https://blog.example;');
  for (const path of ['/', `/product/${slug}`, '/account', '/order/1-0-x', '/checkout/missing'])
    expect(await policyOf(path), path).toContain("frame-ancestors 'none'");
});

test('every page of a module declares who may open it', () => {
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.map(({ access }) => access.kind)).toEqual(pages.map(() => 'open'));
});

test.each([
  ['adds a tax', {}, {}, 'Then $55.50 every month.'],
  ['sends a parcel', {}, { type: 'physical' }, 'Then $75.50 every month.'],
  [
    'begins with a trial and a sign-up',
    {
      tryout: { active: true, duration: 7, period: 'daily', first_only: true },
      signup: { active: true, fee: 1_000 },
    },
    {},
    'After the trial $65.50, with the sign-up fee. Then $55.50 every month.',
  ],
  [
    'sends one parcel, paid in instalments',
    { payments: 3 },
    { type: 'physical' },
    'Then 2 more payments of $55.50, one every month.',
  ],
  ['is paid twice', { payments: 2 }, {}, 'Then 1 more payment of $55.50.'],
])(
  'The checkout of a subscription that %s names what further terms cost in all',
  async (_, parts, fields, text) => {
    const { fixture } = opened;
    const regular = { duration: 1, period: 'monthly', price: 5_000 };
    const club = await fixture.newProduct({
      payment_type: 'recurring',
      tax: { enabled: true, rate: 11, inclusive: false },
      subscription: { active: true, regular, ...parts },
      shipping: { active: true, options: [{ id: 'post', courier: 'Post', cost: 2_000 }] },
      ...fields,
    });
    const page = await visit(fixture.store, `/checkout/${club.slug}`);
    expect(page.text).toContain(text);
  },
);
