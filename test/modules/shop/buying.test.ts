import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { decimalText } from '../../../src/lib/money.ts';
import { long } from '../../harness/long.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { buy, fieldsOf, orderPath, orderIdsOf, send, rotatePeppers } from './buyer.ts';
import { visit } from './visitor.ts';

const opened = useStoreFixture();
let slug: string;
let product_id: number;

beforeAll(async () => {
  const { fixture } = opened;
  await fixture.set(
    'manual_accounts',
    JSON.stringify([
      { id: 'BCA', bank: 'Bank Central', owner: 'Demo Store', account_number: '1234567890' },
    ]),
  );
  await fixture.set('unique_code_enabled', true);
  ({ slug, id: product_id } = await fixture.newProduct({ title: 'Course', price: 15_000 }));
});

const ordersOf = (email: string) => orderIdsOf(opened.fixture.store, email);

test('a stranger buys in two trips, and gets the page of the order with the exact amount', async () => {
  const { fixture } = opened;
  const checkout = await visit(fixture.store, `/checkout/${slug}`);
  expect([checkout.status, checkout.trips]).toEqual([200, 1]);
  const placed = await buy(fixture.store, slug);
  expect([placed.status, placed.trips]).toEqual([303, 2]);
  const page = await visit(fixture.store, orderPath(placed));
  expect([page.status, page.trips]).toEqual([200, 1]);
  const [id = 0] = await ordersOf('dewi@people.example');
  const order = await fixture.order(id);
  expect(order.unique_code).toBeGreaterThan(0);
  const amount = decimalText(order.grand_total, 2);
  expect(page.text).toContain(`<strong>$${amount}</strong>`);
  expect(page.text).toContain(`data-copy="${amount}"`);
  expect(page.text).toContain('1234567890');
  expect(page.text).toContain('type="file"');
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(order.expires_at).toBe('2026-03-10T11:00:00.000Z');
});

test('a stranger with the address of a group’s member begins a plan at the price for everybody', async () => {
  const { fixture } = opened;
  const discount = { enabled: true, type: 'percentage', value: 20 };
  const { body } = await fixture.api.post('/user-groups', { name: 'Insiders', discount });
  const email = 'insider@people.example';
  await fixture.newUser({ email, group_id: body.data.id });
  const plan = await fixture.newProduct({
    price: 60_000,
    payment_type: 'recurring',
    subscription: { active: true, payments: 3, after: 'keep' },
  });
  await buy(fixture.store, plan.slug, { email });
  const [id = 0] = await ordersOf(email);
  const { rows } = await fixture.store.database.query(
    `select subtotal, agreed #>> '{plan,price}' as later from orders where id = $1`,
    [id],
  );
  expect(rows).toEqual([{ subtotal: '60000', later: '60000' }]);
});

test('a form that is sent twice, in parallel or in sequence, makes one order', async () => {
  const { store } = opened.fixture;
  const page = await visit(store, `/checkout/${slug}`);
  const fields = {
    ...fieldsOf(page.text),
    name: 'Twice',
    email: 'twice@people.example',
    action: 'order',
  };
  const answers = await Promise.all([1, 2, 3, 4].map(() => send(store, slug, fields)));
  answers.push(await send(store, slug, fields));
  expect(new Set(answers.map(orderPath)).size).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
  expect(await ordersOf('twice@people.example')).toHaveLength(1);
});

test('a page never has the key of the form that it answers, by which another site could open the order', async () => {
  const { store } = opened.fixture;
  const key = 'known-to-another-site';
  const email = 'lured@people.example';
  const pages = [
    await send(store, slug, { key, action: 'price' }),
    await send(store, slug, { key, email, action: 'order' }),
    await send(store, slug, { key, email, name: 'Lured', quote: '', action: 'order' }),
  ];
  expect(pages.map(({ status }) => status)).toEqual([200, 422, 409]);
  const keys = pages.map(({ text }) => fieldsOf(text)['key']);
  expect(keys).not.toContain(key);
  expect(new Set(keys).size).toBe(3);
  const placed = await buy(store, slug, { email, key: keys[2] ?? '' });
  expect(placed.status).toBe(303);
  const other = await buy(store, slug, { email: 'other-site@people.example', key });
  expect(orderPath(other)).not.toBe(orderPath(placed));
});

