import { beforeAll, expect, test } from 'vitest';
import { runJobs } from '../../../src/jobs/index.ts';
import { orderToken } from '../../../src/actions/shop/secrets.ts';
import type { Message } from '../../../src/domain/message/schemas.ts';
import { usePost } from '../../operations/messages/post.ts';
import type { WhatsAppServer } from '../../providers/messages/whatsapp.ts';
import { buy, fieldsOf, orderPath, send } from './buyer.ts';
import { visit } from './visitor.ts';

const opened = usePost(['resend', 'whatsapp'], { MODULES: 'shop' });
const kept = 'x'.repeat(32);
let product: { id: number; slug: string };

beforeAll(async () => {
  const { post } = opened;
  await post.silence('welcome', 'new-order', 'order-cancelled', 'order-completed');
  product = await post.fixture.newProduct({ title: 'Kursus', price: 350_000 });
});

const pathOf = async (order_id: number) => {
  const { authority } = await opened.post.store.services();
  return `/order/${await orderToken(order_id, 0, authority)}`;
};

const ordersOf = async (email: string) => {
  const { rows } = await opened.post.store.database.query<{ id: string }>(
    'select o.id from orders o join users u on u.id = o.user_id where u.email = $1',
    [email],
  );
  return rows.map(({ id }) => Number(id));
};

const lastSent = (medium: 'email' | 'whatsapp' = 'email') =>
  opened.post.sender(medium).sent().at(-1)?.text ?? '';

/**
 * Sends a reminder of an order.
 * @returns its message from the log
 */
async function reminded(order_id: number, fields: object): Promise<Message> {
  const { post } = opened;
  const reply = await post.fixture.api.post('/reminders', {
    order_id,
    title: 'Pay',
    content: 'Hello {{name}}\n{{order-link}}',
    ...fields,
  });
  expect(reply.status).toBe(201);
  await post.later(60);
  const [message] = (await post.log(`order_id=${order_id}`)).filter(
    ({ kind }) => kind === 'reminder',
  );
  if (!message) throw new Error('The reminder is sent.');
  return message;
}

test('the message about an unpaid order opens its page, by every medium and for every origin', async () => {
  const { post } = opened;
  const placed = await buy(post.store, product.slug, { email: 'form@people.example' });
  await post.store.settled();
  expect(lastSent('email')).toContain(`https://shop.example${orderPath(placed)}\n`);
  const { id } = await post.fixture.newOrder({
    product_id: product.id,
    user_id: (await post.newBuyer()).id,
  });
  await post.store.settled();
  const path = await pathOf(id);
  for (const medium of ['email', 'whatsapp'] as const)
    expect(lastSent(medium)).toContain(
      `See your order and how to pay for it here: https://shop.example${path}`,
    );
  const page = await visit(post.store, path);
  expect([page.status, page.text.includes('type="file"')]).toEqual([200, true]);
});

test('the message about a completed order leads to the account, where its files are', async () => {
  const { fixture } = opened.post;
  const order = await fixture.newOrder({ product_id: product.id, status: 'completed' });
  for (const medium of ['email', 'whatsapp'])
    for (const body of [{ order_id: order.id }, {}]) {
      const path = `/message-templates/order-completed/${medium}/preview`;
      const reply = await fixture.api.post(path, { language: 'en', ...body });
      expect(reply.body.data.text).toContain(
        'Everything that you bought is in your account: https://shop.example/account',
      );
    }
});

test("the message log keeps an order's link without the proof that opens it", async () => {
  const { post } = opened;
  const buyer = await post.newBuyer();
  const messages = await post.told(() =>
    post.fixture.newOrder({ product_id: product.id, user_id: buyer.id }),
  );
  expect(messages.map(({ medium }) => medium)).toEqual(['email', 'whatsapp']);
  for (const { text, order_id } of messages) {
    expect(text).toContain(`https://shop.example/order/${order_id}-0-${kept}`);
    expect((await visit(post.store, `/order/${order_id}-0-${kept}`)).status).toBe(404);
  }
});

