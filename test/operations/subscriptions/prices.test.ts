import { expect, test } from 'vitest';
import { raw } from '../../../src/kernel/database/statements.ts';
import { sql } from 'drizzle-orm';
import {
  type RenewalOrder,
  renewPrice,
  renewTotal,
} from '../../../src/domain/subscription/rules.ts';
import { renewalFacts } from '../../../src/queries/subscriptions.ts';
import { useClubs } from './stage.ts';

const { fixture, user, newClub, buy, move, unit, subscriptions } = useClubs();

const licence = { active: true, count: 1, expires_days: 365, max_resets: 3 };
const byFifth = { enabled: true, type: 'percentage', value: 19.9999 };
const sized = [
  {
    ...{ id: 'size', key: 'size', label: 'Size', required: true },
    options: [
      { id: 'small', label: 'Small', extra_price: -1_001, active: true },
      { id: 'large', label: 'Large', extra_price: 7_007, active: true },
    ],
  },
];

/** The group of the buyer, with a discount on everything or on one product. */
async function joinGroup(parts: object): Promise<void> {
  const name = `Group of ${user()}`;
  const { body } = await fixture().api.post('/user-groups', { name, ...parts });
  await fixture().api.post(`/users/${user()}/group`, { group_id: body.data.id });
}

/** The price in the API and in the last event, the total in messages, and what a renewal then charges. */
async function pricesOf(club: number, first: { id: number }, fields: object = {}) {
  const { api, store } = fixture();
  const [{ id, renew_price }] = (await api.get(`/subscriptions?user_id=${user()}`)).body.data;
  const facts = raw<{ renewal: RenewalOrder }>(sql`select ${renewalFacts} as renewal
    from subscriptions r join products p on p.id = r.product_id where r.id = ${id}`);
  const [inMessages] = (await (await unit()).query({ facts })).facts.rows;
  const events = await store.database.query(
    `select data -> 'renew_price' as price from outbox
      where event like 'subscription.%' and object_id = $1 order by id desc limit 1`,
    [id],
  );
  const renewal = await buy(club, { order_parent_id: first.id, ...fields });
  const { subtotal, variant_total, quantity, grand_total } = renewal;
  const said = inMessages && renewPrice(inMessages.renewal);
  const shown = [renew_price, said, ...events.rows.map(({ price }) => price)];
  expect(inMessages && renewTotal(inMessages.renewal)).toBe(grand_total);
  return { shown, charged: subtotal + variant_total, quantity, grand_total };
}

test('The price of a renewal is that of its goods: the quantity, the variants and the discount of the group', async () => {
  const hook = { name: 'All', url: 'https://hooks.example/all', events: ['subscription.*'] };
  expect((await fixture().api.post('/webhooks', hook)).status).toBe(201);
  const club = await newClub({}, { license: licence, enable_quantity: true, variants: sized });
  await joinGroup({ discount: byFifth });
  const variants = ['large'];
  const first = await buy(club, { quantity: 3, variants, status: 'completed' });
  const prices = await pricesOf(club, first, { variants });
  expect(prices).toMatchObject({
    shown: [141_021, 141_021, 141_021],
    charged: 141_021,
    quantity: 3,
  });
});

/** A club whose paid renewal has a larger option than the first order, as versions up to 0.1.0 took it. */
async function renewedLarger() {
  const club = await newClub({}, { variants: sized });
  const first = await buy(club, { variants: ['large'], status: 'completed' });
  const renewal = await buy(club, { order_parent_id: first.id, status: 'completed' });
  const smaller = `update orders set variants = jsonb_set(variants, '{0,option_id}', '"small"') where id = $1`;
  await fixture().store.database.query(smaller, [first.id]);
  return { club, first, renewal };
}

test('A renewal has the options of the last paid term, which a former version let differ from the first one', async () => {
  const { club, first, renewal } = await renewedLarger();
  const prices = await pricesOf(club, first);
  expect(new Set([...prices.shown, prices.charged])).toEqual(new Set([57_007]));
  const cart = { product_id: club, user_id: user(), order_parent_id: first.id };
  const statusOf = async (variants: string[]) =>
    (await fixture().api.post('/orders', { ...cart, variants })).status;
  expect([await statusOf(['large']), await statusOf(['small'])]).toEqual([201, 400]);
  await fixture().api.post(`/orders/${renewal.id}/refunds`, {});
  expect((await pricesOf(club, first)).charged).toBe(48_999);
});