test('a form of another site shows the checkout, and orders nothing', async () => {
  const { store } = opened.fixture;
  const email = 'visitor@people.example';
  const from = (site: string) => buy(store, slug, { email }, { 'sec-fetch-site': site });
  const shown = await from('cross-site');
  expect(shown.status).toBe(200);
  expect(fieldsOf(shown.text)).toMatchObject({ email, name: 'Dewi Kartika' });
  expect(await ordersOf(email)).toEqual([]);
  expect((await from('same-origin')).status).toBe(303);
});

test('a price that changed since the page was shown is answered with the new total, and nothing is ordered', async () => {
  const { fixture } = opened;
  const page = await visit(fixture.store, `/checkout/${slug}`);
  await fixture.api.patch(`/products/${product_id}`, { price: 16_000 });
  const fields = { ...fieldsOf(page.text), name: 'Late', email: 'late@people.example' };
  const answer = await send(fixture.store, slug, { ...fields, action: 'order' });
  expect(answer.status).toBe(409);
  expect(answer.text).toContain('$160.00');
  expect(await ordersOf('late@people.example')).toEqual([]);
  const again = { ...fields, ...fieldsOf(answer.text), action: 'order' };
  expect((await send(fixture.store, slug, again)).status).toBe(303);
});

const plan = { payments: 3, after: 'keep' };
const tryout = { active: true, duration: 7, period: 'daily', first_only: false };
const month = { duration: 1, period: 'monthly', price: 0 };
const signup = { active: true, fee: 500 };

test.each([
  ['the number of payments', plan, { payments: 12 }, 'Then 11 more payments'],
  ['the effect of the last payment', plan, { after: 'end' }, 'Your access ends'],
  ['the length of a term', {}, { regular: { ...month, period: 'daily' } }, 'every day'],
  ['the price after a trial', { tryout }, { price: 12_000 }, 'Then $120.00 every month'],
  ['the length of a trial', { tryout }, { tryout: { ...tryout, duration: 3 } }, 'lasts 3 days.'],
  ['the sign-up fee after a trial', { tryout }, { signup }, 'After the trial $105.00, with'],
])(
  'a form orders nothing, but shows the page again, if %s changed',
  async (what, begun, to, text) => {
    const { fixture } = opened;
    const email = `${what.replaceAll(' ', '-')}@people.example`;
    const sold = await fixture.newProduct({
      ...{ price: 10_000, payment_type: 'recurring' },
      subscription: { active: true, regular: month, ...begun },
    });
    const page = await visit(fixture.store, `/checkout/${sold.slug}`);
    const change = 'price' in to ? to : { subscription: to };
    expect((await fixture.api.patch(`/products/${sold.id}`, change)).status).toBe(200);
    const form = { ...fieldsOf(page.text), name: 'Late', email, action: 'order' };
    const answer = await send(fixture.store, sold.slug, form);
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('The price or the terms have changed.');
    expect(answer.text).toContain(text);
    expect(await ordersOf(email)).toEqual([]);
    const again = { ...form, ...fieldsOf(answer.text), action: 'order' };
    const sent = await send(fixture.store, sold.slug, again);
    // A trial costs nothing, so its buyer needs a link by mail, which this store can't send.
    expect([sent.status, sent.text.includes('e-mail')]).toEqual(
      'tryout' in begun ? [409, true] : [303, false],
    );
  },
);

test('a form orders nothing, but shows the page again, if the currency changed', async () => {
  const { fixture } = opened;
  const email = 'currency@people.example';
  const form = fieldsOf((await visit(fixture.store, `/checkout/${slug}`)).text);
  await fixture.set('currency', 'SGD');
  const answer = await send(fixture.store, slug, { ...form, name: 'Late', email, action: 'order' });
  await fixture.set('currency', 'USD');
  expect(answer.status).toBe(409);
  expect(answer.text).toContain('The price or the terms have changed.');
  expect(await ordersOf(email)).toEqual([]);
});

test('an equal choice that the buyer made on the page orders it at once', async () => {
  const { fixture } = opened;
  const option = (id: string) => ({
    ...{ id, key: id, label: id, extra_price: 0, extra_weight: 0 },
    ...{ sku: '', stock: null, active: true },
  });
  const size = { id: 'size', key: 'size', label: 'Size', required: true };
  const sold = await fixture.newProduct({
    ...{ price: 10_000 },
    variants: [{ ...size, options: [option('small'), option('large')] }],
  });
  const email = 'chooser@people.example';
  const placed = await buy(fixture.store, sold.slug, { email, variant: 'large' });
  expect(placed.status).toBe(303);
  const [id = 0] = await ordersOf(email);
  expect((await fixture.order(id)).variants).toMatchObject([{ option_id: 'large' }]);
});