test('a template that WhatsApp approved has the whole link as a variable', async () => {
  const { post } = opened;
  const sender = post.sender('whatsapp') as WhatsAppServer;
  sender.templates.set('pay/en', 'Pay at {{1}} now.');
  sender.isWindowOpen = false;
  const path = '/message-templates/order-placed/whatsapp';
  const approved = { name: 'pay', variables: ['order-link'] };
  const reply = await post.fixture.api.patch(path, { texts: { en: { approved } } });
  expect(reply.status).toBe(200);
  const { id: user_id } = await post.newBuyer();
  const { id } = await post.fixture.newOrder({ product_id: product.id, user_id });
  await post.store.settled();
  expect(lastSent('whatsapp')).toBe(`Pay at https://shop.example${await pathOf(id)} now.`);
  sender.isWindowOpen = true;
  await post.fixture.api.patch(path, { texts: { en: null } });
});

test('a reminder names the link to the buyer, and to nobody else', async () => {
  const { post } = opened;
  const buyer = await post.newBuyer();
  const { id } = await post.fixture.newOrder({ product_id: product.id, user_id: buyer.id });
  const path = await pathOf(id);
  await reminded(id, {});
  expect(lastSent()).toContain(path);
  const other = await post.fixture.newOrder({ product_id: product.id, user_id: buyer.id });
  const content = `{{order-link}} {{how-to-pay}} /order/${other.id}-0-${kept}`;
  await reminded(other.id, { recipient: 'other@people.example', content });
  expect(lastSent()).toContain(`/order/${other.id}-0-${kept}`);
  expect(lastSent()).not.toContain(await pathOf(other.id));
});

test('a test of a template reveals no link of a real order', async () => {
  const { post } = opened;
  const { id } = await post.fixture.newOrder({ product_id: product.id });
  await post.store.settled();
  const reply = await post.fixture.api.post('/message-templates/order-placed/email/test', {
    recipient: 'me@people.example',
    order_id: id,
  });
  expect(reply.status).toBe(201);
  await post.store.settled();
  expect(lastSent()).toContain(`/order/${id}-0-${kept}`);
});

test("the link to an order that was placed by the API stops working with its buyer's account", async () => {
  const { post } = opened;
  const buyer = await post.newBuyer();
  const { id } = await post.fixture.newOrder({ product_id: product.id, user_id: buyer.id });
  const path = await pathOf(id);
  expect((await visit(post.store, path)).status).toBe(200);
  await post.store.settled();
  await post.fixture.api.delete(`/users/${buyer.id}`);
  expect((await visit(post.store, path)).status).toBe(404);
  expect((await visit(post.store, `${path}/pay`, { method: 'POST' })).status).toBe(404);
});

/**
 * Requests the link to a purchase, and opens it.
 * @returns the fields of its page
 */
async function linked(slug: string, email: string) {
  const { post } = opened;
  const asked = await buy(post.store, slug, { email });
  expect(asked.status).toBe(200);
  await post.store.settled();
  // Messages about earlier orders may come behind the link.
  const [path = ''] = post
    .sender('email')
    .sent()
    .filter(({ to }) => to === email)
    .flatMap(({ text }) => /(?<=https:\/\/shop\.example)\/checkout\/\S+\?link=\S+/.exec(text) ?? [])
    .slice(-1);
  const page = await visit(post.store, path);
  expect([page.status, page.trips]).toEqual([200, 1]);
  return { asked, fields: { ...fieldsOf(page.text), action: 'order' } };
}

