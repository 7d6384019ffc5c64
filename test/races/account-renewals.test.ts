import { afterAll, beforeAll, expect } from 'vitest';
import { renewalTerms } from '../../src/domain/checkout/terms.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { long } from '../harness/long.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { fieldsOf } from '../modules/shop/buyer.ts';
import { Members } from '../modules/shop/member.ts';
import { behindLock, times, transaction } from './queue.ts';

const opened = useStoreFixture();
let members: Members;

beforeAll(() => {
  members = new Members(opened.fixture);
});

afterAll(() => expectIntegrity(opened.fixture));

const lockOf = (id: number) => `select from subscriptions where id = ${id} for update`;

const van = {
  ...{ id: 'van', courier: 'van', service: '', label: '', cost: 500, per_kg: 0, free_above: null },
  ...{ etd_days_min: 0, etd_days_max: 1, cod: true, countries: [] },
};
const box = {
  ...{ type: 'physical', cod: { active: true, fee: 0 } },
  shipping: { active: true, options: [van] },
};
const shipping = {
  ...{ option_id: 'van', country: 'ID', receiver: 'Ani', phone: '1' },
  ...{ address: 'Jl. 1', postal_code: '1' },
};

async function newSubscription(product: object = {}, order: object = {}) {
  const { fixture } = opened;
  const regular = { duration: 1, period: 'monthly', price: 9000 };
  const subscription = { active: true, regular };
  const { id: product_id } = await fixture.newProduct({ subscription, ...product });
  const first = await fixture.newOrder({ product_id, status: 'completed', ...order });
  const { body } = await fixture.api.get(`/subscriptions?product_id=${product_id}`);
  return { id: body.data[0].id as number, first };
}

long.each([
  { what: 'on delivery', pay: 'cod 9500', product: box, order: { shipping }, next_price: null },
  { what: 'for nothing', pay: 'manual 0', product: {}, order: {}, next_price: 0 },
])('Five parallel forms place one renewal $what', async ({ pay, product, order, next_price }) => {
  const { fixture } = opened;
  const { id, first } = await newSubscription(product, order);
  await fixture.api.patch(`/subscriptions/${id}`, { next_price });
  const headers = await members.signIn(first.user_id);
  const path = `/account/subscriptions/${id}`;
  const form = { ...fieldsOf((await members.open(path, headers)).text), pay };
  const answers = await behindLock(
    fixture.store,
    lockOf(id),
    times(5, () => members.send(`${path}/renew`, form, headers)),
  );
  const { body } = await fixture.api.get(`/orders?user_id=${first.user_id}`);
  expect(body.data).toHaveLength(2);
  const places = answers.map((answer) => new URL(answer.headers.get('location') ?? '').pathname);
  expect(new Set(places)).toEqual(new Set([`/account/orders/${body.data[0].id}`]));
});

long('Five parallel forms for nothing order one term ahead, and five later ones none', async () => {
  const { fixture } = opened;
  const { id, first } = await newSubscription();
  await fixture.api.patch(`/subscriptions/${id}`, { next_price: 0 });
  const headers = await members.signIn(first.user_id);
  const path = `/account/subscriptions/${id}`;
  const form = fieldsOf((await members.open(path, headers)).text);
  const send = () => members.send(`${path}/renew`, form, headers);
  await behindLock(fixture.store, lockOf(id), times(5, send));
  const { order_id, end_date, ...rest } = (await fixture.api.get(`/subscriptions/${id}`)).body.data;
  const product = (await fixture.api.get(`/products/${rest.product_id}`)).body.data;
  const facts = { subscription: { ...rest, end_date }, agreed: { plan: null }, product };
  const terms = renewalTerms(facts, 'USD');
  const later = { pay: 'manual 0', last: String(order_id), terms };
  await Promise.all(times(5, () => members.send(`${path}/renew`, later, headers)).map((f) => f()));
  expect((await fixture.api.get(`/orders?user_id=${first.user_id}`)).body.data).toHaveLength(2);
  expect((await fixture.api.get(`/subscriptions/${id}`)).body.data.end_date).toBe(end_date);
});

long('Control: callers that look for a term ahead before the lock all order one', async () => {
  const { id } = await newSubscription();
  const broken = transaction(opened.fixture.store, async (client) => {
    const { rows } = await client.query(
      `select from subscription_terms t join subscriptions s using (first_order_id)
        where s.id = ${id} and t.activated_at is not null`,
    );
    await client.query(lockOf(id));
    if (rows.length > 1) return false;
    await client.query(`update subscriptions set version = version + 1 where id = ${id}`);
    return true;
  });
  expect(await behindLock(opened.fixture.store, lockOf(id), times(5, broken))).toEqual(
    Array.from({ length: 5 }, () => true),
  );
});

long('Control: callers that read the last order before the lock all renew', async () => {
  const { id, first } = await newSubscription();
  const broken = transaction(opened.fixture.store, async (client) => {
    const { rows } = await client.query(`select order_id from subscriptions where id = ${id}`);
    await client.query(lockOf(id));
    return Number(rows[0]?.order_id) === first.id;
  });
  expect(await behindLock(opened.fixture.store, lockOf(id), times(5, broken))).toEqual(
    Array.from({ length: 5 }, () => true),
  );
});
