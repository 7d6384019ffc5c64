import { beforeAll, expect, test } from 'vitest';
import { formOf } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { buy, fieldsOf, orderPath } from './buyer.ts';
import { Members } from './member.ts';
import { visit } from './visitor.ts';

const opened = useStoreFixture();
let members: Members;

const accounts = [{ id: 'BCA', bank: 'BCA', owner: 'Store', account_number: '1234567890' }];

beforeAll(async () => {
  const { fixture } = opened;
  members = new Members(fixture);
  await fixture.set('manual_accounts', JSON.stringify(accounts));
});

async function addFile(product_id: number, name: string, fields: Record<string, string> = {}) {
  const form = formOf({ product_id, ...fields });
  form.append('file', new File([name], name));
  await opened.fixture.api.post('/files', form);
}

test('An order shows the files that it brought, to its buyer and to whoever has its link', async () => {
  const { fixture } = opened;
  const product = await fixture.newProduct({ title: 'Rye course' });
  await addFile(product.id, 'rye.pdf');
  const placed = await buy(fixture.store, product.slug, { email: 'rye@people.example' });
  const path = orderPath(placed);
  const id = Number(/order\/(\d+)-/.exec(path)?.[1]);
  expect((await visit(fixture.store, path)).text).not.toContain('rye.pdf');
  await fixture.api.patch(`/orders/${id}`, { status: 'completed' });
  const byLink = await visit(fixture.store, path);
  expect([byLink.status, byLink.trips]).toEqual([200, 1]);
  const [, url = ''] = /href="(https:\/\/shop\.example\/download\/[^"]+)"/.exec(byLink.text) ?? [];
  expect(await (await fixture.store.fetch(new Request(url))).text()).toBe('rye.pdf');
  const { user_id } = await fixture.order(id);
  const headers = await members.signIn(user_id);
  const own = await members.open(`/account/orders/${id}`, headers);
  expect([own.status, own.trips]).toEqual([200, 1]);
  expect(own.text).toContain('rye.pdf');
  const stranger = await members.signIn((await fixture.newUser()).id);
  expect((await members.open(`/account/orders/${id}`, stranger)).status).toBe(404);
  expect((await members.open(`/account/orders/${id}`, {})).text).toContain('sign-in link');
  await fixture.api.post(`/orders/${id}/refunds`, { amount: 15_000 });
  expect((await visit(fixture.store, path)).text).not.toContain('rye.pdf');
});

test("The link of an order opens no files that another order's variant brought", async () => {
  const { fixture } = opened;
  const variants = [
    {
      ...{ id: 'g', key: 'edition', label: 'Edition', required: true },
      options: [
        { id: 'basic', label: 'Basic', extra_price: 0, active: true },
        { id: 'pro', label: 'Pro', extra_price: 0, active: true },
      ],
    },
  ];
  const product = await fixture.newProduct({ title: 'App', variants });
  await addFile(product.id, 'pro.zip', { option_id: 'pro' });
  const email = 'variants@people.example';
  const place = async (variant: string) => {
    const path = orderPath(await buy(fixture.store, product.slug, { email, variant }));
    const id = Number(/order\/(\d+)-/.exec(path)?.[1]);
    await fixture.api.patch(`/orders/${id}`, { status: 'completed' });
    return path;
  };
  const [basic, pro] = [await place('basic'), await place('pro')];
  expect((await visit(fixture.store, pro)).text).toContain('pro.zip');
  expect((await visit(fixture.store, basic)).text).not.toContain('pro.zip');
});

test('A member frees a seat of their own licence, and nobody else does', async () => {
  const { fixture } = opened;
  const product = await fixture.newProduct({ title: 'App', license: { active: true, count: 2 } });
  const order = await fixture.newOrder({ product_id: product.id, status: 'completed' });
  const [{ code }] = (await fixture.api.get(`/licenses?user_id=${order.user_id}&reveal=true`)).body
    .data;
  await fixture.api.post('/licenses/register', { license: code, string: 'site.example' });
  const headers = await members.signIn(order.user_id);
  const seat = { license: code, string: 'site.example' };
  const stranger = await members.signIn((await fixture.newUser()).id);
  expect((await members.send('/account/seats', seat, stranger)).status).toBe(404);
  const { text } = await members.open('/account', headers);
  expect(text).toContain('site.example');
  expect(text).toContain('1 of 2 seats taken.');
  const freed = await members.send('/account/seats', seat, headers);
  expect([freed.status, freed.trips]).toEqual([302, 2]);
  expect((await members.open('/account', headers)).text).not.toContain('site.example');
});