test('a missing value is reported at its field, and the typed values stay', async () => {
  const { store } = opened.fixture;
  const answer = await buy(store, slug, { name: 'Only "me"', email: 'nobody' });
  expect(answer.status).toBe(422);
  expect(answer.text).toContain('Enter an e-mail address');
  expect(fieldsOf(answer.text)).toMatchObject({ name: 'Only &quot;me&quot;', email: 'nobody' });
});

test('an address with an account gets the same answer as any other, and the account stays unchanged', async () => {
  const { fixture } = opened;
  const known = await fixture.newUser({ email: 'known@people.example', display_name: 'Known' });
  const answer = await buy(fixture.store, slug, { email: 'known@people.example', name: 'Typed' });
  const other = await buy(fixture.store, slug, { email: 'other@people.example', name: 'Typed' });
  expect([answer.status, answer.trips]).toEqual([other.status, other.trips]);
  const page = await visit(fixture.store, orderPath(answer));
  expect(page.text).toContain('Typed');
  expect(page.text).not.toContain('Known');
  expect(await fixture.user(known.id)).toMatchObject({ display_name: 'Known', phone: '' });
});

test('an address gets at most three unpaid orders in a store that sends no mail, and a network ten forms an hour', async () => {
  const { store } = opened.fixture;
  const email = 'many@people.example';
  for (let i = 0; i < 3; i++) expect((await buy(store, slug, { email })).status).toBe(303);
  expect((await buy(store, slug, { email })).status).toBe(429);
  const from = (i: number) => ({ 'cf-connecting-ip': `203.0.113.${i}` });
  const attempts = await Promise.all(
    Array.from({ length: 14 }, (_, i) =>
      buy(store, slug, { email: `net-${i}@people.example` }, from(i)),
    ),
  );
  expect(attempts.filter(({ status }) => status === 303)).toHaveLength(10);
  const elsewhere = { 'cf-connecting-ip': '198.51.100.7' };
  expect((await buy(store, slug, { email: 'else@people.example' }, elsewhere)).status).toBe(303);
});

long(
  'of thirty buyers of the last unit, one gets it, and the others learn that it is sold out',
  async () => {
    const { fixture } = opened;
    const { slug: last, id } = await fixture.newProduct({ title: 'Last', price: 9000, stock: 1 });
    const buyers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        buy(fixture.store, last, { email: `last-${i}@people.example` }),
      ),
    );
    expect(buyers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(buyers.filter(({ status }) => status === 409)).toHaveLength(29);
    expect((await fixture.product(id)).stock).toBe(0);
  },
);

test.each([
  ['that is sold out', { stock: 0 }, 'Sold out'],
  ['whose sale has ended', { disable_sale_time: '2020-01-01T00:00:00Z' }, 'Not for sale'],
])('the checkout of a product %s says so and has no form', async (_, fields, reason) => {
  const { fixture } = opened;
  const { slug: shut } = await fixture.newProduct({ title: 'Shut', price: 9000, ...fields });
  const page = await visit(fixture.store, `/checkout/${shut}`);
  expect(page.text).toMatch(new RegExp(`role="alert">${reason}`));
  expect(page.text).not.toMatch(/<form|<button/);
  expect((await buy(fixture.store, shut)).text).toContain(reason);
});

test('the checkout of a closed product with an access code keeps its form', async () => {
  const { fixture } = opened;
  const closed = { title: 'Club', price: 9000, enable_sale: false, access_code: 'sesame' };
  const { slug: club } = await fixture.newProduct(closed);
  expect((await visit(fixture.store, `/checkout/${club}`)).text).toContain('name="access_code"');
  expect((await buy(fixture.store, club, { access_code: 'sesame' })).status).toBe(409);
});

test("an order's link can't be guessed or altered, and ends with its buyer", async () => {
  const { fixture } = opened;
  const path = orderPath(await buy(fixture.store, slug, { email: 'gone@people.example' }));
  const [id = 0] = await ordersOf('gone@people.example');
  const bent = [
    path.replace(`${id}-`, `${id - 1}-`),
    path.replace(/.$/, (c) => (c === '0' ? '1' : '0')),
    `/order/${id}`,
  ];
  for (const address of [...bent, path.replace('-0-', '-1-')]) {
    expect((await visit(fixture.store, address)).status, address).toBe(404);
    const pay = await visit(fixture.store, `${address}/pay`, { method: 'POST' });
    expect(pay.status, address).toBe(404);
  }
  expect((await visit(fixture.store, path)).status).toBe(200);
  const { user_id } = await fixture.order(id);
  await fixture.api.delete(`/users/${user_id}`);
  expect((await visit(fixture.store, path)).status).toBe(404);
});

