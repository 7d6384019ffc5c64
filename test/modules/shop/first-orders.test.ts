import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { buy, fieldsOf, orderIdsOf, orderPath, send } from './buyer.ts';
import { takeMessages } from './member.ts';
import { visit } from './visitor.ts';

const opened = useStoreFixture();
let relay: Awaited<ReturnType<typeof takeMessages>>;
let product: { id: number; slug: string };

beforeAll(async () => {
  const { fixture } = opened;
  product = await fixture.newProduct({ title: 'Course', price: 100_000 });
  for (const code of ['WELCOME', 'HELLO']) {
    const rule = { first_order_only: true };
    await fixture.api.post('/coupons', { code, discount: { type: 'percentage', value: 30 }, rule });
  }
  relay = await takeMessages(fixture);
});
afterAll(() => relay.close());

const buyAsStranger = async (email: string) =>
  orderPath(await buy(opened.fixture.store, product.slug, { email }));

/** Buys with a coupon, by the link that the address gets. */
async function buyByLink(email: string, coupon: string) {
  const { store } = opened.fixture;
  const typed = { name: 'Dewi Kartika', email, coupon };
  const priced = await send(store, product.slug, { ...typed, action: 'price' });
  await send(store, product.slug, { ...fieldsOf(priced.text), ...typed, action: 'order' });
  const [link = ''] =
    /\/checkout\/[\w-]+\?link=[\w.-]+/.exec((await relay.sent()).join('\n')) ?? [];
  const page = await visit(store, link);
  return orderPath(await send(store, product.slug, { ...fieldsOf(page.text), action: 'order' }));
}

/** The code of the refusal of a coupon for first orders, or undefined. */
async function refusal(user_id: number, coupon_code = 'WELCOME'): Promise<string | undefined> {
  const order = { product_id: product.id, user_id, coupon_code };
  return (await opened.fixture.api.post('/orders', order)).body.code;
}

describe('A coupon for first orders', () => {
  test("stays valid after an unpaid order that a stranger placed with the buyer's address", async () => {
    const { fixture } = opened;
    const { id: user_id } = await fixture.newUser({ email: 'owner@people.example' });
    expect(await buyAsStranger('owner@people.example')).toContain('/order/');
    const { body } = await fixture.api.post('/checkout/calculate', {
      ...{ product_id: product.id, user_id, coupon: 'WELCOME' },
    });
    expect(body.data.coupon).toMatchObject({ valid: true });
    expect(await refusal(user_id)).toBeUndefined();
    expect(await refusal(user_id, 'HELLO')).toBe('coupon_first_order_only');
  });

  test('is refused after a paid order of the shop', async () => {
    const { fixture } = opened;
    const { id: user_id } = await fixture.newUser({ email: 'payer@people.example' });
    await buyAsStranger('payer@people.example');
    const [order] = await orderIdsOf(fixture.store, 'payer@people.example');
    await fixture.api.patch(`/orders/${order}`, { status: 'completed' });
    expect(await refusal(user_id)).toBe('coupon_first_order_only');
  });

  test('is refused after an unpaid order of the shop with such a coupon', async () => {
    const { id: user_id } = await opened.fixture.newUser({ email: 'mailed@people.example' });
    expect(await buyByLink('mailed@people.example', 'WELCOME')).toContain('/order/');
    for (const code of ['WELCOME', 'HELLO'])
      expect(await refusal(user_id, code)).toBe('coupon_first_order_only');
  });

  test('is refused after an unpaid order of the API', async () => {
    const { fixture } = opened;
    const { id: user_id } = await fixture.newUser();
    await fixture.api.post('/orders', { product_id: product.id, user_id });
    expect(await refusal(user_id)).toBe('coupon_first_order_only');
  });
});