test('The next payment of a plan is shown with its price, and without the start of a term', async () => {
  const { fixture } = opened;
  const regular = { duration: 1, period: 'monthly', price: 9000 };
  const subscription = { active: true, regular, payments: 3, after: 'keep', grace_days: 5 };
  const course = await fixture.newProduct({ payment_type: 'recurring', subscription });
  const first = await fixture.newOrder({ product_id: course.id, status: 'completed' });
  const [{ id }] = (await fixture.api.get(`/subscriptions?user_id=${first.user_id}`)).body.data;
  const headers = await members.signIn(first.user_id);
  const page = await members.open(`/account/subscriptions/${id}`, headers);
  expect(page.text).toContain('The next payment costs $90.00.');
  expect(page.text).not.toContain('It begins when');
});

test('A member pays the next term: one order is placed however often they ask, and its page opens', async () => {
  const { fixture } = opened;
  const regular = { duration: 1, period: 'monthly', price: 9000 };
  const club = await fixture.newProduct({
    title: 'Club',
    payment_type: 'recurring',
    subscription: { active: true, regular },
  });
  const first = await fixture.newOrder({ product_id: club.id, status: 'completed' });
  const [{ id }] = (await fixture.api.get(`/subscriptions?user_id=${first.user_id}`)).body.data;
  const headers = await members.signIn(first.user_id);
  const path = `/account/subscriptions/${id}`;
  const page = await members.open(path, headers);
  expect(page.trips).toBe(1);
  expect(page.text).toContain('The next term costs $90.00');
  expect(page.text).toContain('You keep access until');
  const fields = fieldsOf(page.text);
  expect(fields).toMatchObject({ pay: 'manual 9000' });
  const changed = await members.send(`${path}/renew`, { ...fields, pay: 'manual 1' }, headers);
  expect(changed.headers.get('location')).toContain('said=changed');
  const answers = await Promise.all(
    [1, 2, 3].map(() => members.send(`${path}/renew`, fields, headers)),
  );
  const places = new Set(answers.map((answer) => answer.headers.get('location')));
  expect(places.size).toBe(1);
  const stranger = await members.signIn((await fixture.newUser()).id);
  expect((await members.send(`${path}/renew`, fields, stranger)).headers.get('location')).toContain(
    'said=changed',
  );
  const [place = ''] = places;
  const order = await members.open(new URL(place ?? '').pathname, headers);
  expect(order.text).toContain('Transfer exactly this amount');
  const orders = (await fixture.api.get(`/orders?user_id=${first.user_id}`)).body.data;
  expect(orders).toHaveLength(2);
  await fixture.api.patch(`/orders/${orders[0].id}`, { status: 'completed' });
  const { body } = await fixture.api.get(`/subscriptions/${id}`);
  expect(body.data.end_date).toBe('2026-05-10T09:00:00.000Z');
});

test('The licence of a refunded order is shown as no longer valid', async () => {
  const { fixture } = opened;
  const product = await fixture.newProduct({ title: 'App', license: { active: true, count: 1 } });
  const { id, user_id } = await fixture.newOrder({ product_id: product.id, status: 'completed' });
  const headers = await members.signIn(user_id);
  expect((await members.open('/account', headers)).text).toContain('Not in use yet.');
  await fixture.api.patch(`/orders/${id}`, { status: 'refunded' });
  const { text } = await members.open('/account', headers);
  expect(text).toContain('No longer valid.');
  expect(text).not.toContain('Not in use yet.');
});

