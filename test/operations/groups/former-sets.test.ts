import { afterEach, beforeEach, expect, test } from 'vitest';
import { runBackfills } from '../../../src/cli/migrations/backfills.ts';
import { expireSubscriptions } from '../../../src/jobs/expire-subscriptions.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useGroups } from './stage.ts';

// Up to version 0.1.0 a group that was set by hand left the moves of earlier orders.

const { stage, newGroup } = useGroups();
const store = () => stage.fixture.store;
const regular = { duration: 1, period: 'monthly', price: 0 };
const club = { payment_type: 'recurring', subscription: { active: true, regular } };
let user = 0;

beforeEach(async () => {
  user = (await stage.fixture.newUser()).id;
});

afterEach(() => expectIntegrity(stage.fixture));

async function given(priority: number, fields: object = {}) {
  const group = await newGroup({ priority });
  const update_group_to = group.id;
  const product = await stage.fixture.newProduct({ ...fields, group: { update_group_to } });
  return { group: group.id, product: product.id };
}

async function send(path: string, body: object = {}) {
  const reply = await stage.fixture.api.post(path, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  store().clock.advance(60);
}

async function buy(product_id: number) {
  const order = await stage.fixture.newOrder({ product_id, user_id: user });
  await send(`/orders/${order.id}`, { status: 'completed' });
  return order;
}

const refund = ({ id }: { id: number }) => send(`/orders/${id}`, { status: 'refunded' });
const groupNow = async () => (await stage.fixture.user(user)).group_id;
const upgrade = () => runBackfills(store().database);
const byHand = (group_id: number | null) => send(`/users/${user}/group`, { group_id, force: true });

async function change(product: number, action: string) {
  const path = `/subscriptions?user_id=${user}&product_id=${product}`;
  const { body } = await stage.fixture.api.get(path);
  await send(`/subscriptions/${body.data[0].id}${action}`);
}

async function expire() {
  store().clock.advance(86_400 * 40);
  await expireSubscriptions(await store().services());
}

async function moves() {
  const text = 'select * from group_moves where user_id = $1 order by order_id';
  return (await store().database.query(text, [user])).rows;
}

/** Sets the group by hand. Returns a function that stores the earlier moves again, as former versions left them. */
async function byFormerHand(group_id: number | null) {
  const former = await moves();
  await byHand(group_id);
  return () =>
    store().database.query(
      'insert into group_moves select * from json_populate_recordset(null::group_moves, $1)',
      [JSON.stringify(former)],
    );
}

test('A group that was taken away by hand before the upgrade does not return after a later refund', async () => {
  const [bronze, gold] = [await given(1), await given(3, club)];
  await buy(gold.product);
  await (
    await byFormerHand(null)
  )();
  await upgrade();
  expect(await moves()).toEqual([]);
  const order = await buy(bronze.product);
  expect(await groupNow()).toBe(bronze.group);
  await refund(order);
  expect(await groupNow()).toBe(null);
});

test('A group that was given by hand before the upgrade returns after a later subscription ends', async () => {
  const [bronze, silver, gold] = [await given(1), await given(2), await given(3, club)];
  await buy(bronze.product);
  await (
    await byFormerHand(silver.group)
  )();
  await upgrade();
  await buy(gold.product);
  expect(await groupNow()).toBe(gold.group);
  await expire();
  expect(await groupNow()).toBe(silver.group);
});

test('A group that was set by hand between two orders before the upgrade returns after a refund of the later one', async () => {
  const [bronze, silver, gold] = [await given(1), await given(2), await given(3)];
  await buy(bronze.product);
  const restore = await byFormerHand(silver.group);
  const order = await buy(gold.product);
  const later = await moves();
  await restore();
  await upgrade();
  expect(await moves()).toEqual(later);
  await refund(order);
  expect(await groupNow()).toBe(silver.group);
});

test('A group that a former worker set after the first run counts from the next one', async () => {
  const gold = await given(1);
  await buy(gold.product);
  await upgrade();
  expect(await moves()).toHaveLength(1);
  await (
    await byFormerHand(null)
  )();
  await upgrade();
  expect(await moves()).toEqual([]);
});

test('The upgrade leaves the groups that orders give buyers whose group nobody set', async () => {
  const [bronze, silver, gold] = [await given(1), await given(2, club), await given(3)];
  for (const { product } of [gold, bronze, silver]) await buy(product);
  await change(silver.product, '/pause');
  await change(silver.product, '/resume');
  const former = await moves();
  expect(former).toHaveLength(3);
  const other = user;
  user = (await stage.fixture.newUser()).id;
  await byHand(silver.group);
  user = other;
  await upgrade();
  expect(await moves()).toEqual(former);
});

test('The upgrade leaves the group of a subscription that resumed after a group was set by hand', async () => {
  const [silver, gold] = [await given(2, club), await given(3, club)];
  await buy(gold.product);
  await byHand(silver.group);
  await change(gold.product, '/pause');
  await change(gold.product, '/resume');
  await buy(silver.product);
  await change(silver.product, '/pause');
  await byHand(null);
  await change(silver.product, '/resume');
  const former = await moves();
  expect(former).toHaveLength(1);
  await upgrade();
  expect(await moves()).toEqual(former);
});