test.each([
  ['costs nothing', { price: 0 }],
  ['may be bought once a day', { price: 90_000, limit_buy_time: 86_400 }],
])(
  'a product that %s is ordered only by the mailed link, and only once',
  async (title, product_) => {
    const { post } = opened;
    const email = `${title.replaceAll(' ', '-')}@people.example`;
    const { slug } = await post.fixture.newProduct({ title, ...product_ });
    const { asked, fields } = await linked(slug, email);
    expect(await ordersOf(email)).toEqual([]);
    const placed = await send(post.store, slug, fields);
    expect([placed.status, placed.trips]).toEqual([303, 2]);
    const [id, ...others] = await ordersOf(email);
    expect(others).toEqual([]);
    expect(orderPath(placed)).toContain(`/order/${id}-0-`);
    expect((await visit(post.store, orderPath(placed))).status).toBe(200);
    expect(orderPath(await send(post.store, slug, fields))).toBe(orderPath(placed));
    const { asked: askedAgain, fields: later } = await linked(slug, email);
    expect(askedAgain.text).toBe(asked.text);
    const isFree = product_.price === 0;
    expect((await send(post.store, slug, later)).status).toBe(isFree ? 303 : 409);
    expect(await ordersOf(email)).toHaveLength(isFree ? 2 : 1);
  },
);

test('an owner of an address buys by a mailed link, whatever others ordered with the address', async () => {
  const { post } = opened;
  const email = 'attacked@people.example';
  const { slug } = await post.fixture.newProduct({ title: 'Ticket', price: 90_000 });
  for (let i = 0; i < 3; i++) expect((await buy(post.store, slug, { email })).status).toBe(303);
  const { fields } = await linked(slug, email);
  expect(await ordersOf(email)).toHaveLength(3);
  expect((await send(post.store, slug, fields)).status).toBe(303);
  expect(await ordersOf(email)).toHaveLength(4);
  const further = [];
  for (let i = 0; i < 3; i++) further.push((await buy(post.store, slug, { email })).status);
  expect(further).toEqual([200, 200, 200]);
  expect((await buy(post.store, slug, { email })).status).toBe(429);
});

/** The hours for which the last order of an address waits for its payment. */
async function hoursOf(email: string): Promise<number> {
  const id = Math.max(...(await ordersOf(email)));
  const { created_at, expires_at } = await opened.post.fixture.order(id);
  return (Date.parse(expires_at ?? '') - Date.parse(created_at)) / 3_600_000;
}

test('an order by a link that only the limit required holds its units no longer than that of a stranger', async () => {
  const { post } = opened;
  const email = 'holding@people.example';
  const { slug } = await post.fixture.newProduct({ title: 'Seat', price: 90_000, stock: 9 });
  for (let i = 0; i < 3; i++) await buy(post.store, slug, { email });
  const { fields } = await linked(slug, email);
  expect((await send(post.store, slug, fields)).status).toBe(303);
  expect(await hoursOf(email)).toBe(2);
  await post.later(2 * 3600 - 600);
  const { fields: later } = await linked(slug, email);
  await post.later(1200);
  await runJobs(await post.store.services(), () => undefined);
  expect((await post.fixture.api.get(`/orders?status=on-hold&search=${email}`)).body.data).toEqual(
    [],
  );
  expect((await send(post.store, slug, later)).status).toBe(303);
  expect(await hoursOf(email)).toBe(2);
});

test('an order that needs a link waits for its payment for days, and for hours if its address has three others', async () => {
  const { post } = opened;
  const email = 'personal@people.example';
  const { slug } = await post.fixture.newProduct({ title: 'Course', price: 90_000 });
  const discount = { value: 10, type: 'percentage' };
  const coupon = { code: 'PERSONAL', discount, limit_use_per_user: 9 };
  expect((await post.fixture.api.post('/coupons', coupon)).status).toBe(201);
  const hours: number[] = [];
  for (let i = 0; i < 4; i++) {
    const { fields } = await linked(`${slug}?coupon=PERSONAL`, email);
    expect((await send(post.store, slug, fields)).status).toBe(303);
    hours.push(await hoursOf(email));
  }
  expect(hours).toEqual([72, 72, 72, 2]);
});