test('A total that was changed by hand is a line of its own, besides the code of the transfer', async () => {
  const { fixture } = opened;
  await fixture.set('unique_code_enabled', true);
  const { id: product_id } = await fixture.newProduct();
  const { id, user_id, unique_code } = await fixture.newOrder({ product_id });
  const { body } = await fixture.api.patch(`/orders/${id}`, { grand_total: 9500 });
  expect(unique_code).toBeGreaterThan(0);
  const headers = await members.signIn(user_id);
  const { text } = await members.open(`/account/orders/${id}`, headers);
  const lines = text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  const money = (amount: number) =>
    `${amount < 0 ? '-' : ''}$${(Math.abs(amount) / 100).toFixed(2)}`;
  expect(lines).toContain(`Transfer code ${money(unique_code)} `);
  expect(lines).toContain(`Adjustment ${money(body.data.adjustment_total)} `);
  await fixture.set('unique_code_enabled', false);
});

test('A member becomes an affiliate if the store allows it, and sees links and earnings', async () => {
  const { fixture } = opened;
  const affiliate = { enabled: true, tiers: [{ tier: 1, fee: 10, type: 'percentage' }] };
  const product = await fixture.newProduct({ title: 'Promoted', affiliate });
  const user = await fixture.newUser();
  const headers = await members.signIn(user.id);
  const path = '/account/affiliate';
  expect((await members.open(path, headers)).text).toContain('You are not an affiliate');
  expect((await members.send(path, {}, headers)).status).toBe(403);
  await fixture.set('affiliate_sign_up', true);
  expect((await members.open(path, headers)).text).toContain('Become an affiliate');
  const joined = await members.send(path, {}, headers);
  expect([joined.status, joined.trips]).toEqual([302, 2]);
  expect((await fixture.user(user.id)).can_affiliate).toBe(true);
  const order = await fixture.newOrder({ product_id: product.id, affiliate_id: user.id });
  await fixture.api.patch(`/orders/${order.id}`, { status: 'completed' });
  await fixture.api.post('/payouts', { affiliate_id: user.id, method: 'bank', reference: 'r' });
  const page = await members.open(path, headers);
  expect([page.status, page.trips]).toEqual([200, 1]);
  expect(page.text).toContain(`/aff/${user.id}/${product.id}/sales-page`);
  for (const shown of ['$15.00', 'your own sale', 'Payouts']) expect(page.text).toContain(shown);
  await fixture.api.patch(`/orders/${order.id}`, { status: 'refunded' });
  const { text } = await members.open(path, headers);
  expect(text).toContain('To be deducted from your next payout');
  expect(text).toContain('<strong>-$15.00</strong> · your own sale · to be deducted');
  await fixture.set('affiliate_sign_up', false);
});

test('An affiliate sees their earnings first, and links only of products on sale', async () => {
  const { fixture } = opened;
  const affiliate = { enabled: true, tiers: [{ tier: 1, fee: 10, type: 'percentage' }] };
  await fixture.newProduct({ title: 'Sold', affiliate });
  await fixture.newProduct({ title: 'Off sale', affiliate, enable_sale: false });
  const headers = await members.signIn((await fixture.newAffiliate()).id);
  const { text } = await members.open('/account/affiliate', headers);
  expect(text).toContain('<h3>Sold</h3>');
  expect(text).not.toContain('Off sale');
  expect(text.indexOf('<h2>Your earnings</h2>')).toBeLessThan(text.indexOf('<h2>Your links</h2>'));
});

test('Pages of an account ask for the sign-in without a session, and are 14 kB at most', async () => {
  const { fixture } = opened;
  const user = await fixture.newUser();
  const headers = await members.signIn(user.id);
  for (const path of ['/account', '/account/details', '/account/affiliate', '/account/orders/1']) {
    const open = await members.open(path, {});
    expect(open.text, path).toContain('Send me a sign-in link');
    expect(open.headers.get('cache-control')).toBe('no-store');
    const { text, trips } = await members.open(path, headers);
    const zipped = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
    expect((await new Response(zipped).arrayBuffer()).byteLength, path).toBeLessThan(14_336);
    expect(trips, path).toBe(1);
  }
});