test('An event about a subscription names the price of a renewal with the options of the term that is left', async () => {
  const { club, first, renewal } = await renewedLarger();
  const [{ id }] = (await fixture().api.get(`/subscriptions?user_id=${user()}`)).body.data;
  expect((await fixture().api.post(`/subscriptions/${id}/pause`, {})).status).toBe(200);
  await fixture().api.post(`/orders/${renewal.id}/refunds`, {});
  const { shown, charged } = await pricesOf(club, first);
  expect(new Set([...shown, charged])).toEqual(new Set([48_999]));
});

test('A renewal has the options of the first order if the last paid term names none', async () => {
  const { club, first, renewal } = await renewedLarger();
  const without = "update orders set variants = '[]' where id = $1";
  await fixture().store.database.query(without, [renewal.id]);
  const { shown, charged } = await pricesOf(club, first);
  const [inList, inMessages] = shown;
  expect([inList, inMessages, charged]).toEqual([48_999, 48_999, 48_999]);
});

test('A subscription keeps the options of its first order after the order of its last term is erased', async () => {
  const regular = { duration: 1, period: 'monthly', price: 1_001 };
  const club = await newClub({ regular }, { variants: sized });
  const first = await buy(club, { variants: ['small'] });
  const renewal = await buy(club, { order_parent_id: first.id });
  for (const order of [first, renewal])
    for (const status of ['in-progress', 'on-hold', 'cancelled']) await move(order, status);
  expect(await subscriptions()).toMatchObject([{ order_id: renewal.id, renew_price: 0 }]);
  const { status } = await fixture().api.delete(`/orders/${renewal.id}?force=true`);
  expect(status).toBe(200);
  expect(await subscriptions()).toMatchObject([{ order_id: renewal.id, renew_price: 0 }]);
});

test("The price of a renewal has the discount of the group on this product, in place of the group's other one", async () => {
  const club = await newClub({}, { variants: sized });
  const discount = { enabled: true, type: 'fixed', value: 12_345 };
  await joinGroup({ discount: byFifth, per_product: [{ product_id: club, discount }] });
  const variants = ['small'];
  const first = await buy(club, { variants, status: 'completed' });
  const { shown, charged } = await pricesOf(club, first, { variants });
  expect(new Set([...shown, charged])).toEqual(new Set([36_654]));
});

test.each([false, true])(
  'The checkout names the price of all goods of a further term, with the discount of the group (trial: %s)',
  async (active) => {
    const tryout = { active, duration: 7, period: 'daily', first_only: true };
    const fields = { license: licence, enable_quantity: true, variants: sized };
    const club = await newClub({ tryout }, fields);
    await joinGroup({ discount: byFifth });
    const cart = { product_id: club, user_id: user(), quantity: 3, variants: ['large'] };
    const { body } = await fixture().api.post('/checkout/calculate', cart);
    expect(body.data).toMatchObject({
      ...{ grand_total: active ? 0 : 141_021, subscription: { price: 141_021 } },
    });
    const first = await buy(club, { ...cart, ...(!active && { status: 'completed' }) });
    const { charged } = await pricesOf(club, first, { variants: cart.variants });
    expect(charged).toBe(141_021);
  },
);

test('A price of its own for further terms is charged as it was set, without the discount of a group', async () => {
  const club = await newClub({}, { license: licence, enable_quantity: true });
  await joinGroup({ discount: byFifth });
  const first = await buy(club, { quantity: 2, status: 'completed' });
  const [{ id }] = (await fixture().api.get(`/subscriptions?user_id=${user()}`)).body.data;
  await fixture().api.patch(`/subscriptions/${id}`, { next_price: 45_000 });
  const cart = { product_id: club, user_id: user(), order_parent_id: first.id };
  const { body } = await fixture().api.post('/checkout/calculate', cart);
  expect(body.data).toMatchObject({ unit_price: 45_000, grand_total: 90_000 });
  const { shown, charged } = await pricesOf(club, first);
  expect(new Set([...shown, charged])).toEqual(new Set([90_000]));
});