test('a free order is placed only after its buyer opens a link by mail', async () => {
  const { fixture } = opened;
  const { slug: free } = await fixture.newProduct({ title: 'Lesson', price: 0 });
  const answer = await buy(fixture.store, free, { email: 'free@people.example' });
  expect(answer.text).toContain('does not send e-mails yet');
  expect(await ordersOf('free@people.example')).toEqual([]);
});

test('an address gets at most three orders on delivery in a store that sends no mail, until one is completed', async () => {
  const { fixture } = opened;
  const { slug } = await fixture.newProduct({
    ...{ title: 'Cash', price: 9000, type: 'physical', cod: { active: true, fee: 100 } },
    shipping: { active: true, options: [{ id: 'post', courier: 'Post', cost: 700, cod: true }] },
  });
  const email = 'cash@people.example';
  const person = { name: 'Dewi Kartika', email, phone: '0812 3456 7890', address: 'Jl. Merdeka 1' };
  const order = async () => {
    const typed = { ...person, country: 'ID', postal_code: '40111', pay: 'cod' };
    const shown = await send(fixture.store, slug, { ...typed, action: 'price' });
    return send(fixture.store, slug, { ...fieldsOf(shown.text), ...typed, action: 'order' });
  };
  for (const status of [303, 303, 303, 429]) expect((await order()).status).toBe(status);
  const { body } = await fixture.api.get(`/orders?search=${email}`);
  const waiting = { status: 'in-progress', payment_gateway: 'cod' };
  expect(body.data).toMatchObject([waiting, waiting, waiting]);
  const path = `/orders/${body.data[0].id}`;
  expect((await fixture.api.patch(path, { status: 'completed' })).status).toBe(200);
  for (const status of [303, 429]) expect((await order()).status).toBe(status);
});

