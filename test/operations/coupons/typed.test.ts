import { beforeAll, expect, test } from 'vitest';
import { useCoupons } from './stage.ts';

const { opened, api, product, seller, coupon, buy, created } = useCoupons();
const off = { discount: { value: 10, type: 'percentage' } };

let code: string;

beforeAll(async () => {
  await opened.fixture.set('site_url', 'https://store.example');
  code = await coupon({ ...off, user_id: seller() });
});

/** Spellings of a code from keyboards, mails and documents. */
const typings: [string, (code: string) => string][] = [
  ['a blank behind it', (text) => `${text} `],
  ['a blank before it', (text) => ` ${text}`],
  ['a tab and a line break', (text) => `\t${text}\n`],
  ['a no-break space', (text) => `${text}\u00a0`],
  ['a zero-width space', (text) => `\u200b${text}\ufeff`],
  ['small letters', (text) => `${text.toLowerCase()} `],
  ['an en dash', (text) => text.replace('-', '–')],
  ['marks on its letters', (text) => text.replace(/[AEIOU]/, (letter) => `${letter}\u0301`)],
  ['quotes around it', (text) => `“${text}”`],
];

test.each(typings)('a coupon is found by its code with %s, in every operation', async (_, as) => {
  const typed = as(code);
  const asked = encodeURIComponent(typed);
  const verdict = { code, valid: true, value: 1000 };
  const calculated = await api().post('/checkout/calculate', {
    product_id: product(),
    coupon: typed,
  });
  expect(calculated.body.data.coupon).toMatchObject(verdict);
  const quote = await api().get(`/checkout/quote?product_id=${product()}&coupon=${asked}`);
  expect(quote.body.data.coupon).toMatchObject(verdict);
  expect(await buy(typed)).toMatchObject({
    status: 201,
    body: { data: { discount_total: 1000, coupon_code: code } },
  });
  expect((await api().get(`/coupons/${asked}`)).body.data).toMatchObject({ code });
  expect((await api().get(`/affiliates/lookup?coupon=${asked}`)).body.data.affiliate_id).toBe(
    seller(),
  );
  const link = await api().get(
    `/affiliates/${seller()}/link?product_id=${product()}&coupon=${asked}`,
  );
  expect(link.body.data.affiliate_link).toMatch(`?coupon=${code}`);
  const search = await api().get(`/coupons?search=${encodeURIComponent(` ${typed}\u200b`)}`);
  expect(search.body.data).toMatchObject([{ code }]);
});

test('a coupon is found by its id with a blank behind it', async () => {
  const { id } = (await api().get(`/coupons/${code}`)).body.data;
  expect((await api().get(`/coupons/${id}%20`)).body.data.code).toBe(code);
});

test("a coupon can't be used by its id, which buyers could guess", async () => {
  const { id } = (await api().get(`/coupons/${code}`)).body.data;
  const unknown = { valid: false, reason: 'coupon_not_found' };
  const cart = { product_id: product(), coupon: String(id) };
  const calculated = await api().post('/checkout/calculate', cart);
  expect(calculated.body.data.coupon).toMatchObject(unknown);
  const quote = await api().get(`/checkout/quote?product_id=${product()}&coupon=${id}`);
  expect(quote.body.data.coupon).toMatchObject(unknown);
  expect((await buy(String(id))).body.code).toBe('coupon_not_found');
});

test('an affiliate link passes on a coupon that has a blank behind it', async () => {
  const reply = await opened.fixture.store
    .client()
    .get(`//aff/${seller()}/${product()}/checkout?coupon=${code}%20`);
  expect(new URL(reply.headers.get('location') ?? '').searchParams.get('coupon')).toBe(code);
});

test('a search for blanks alone is ignored', async () => {
  const all = await api().get('/coupons');
  const blank = await api().get('/coupons?search=%20%C2%A0');
  expect(blank.body.data).toEqual(all.body.data);
});

test('an e-mail address is stored and looked up without blanks around it', async () => {
  const id = await created('/users', { email: ' Blank@x.example\u200b' });
  const found = await api().get(`/users/lookup?email=${encodeURIComponent('blank@x.example ')}`);
  expect(found.body.data).toMatchObject({ id, email: 'blank@x.example' });
});

test('a closed product opens for its access code with blanks around it', async () => {
  const closed = await created('/products', {
    title: 'Closed',
    price: 1,
    enable_sale: false,
    access_code: 'Open sesame ',
  });
  const cart = { product_id: closed, access_code: ' Open sesame\u00a0' };
  expect((await api().post('/checkout/calculate', cart)).status).toBe(200);
});