test('The account renews by a way to ship that is still offered, and says when none is left', async () => {
  const { fixture } = opened;
  const way = (id: string, cost: number, countries: string[] = []) => ({
    ...{ id, courier: id, service: '', label: '', cost, per_kg: 0, free_above: null, countries },
    ...{ etd_days_min: 0, etd_days_max: 1, cod: false },
  });
  const shipping = (...options: object[]) => ({ active: true, options });
  const club = await fixture.newProduct({
    ...{ title: 'Box', type: 'physical', price: 9000, payment_type: 'recurring' },
    subscription: { active: true, regular: { duration: 1, period: 'monthly', price: 0 } },
    shipping: shipping(way('post', 500)),
  });
  const address = { receiver: 'Ani', phone: '1', address: 'Jl. 1', postal_code: '1' };
  const first = await fixture.newOrder({
    ...{ product_id: club.id, status: 'completed' },
    shipping: { option_id: 'post', country: 'ID', ...address },
  });
  const [{ id }] = (await fixture.api.get(`/subscriptions?user_id=${first.user_id}`)).body.data;
  const headers = await members.signIn(first.user_id);
  const path = `/account/subscriptions/${id}`;
  const shown = async (...options: object[]) => {
    await fixture.api.patch(`/products/${club.id}`, { shipping: shipping(...options) });
    const page = await members.open(path, headers);
    expect(page.trips).toBe(1);
    return page.text;
  };
  const before = await shown(way('post', 500));
  expect(before).toContain('The next term costs $95.00');
  const stranded = await shown(way('abroad', 100, ['SG']));
  expect(stranded).toContain('This can no longer be sent to your country');
  expect(stranded).not.toContain('/renew');
  const sent = await members.send(`${path}/renew`, fieldsOf(before), headers);
  expect(sent.headers.get('location')).toContain('said=changed');
  const after = await shown(way('abroad', 100, ['SG']), way('van', 700), way('air', 900));
  expect(after).toContain('The next term costs $97.00');
  const placed = await members.send(`${path}/renew`, fieldsOf(after), headers);
  expect(placed.headers.get('location')).toContain('/account/orders/');
  const [renewal] = (await fixture.api.get(`/orders?user_id=${first.user_id}`)).body.data;
  expect(renewal).toMatchObject({
    shipping_total: 700,
    shipping: { option_id: 'van', ...address },
  });
});

test('The receipt of an order shows what was refunded, and what remains', async () => {
  const { fixture } = opened;
  const { id: product_id } = await fixture.newProduct({ price: 9000 });
  const { id, user_id } = await fixture.newOrder({ product_id, status: 'completed' });
  const headers = await members.signIn(user_id);
  const receipt = async () => (await members.open(`/account/orders/${id}`, headers)).text;
  expect(await receipt()).not.toContain('Refund');
  await fixture.api.post(`/orders/${id}/refunds`, { amount: 2500 });
  expect(await receipt()).toMatch(/Refunds<.*\$25\.00<.*Total after refunds<.*\$65\.00</s);
  await fixture.api.post(`/orders/${id}/refunds`, {});
  expect(await receipt()).toMatch(/Refunds<.*\$90\.00<.*Total after refunds<.*\$0\.00</s);
});

test("The pages of a renewal show its subscription's files, as long as the subscription gives access", async () => {
  const { fixture } = opened;
  const regular = { duration: 1, period: 'monthly', price: 0 };
  const product = await fixture.newProduct({
    ...{ title: 'Magazine', payment_type: 'recurring', subscription: { active: true, regular } },
  });
  await addFile(product.id, 'issue.pdf');
  const { id: user_id } = await fixture.newUser();
  const order = { product_id: product.id, user_id, status: 'completed' };
  const first = await fixture.newOrder(order);
  const renewal = await fixture.newOrder({ ...order, order_parent_id: first.id });
  const open = await fixture.newOrder({ ...order, order_parent_id: first.id, status: 'on-hold' });
  const headers = await members.signIn(user_id);
  const shows = async (id: number) =>
    (await members.open(`/account/orders/${id}`, headers)).text.includes('issue.pdf');
  expect(await shows(first.id)).toBe(true);
  expect(await shows(renewal.id)).toBe(true);
  expect(await shows(open.id)).toBe(false);
  fixture.store.clock.advance(70 * 86_400);
  const later = await members.signIn(user_id);
  expect((await members.open(`/account/orders/${renewal.id}`, later)).text).not.toContain(
    'issue.pdf',
  );
});