test('a form that is sent again mails an address three links at most, and never reveals its orders', async () => {
  const { fixture } = opened;
  const { store } = fixture;
  const mails: string[] = [];
  const take = async (request: IncomingMessage, answer: ServerResponse) => {
    mails.push(Buffer.concat(await request.toArray()).toString());
    answer.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const relay = createServer((request, answer) => void take(request, answer));
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  Object.assign(await store.environment, {
    REMINDER_URL: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    REMINDER_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  });
  store.restart();
  const { slug: free } = await fixture.newProduct({ title: 'Gift', price: 0 });
  const form = {
    ...fieldsOf((await visit(store, `/checkout/${free}`)).text),
    ...{ name: 'Sender', email: 'victim@people.example', action: 'order' },
  };
  const answers: number[] = [];
  for (let i = 0; i < 5; i++) answers.push((await send(store, free, form)).status);
  await store.settled();
  expect(answers).toEqual([200, 200, 200, 429, 429]);
  const links = mails.flatMap((mail) => /\/checkout\/[\w-]+\?link=[\w.-]+/.exec(mail)?.[0] ?? []);
  expect(links).toHaveLength(3);
  const dropPepper = await rotatePeppers(store);
  const page = fieldsOf((await visit(store, links[0] ?? '')).text);
  const placed = await send(store, free, { ...page, name: 'Victim', action: 'order' });
  expect(orderPath(placed)).toContain('/order/');
  expect((await visit(store, orderPath(placed))).text).toContain('Victim');
  expect(orderPath(await send(store, free, { ...page, action: 'order' }))).toBe(orderPath(placed));
  dropPepper();
  expect((await send(store, free, form)).headers.get('location')).toBeNull();
  await store.settled();
  relay.close();
});

test('the checkout asks for the fields that the store requires, and refuses a form without them', async () => {
  const { fixture } = opened;
  const { slug: parcel } = await fixture.newProduct({
    ...{ title: 'Parcel', price: 9000, type: 'physical' },
    shipping: { active: true, options: [{ id: 'post', courier: 'Post', cost: 0 }] },
  });
  await fixture.set('shop_phone', 'required');
  await fixture.set('shop_postal_code', 'required');
  const withoutPhone = await buy(fixture.store, slug, { email: 'asked@people.example', phone: '' });
  expect(withoutPhone.status).toBe(422);
  expect(withoutPhone.text).toContain('Enter one phone number.');
  const sent = { email: 'asked@people.example', address: 'Jl. Merdeka 1', country: 'ID' };
  const withoutCode = await buy(fixture.store, parcel, sent);
  expect(withoutCode.status).toBe(422);
  expect(withoutCode.text).toContain('Enter the postal code.');
  await fixture.set('shop_phone', 'off');
  await fixture.set('shop_postal_code', 'off');
  expect((await visit(fixture.store, `/checkout/${slug}`)).text).not.toContain('name="phone"');
  const page = await visit(fixture.store, `/checkout/${parcel}`);
  expect(page.text).toContain('name="phone"');
  expect(page.text).not.toContain('name="postal_code"');
  expect((await buy(fixture.store, parcel, sent)).status).toBe(303);
});

test('the checkout names for each way of shipping what the cart pays for it', async () => {
  const { fixture } = opened;
  const { slug: parcel } = await fixture.newProduct({
    ...{ title: 'Beans', price: 9000, type: 'physical', enable_quantity: true },
    shipping: {
      active: true,
      weight_g: 500,
      options: [
        { id: 'land', courier: 'Land', cost: 900, per_kg: 700 },
        { id: 'air', courier: 'Air', cost: 2000, free_above: 25_000 },
      ],
    },
  });
  const page = await visit(fixture.store, `/checkout/${parcel}`);
  expect(shippingOf(page.text)).toEqual(['Land $16.00', 'Air $20.00']);
  expect(page.text).toContain('<td class="end">$16.00</td>');
  const three = { ...fieldsOf(page.text), quantity: '3', action: 'price' };
  expect(shippingOf((await send(fixture.store, parcel, three)).text)).toEqual([
    'Land $23.00',
    'Air',
  ]);
  await fixture.api.post('/coupons', {
    ...{ code: 'SHIPFREE', discount: { type: 'fixed', value: 0, free_shipping: true } },
  });
  const free = await visit(fixture.store, `/checkout/${parcel}?coupon=SHIPFREE`);
  expect(shippingOf(free.text)).toEqual(['Land', 'Air']);
});

/** The ways of shipping as a reader sees them. */
const shippingOf = (page: string) =>
  [...page.matchAll(/name="shipping"[^>]*>(.*?)<\/label>/g)].map(([, shown = '']) =>
    shown.replaceAll(/<[^>]*>/g, ''),
  );

test('the checkout names every country, and refuses an order without one or to an unknown one', async () => {
  const { fixture } = opened;
  const { slug: parcel } = await fixture.newProduct({
    ...{ title: 'Letter', price: 9000, type: 'physical' },
    shipping: { active: true, options: [{ id: 'post', courier: 'Post', cost: 100 }] },
  });
  const sent = { email: 'letter@people.example', address: 'Jl. Merdeka 1', postal_code: '40111' };
  for (const country of ['', 'Indonesia', 'XX']) {
    const refused = await buy(fixture.store, parcel, { ...sent, country });
    expect([refused.status, country]).toEqual([422, country]);
    expect(refused.text).toContain('Choose the country.');
  }
  expect((await buy(fixture.store, parcel, { ...sent, country: 'id' })).status).toBe(303);
  await fixture.set('country', 'MY');
  const headers = { 'accept-language': 'id' };
  const page = await visit(fixture.store, `/checkout/${parcel}`, { headers });
  expect(countriesOf(page.text).length).toBeGreaterThan(230);
  expect(countriesOf(page.text)).toContain('DE Jerman');
  expect(page.text).toMatch(/<option value="MY" selected(="")?>Malaysia</);
});

test('a parcel is refused for a country that it is not sent to, and the checkout keeps asking for the address', async () => {
  const { fixture } = opened;
  const { id, slug: parcel } = await fixture.newProduct({
    ...{ title: 'Local', price: 9000, type: 'physical', cod: { active: true, fee: 100 } },
    shipping: {
      active: true,
      options: [{ id: 'post', courier: 'Post', cost: 700, cod: false, countries: ['ID'] }],
    },
  });
  const sent = { email: 'local@people.example', address: 'Jl. Merdeka 1', postal_code: '40111' };
  for (const country of ['US', 'ZZ', 'nonsense'])
    for (const pay of ['manual', 'cod']) {
      const action = { ...sent, country, pay };
      const shown = await send(fixture.store, parcel, { ...action, action: 'price' });
      expect(shown.text).toContain('name="address"');
      const refused = await send(fixture.store, parcel, {
        ...fieldsOf(shown.text),
        ...{ name: 'Dewi Kartika', phone: '0812 3456 7890', ...action, action: 'order' },
      });
      expect([refused.status, country]).toEqual([422, country]);
      expect(refused.text).toContain('Choose the country.');
    }
  expect((await fixture.api.get(`/orders?product_id=${id}`)).body.data).toEqual([]);
});

test('a product that is not sent to the country of the store is offered to the first of its own', async () => {
  const { fixture } = opened;
  const { slug: parcel } = await fixture.newProduct({
    ...{ title: 'Export', price: 9000, type: 'physical' },
    shipping: {
      active: true,
      options: [{ id: 'sea', courier: 'Sea', cost: 100, countries: ['SG', 'BN'] }],
    },
  });
  await fixture.set('country', 'ID');
  const page = await visit(fixture.store, `/checkout/${parcel}`);
  expect(countriesOf(page.text)).toEqual(['BN Brunei', 'SG Singapore']);
  expect(page.text).toMatch(/<option value="SG" selected(="")?>Singapore</);
  const sent = { email: 'export@people.example', address: 'Jalan 1', country: 'SG' };
  expect((await buy(fixture.store, parcel, sent)).status).toBe(303);
});

const countriesOf = (page: string) => {
  const [, options = ''] = /<select id="country"[^>]*>(.*?)<\/select>/s.exec(page) ?? [];
  return [...options.matchAll(/value="(\w*)"[^>]*>([^<]*)</g)].map(([, code, name]) =>
    `${code} ${name}`.trim(),
  );
};

test('the checkout reads a coupon and a phone as the API does', async () => {
  const { fixture } = opened;
  const { store } = fixture;
  await fixture.api.post('/coupons', { code: 'HEMAT10', discount: { type: 'fixed', value: 1000 } });
  const linked = await visit(store, `/checkout/${slug}?coupon=hemat10`);
  expect(linked.text).toContain('value="HEMAT10"');
  const email = 'lower@people.example';
  const fields = { ...fieldsOf(linked.text), coupon: ' “hemat10” ', action: 'price' };
  const priced = fieldsOf((await send(store, slug, fields)).text);
  const typed = { name: 'Dewi', email, phone: '０８１２ 3456 7890', action: 'order' };
  expect((await send(store, slug, { ...priced, ...typed })).status).toBe(303);
  const [id = 0] = await ordersOf(email);
  expect(await fixture.order(id)).toMatchObject({ coupon_code: 'HEMAT10', discount_total: 1000 });
  const { rows } = await store.database.query('select phone from users where email = $1', [email]);
  expect(rows).toEqual([{ phone: '0812 3456 7890' }]);
});

test('a form with its hidden field filled in orders nothing', async () => {
  const { store } = opened.fixture;
  const answer = await buy(store, slug, { email: 'bot@people.example', website: 'x' });
  expect(answer.status).toBe(400);
  expect(await ordersOf('bot@people.example')).toEqual([]);
});

test.each(['1.5', '1e30', '1e-7', 'Infinity', 'NaN', '-1', '0', '9'.repeat(10), '\0'])(
  'a checkout with %j as its quantity is a page, and offers a number of units',
  async (quantity) => {
    const { store } = opened.fixture;
    const page = await visit(store, `/checkout/${slug}?quantity=${encodeURIComponent(quantity)}`);
    const fields = { ...fieldsOf(page.text), quantity };
    const priced = await send(store, slug, { ...fields, action: 'price' });
    const ordered = await send(store, slug, { ...fields, email: 'nobody', action: 'order' });
    expect([page.status, priced.status, ordered.status]).toEqual([200, 200, 422]);
    for (const { text } of [page, priced, ordered])
      expect(fieldsOf(text)['quantity'] ?? '1').toMatch(/^[1-9]\d*$/);
  },
);

test('a form that is sent again after a rotation of the peppers makes no second order', async () => {
  const { fixture } = opened;
  const { store } = fixture;
  const { slug: course } = await fixture.newProduct({ title: 'Course' });
  const page = await visit(store, `/checkout/${course}`);
  const email = 'rotated@people.example';
  const typed = { name: 'Dewi', email, phone: '0812 3456 7890', action: 'order' };
  const form = { ...fieldsOf(page.text), ...typed };
  expect((await send(store, course, form)).status).toBe(303);
  const dropPepper = await rotatePeppers(store);
  const again = await send(store, course, form);
  expect([again.status, again.trips]).toEqual([303, 1]);
  dropPepper();
  expect(await ordersOf(email)).toHaveLength(1);
});
