import { afterEach, beforeEach, expect, test } from 'vitest';
import { runBackfills } from '../../../src/cli/migrations/backfills.ts';
import { expireSubscriptions } from '../../../src/jobs/expire-subscriptions.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useGroups } from './stage.ts';

// Versions up to 0.1.0 wrote no row for an order whose group was lower than its buyer's.

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
  const product = await stage.fixture.newProduct({
    ...fields,
    group: { update_group_to: group.id },
  });
  return { group: group.id, product: product.id };
}

const buy = (product_id: number, fields: object = {}) =>
  stage.fixture.newOrder({ product_id, user_id: user, status: 'completed', ...fields });

async function send(path: string, body: object) {
  const reply = await stage.fixture.api.post(path, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
}

const refund = ({ id }: { id: number }) => send(`/orders/${id}`, { status: 'refunded' });
const groupNow = async () => (await stage.fixture.user(user)).group_id;
const upgrade = () => runBackfills(store().database);

async function rows() {
  const text = 'select * from group_moves where user_id = $1 order by order_id';
  return (await store().database.query(text, [user])).rows;
}

/** Deletes the rows of orders that moved nobody. */
const forget = () =>
  store().database.query('delete from group_moves where user_id = $1 and not moved', [user]);

async function expire() {
  store().clock.advance(86_400 * 40);
  await expireSubscriptions(await store().services());
}

test('The upgrade records the lower group of a paid order, once, and moves nobody', async () => {
  const gold = await given(2);
  const silver = await given(1);
  const order = await buy(gold.product);
  await buy(silver.product);
  const today = await rows();
  await forget();
  await upgrade();
  expect(await rows()).toEqual(today);
  expect(await groupNow()).toBe(gold.group);
  await upgrade();
  expect(await rows()).toEqual(today);
  await refund(order);
  expect(await groupNow()).toBe(silver.group);
});

test('The buyer moves to the lower group when the subscription of the higher one ends, also if a former worker sold it after the upgrade', async () => {
  const gold = await given(2, club);
  const silver = await given(1);
  await buy(gold.product);
  await upgrade();
  await buy(silver.product);
  await forget();
  await upgrade();
  await expire();
  expect(await groupNow()).toBe(silver.group);
});

test('The upgrade records the group of a running subscription, and of none that is over', async () => {
  const gold = await given(2);
  const silver = await given(1, club);
  const bronze = await given(0, club);
  await buy(gold.product);
  await buy(bronze.product);
  await expire();
  const first = await buy(silver.product);
  await buy(silver.product, { order_parent_id: first.id });
  const today = await rows();
  await forget();
  await upgrade();
  expect(await rows()).toEqual(today);
  expect(today.map(({ group_id }) => Number(group_id))).toEqual([
    gold.group,
    ...[silver.group, silver.group],
  ]);
});

test('The upgrade records the instalments of a plan, whose group stays after the first payment is refunded', async () => {
  const plan = { ...club.subscription, payments: 3, after: 'keep', grace_days: 5 };
  const silver = await given(1, { ...club, price: 60_000, subscription: plan });
  const first = await buy(silver.product);
  await buy(silver.product, { order_parent_id: first.id });
  const today = await rows();
  expect(today).toHaveLength(2);
  await forget();
  await upgrade();
  expect(await rows()).toEqual(today);
});

test('The upgrade records no order that is refunded, deleted or older than the group of its product', async () => {
  const gold = await given(2);
  const silver = await given(1);
  const later = await stage.fixture.newProduct();
  await buy(gold.product);
  await refund(await buy(silver.product));
  const deleted = await buy(silver.product);
  await stage.fixture.api.delete(`/orders/${deleted.id}`);
  await buy(later.id);
  store().clock.advance(60);
  await send(`/products/${later.id}`, { group: { update_group_to: silver.group } });
  await upgrade();
  expect((await rows()).map(({ group_id }) => Number(group_id))).toEqual([gold.group]);
});

test('The upgrade records an order of a product that was changed after it gave its group to others', async () => {
  const gold = await given(2);
  const silver = await given(1);
  const buyer = user;
  user = (await stage.fixture.newUser()).id;
  await buy(silver.product);
  user = buyer;
  await buy(gold.product);
  await buy(silver.product);
  const today = await rows();
  await forget();
  store().clock.advance(60);
  await send(`/products/${silver.product}`, { title: 'Silver' });
  await upgrade();
  expect(await rows()).toEqual(today);
});

test('The upgrade records no group of a buyer whose group was set by hand since', async () => {
  const gold = await given(2);
  const silver = await given(1);
  await buy(silver.product);
  await buy(gold.product);
  await buy(silver.product);
  store().clock.advance(60);
  await send(`/users/${user}/group`, { group_id: null, force: true });
  await upgrade();
  expect(await rows()).toEqual([]);
});