test('The price of further terms covers what their options take off', async () => {
  const club = await newClub({}, { variants: sized });
  const first = await buy(club, { variants: ['small'], status: 'completed' });
  const [{ id }] = (await fixture().api.get(`/subscriptions?user_id=${user()}`)).body.data;
  const set = (next_price: number) => fixture().api.patch(`/subscriptions/${id}`, { next_price });
  expect(await set(1_000)).toMatchObject({
    ...{ status: 400, body: { code: 'rest_invalid_param' } },
    ...{ body: { data: { params: { next_price: expect.stringContaining('1001 at least') } } } },
  });
  expect(await set(1_001)).toMatchObject({ status: 200, body: { data: { renew_price: 0 } } });
  // The option takes off more now.
  const [size] = sized;
  const options = size?.options.map((option) => ({ ...option, extra_price: -2_000 }));
  await fixture().api.patch(`/products/${club}`, { variants: [{ ...size, options }] });
  const { body } = await fixture().api.get(`/subscriptions/${id}`);
  expect(body.data).toMatchObject({ renew_price: 0, next_price: 1_001 });
  const cart = { product_id: club, user_id: user(), order_parent_id: first.id };
  const { body: calculated } = await fixture().api.post('/checkout/calculate', cart);
  expect(calculated.data).toMatchObject({ valid: true, grand_total: 0 });
  const { charged } = await pricesOf(club, first);
  expect(charged).toBe(0);
});

test('The price of an instalment is the agreed one of each item, which contains its variants and the discount', async () => {
  const plan = { payments: 3, after: 'keep', grace_days: 3 };
  const club = await newClub(plan, { license: licence, enable_quantity: true, variants: sized });
  await joinGroup({ discount: byFifth });
  const first = await buy(club, { quantity: 2, variants: ['large'], status: 'completed' });
  const { shown, charged } = await pricesOf(club, first);
  expect(new Set([...shown, charged])).toEqual(new Set([94_014]));
});

const added = { enabled: true, rate: 11, inclusive: false };
const parcel = {
  active: true,
  weight_g: 400,
  options: [
    { id: 'far', courier: 'Post', cost: 9_000, per_kg: 1_000, countries: ['DE'] },
    { id: 'near', courier: 'Post', cost: 2_000, per_kg: 500, free_above: 1_000_000 },
  ],
};

test.each([
  ['with added tax', {}, { tax: added }, {}, 55_500],
  ['with tax in its prices', {}, { tax: { ...added, inclusive: true } }, {}, 50_000],
  [
    'with a parcel in each term',
    {},
    { type: 'physical', tax: added, shipping: parcel, variants: sized },
    { variants: ['large'], shipping: { option_id: 'far', country: 'DE' } },
    73_278,
  ],
  [
    'with a sign-up after the trial',
    {
      tryout: { active: true, duration: 7, period: 'daily', first_only: true },
      signup: { active: true, fee: 20_000 },
    },
    { tax: added },
    {},
    75_500,
  ],
  [
    'in instalments after a trial',
    {
      ...{ payments: 3, signup: { active: true, fee: 20_000 } },
      tryout: { active: true, duration: 7, period: 'daily', first_only: true },
    },
    { tax: added },
    {},
    75_500,
  ],
  [
    'in instalments',
    { payments: 3, signup: { active: true, fee: 20_000 } },
    { type: 'physical', tax: added, shipping: parcel },
    { shipping: { option_id: 'near' } },
    55_500,
  ],
])(
  'Messages name the total of the next order of a subscription %s',
  async (_, subscription, fields, cart, total) => {
    const club = await newClub(subscription, fields);
    const first = await buy(club, cart);
    if (first.status !== 'completed') await move(first, 'completed');
    const isPlan = 'payments' in subscription;
    const { grand_total } = await pricesOf(club, first, isPlan ? {} : cart);
    expect(grand_total).toBe(total);
  },
);

test('The price of a renewal in messages has the sign-up fee until an order of the subscription has it, and again once that is cancelled', async () => {
  const tryout = { active: true, duration: 7, period: 'daily', first_only: true };
  const club = await newClub({ tryout, signup: { active: true, fee: 25_000 } });
  const trial = await buy(club);
  const renewals: number[] = [];
  const total = async () => {
    const { grand_total } = await pricesOf(club, trial);
    const { rows } = await fixture().store.database.query('select max(id) as id from orders');
    renewals.push(Number(rows[0].id));
    return grand_total;
  };
  expect([await total(), await total()]).toEqual([75_000, 50_000]);
  await move({ id: renewals[0] ?? 0 }, 'cancelled');
  expect([await total(), await total()]).toEqual([75_000, 50_000]);
});
