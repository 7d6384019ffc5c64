import { describe, expect, test } from 'vitest';
import type { User } from '../../../src/domain/user/schemas.ts';
import { stands } from '../../../src/domain/group/moves.ts';
import { long } from '../../harness/long.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { behindLock } from '../../races/queue.ts';
import { at } from '../../harness/rows.ts';

const stage = useStoreFixture();
let names = 0;

/** A new group, and a product whose buyers move into it. */
async function given(priority = 0) {
  const { fixture } = stage;
  const { body } = await fixture.api.post('/user-groups', { name: `Group ${++names}`, priority });
  const group: { id: number } = body.data;
  const product = await fixture.newProduct({ group: { update_group_to: group.id } });
  return { group, product };
}

const buy = (user: User, { product }: Awaited<ReturnType<typeof given>>) =>
  stage.fixture.newOrder({ product_id: product.id, user_id: user.id, status: 'completed' });

async function change(order: { id: number }, status: string): Promise<void> {
  const reply = await stage.fixture.api.patch(`/orders/${order.id}`, { status });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
}

const groupOf = async ({ id }: { id: number }) => (await stage.fixture.user(id)).group_id;

const byHand = (user: User, group_id: number | null) =>
  stage.fixture.api.post(`/users/${user.id}/group`, { group_id, force: true });

const endings: [string, (order: { id: number }) => Promise<void>][] = [
  ['refunded', (order) => change(order, 'refunded')],
  [
    'refunded in parts',
    async ({ id }) => {
      for (const amount of [10_000, 5000]) {
        const refund = { amount, reason: 'Asked for.' };
        expect((await stage.fixture.api.post(`/orders/${id}/refunds`, refund)).status).toBe(201);
      }
    },
  ],
  [
    'cancelled',
    async (order) => {
      await change(order, 'in-progress');
      await change(order, 'cancelled');
    },
  ],
  [
    'waiting for its payment again',
    async (order) => {
      await change(order, 'in-progress');
      await change(order, 'on-hold');
    },
  ],
];

describe('A buyer returns to their former group', () => {
  test.each(endings)('when the order is %s', async (_, end) => {
    const { fixture } = stage;
    const silver = await given(1);
    const gold = await given(2);
    const [member, stranger] = [
      await fixture.newUser({ group_id: silver.group.id }),
      await fixture.newUser(),
    ];
    const orders = [await buy(member, gold), await buy(stranger, gold)];
    expect([await groupOf(member), await groupOf(stranger)]).toEqual([
      gold.group.id,
      gold.group.id,
    ]);
    for (const order of orders) await end(order);
    expect([await groupOf(member), await groupOf(stranger)]).toEqual([silver.group.id, null]);
    await expectIntegrity(fixture);
  });

  test('and webhooks are notified as for the move', async () => {
    const { fixture } = stage;
    const gold = await given();
    const created = await fixture.api.post('/webhooks', {
      ...{ name: 'Groups', url: 'https://hooks.example/x', events: ['user.group-updated'] },
    });
    const user = await fixture.newUser();
    await change(await buy(user, gold), 'refunded');
    const { rows } = await fixture.store.database.query(
      `select data->'group_id' as group_id, data->'group' as "group", data->'version' as version
         from outbox where webhook_id = $1 and object_id = $2 order by id`,
      [created.body.data.id, user.id],
    );
    expect(rows).toMatchObject([
      { group_id: gold.group.id, group: { id: gold.group.id }, version: 2 },
      { group_id: null, group: null, version: 3 },
    ]);
  });

  test('once: an order that is completed again gives the group again', async () => {
    const gold = await given();
    const user = await stage.fixture.newUser();
    const order = await buy(user, gold);
    await change(order, 'in-progress');
    expect(await groupOf(user)).toBe(gold.group.id);
    await change(order, 'completed');
    await change(order, 'in-progress');
    await change(order, 'cancelled');
    expect(await groupOf(user)).toBe(null);
    await change(order, 'on-hold');
    await change(order, 'completed');
    expect(await groupOf(user)).toBe(gold.group.id);
    await change(order, 'refunded');
    expect(await groupOf(user)).toBe(null);
  });

  test('even if the product gives another group when the order is completed again', async () => {
    const { fixture } = stage;
    const [silver, gold] = [await given(1), await given(2)];
    const user = await fixture.newUser();
    const order = await buy(user, silver);
    const group = { update_group_to: gold.group.id };
    await fixture.api.patch(`/products/${silver.product.id}`, { group });
    await change(order, 'in-progress');
    await change(order, 'completed');
    expect(await groupOf(user)).toBe(silver.group.id);
    await change(order, 'refunded');
    expect(await groupOf(user)).toBe(null);
  });

  test('unless somebody moved them since', async () => {
    const [gold, other] = [await given(1), await given(0)];
    const user = await stage.fixture.newUser();
    const order = await buy(user, gold);
    await byHand(user, other.group.id);
    await change(order, 'refunded');
    expect(await groupOf(user)).toBe(other.group.id);
  });

  test('unless they were in it before the order', async () => {
    const gold = await given();
    const user = await stage.fixture.newUser({ group_id: gold.group.id });
    await change(await buy(user, gold), 'refunded');
    expect(await groupOf(user)).toBe(gold.group.id);
  });

  test('but not after a partial refund', async () => {
    const gold = await given();
    const user = await stage.fixture.newUser();
    const { id } = await buy(user, gold);
    await stage.fixture.api.post(`/orders/${id}/refunds`, { amount: 1, reason: 'Scratched.' });
    expect(await groupOf(user)).toBe(gold.group.id);
  });

  test('or to no group, if theirs was deleted', async () => {
    const { fixture } = stage;
    const [silver, gold] = [await given(1), await given(2)];
    const user = await fixture.newUser({ group_id: silver.group.id });
    const order = await buy(user, gold);
    expect((await fixture.api.delete(`/user-groups/${silver.group.id}`)).status).toBe(200);
    await change(order, 'refunded');
    expect(await groupOf(user)).toBe(null);
  });
});

describe('Of several orders', () => {
  test('one that gives the same group keeps the buyer in it, until it ends too', async () => {
    const { fixture } = stage;
    const gold = await given();
    const user = await fixture.newUser();
    const [first, second] = [await buy(user, gold), await buy(user, gold)];
    await change(first, 'refunded');
    expect(await groupOf(user)).toBe(gold.group.id);
    await expectIntegrity(fixture);
    await change(second, 'refunded');
    expect(await groupOf(user)).toBe(null);
  });

  test.each([
    ['the last first', [1, 0], [1, null]],
    ['the first first', [0, 1], [2, null]],
  ])('that raised the group one after another, all are undone, %s', async (_, sequence, left) => {
    const steps = [await given(1), await given(2)];
    const user = await stage.fixture.newUser();
    const orders = [];
    for (const step of steps) orders.push(await buy(user, step));
    for (const [i, n] of sequence.entries()) {
      await change(orders[n] ?? { id: 0 }, 'refunded');
      const rank = left[i];
      expect(await groupOf(user)).toBe(rank ? steps[rank - 1]?.group.id : null);
    }
  });

  test('the payments of a plan keep their buyer in the group while one of them counts', async () => {
    const { fixture } = stage;
    const { group } = await given();
    const regular = { duration: 1, period: 'monthly', price: 5000 };
    const product = await fixture.newProduct({
      payment_type: 'recurring',
      subscription: { active: true, regular, payments: 3, after: 'keep', grace_days: 5 },
      group: { update_group_to: group.id },
    });
    const user = await fixture.newUser();
    const cart = { product_id: product.id, user_id: user.id, status: 'completed' };
    const first = await fixture.newOrder(cart);
    const second = await fixture.newOrder({ ...cart, order_parent_id: first.id });
    await change(first, 'refunded');
    expect(await groupOf(user)).toBe(group.id);
    await expectIntegrity(fixture);
    await change(second, 'refunded');
    expect(await groupOf(user)).toBe(null);
  });

  test('none moves a buyer who was moved by hand since', async () => {
    const { fixture } = stage;
    const [silver, gold] = [await given(1), await given(2)];
    const user = await fixture.newUser();
    const [first, second] = [await buy(user, gold), await buy(user, gold)];
    await byHand(user, null);
    const third = await buy(user, silver);
    for (const order of [third, first, second]) {
      await change(order, 'refunded');
      expect(await groupOf(user)).toBe(null);
    }
  });

  test.each([[[0, 1, 2]], [[0, 2, 1]], [[1, 0, 2]], [[2, 1, 0]]])(
    'none is left in a group of the same priority, undone in the order %j',
    async (sequence) => {
      const [one, other] = [await given(), await given()];
      const user = await stage.fixture.newUser();
      const orders = [await buy(user, one), await buy(user, other), await buy(user, one)];
      expect(await groupOf(user)).toBe(one.group.id);
      for (const n of sequence) await change(orders[n] ?? { id: 0 }, 'refunded');
      expect(await groupOf(user)).toBe(null);
    },
  );

  test('a lower group counts once the order of the higher group is refunded', async () => {
    const { fixture } = stage;
    const [silver, gold] = [await given(1), await given(2)];
    const user = await fixture.newUser();
    const [first, second] = [await buy(user, gold), await buy(user, silver)];
    expect(await groupOf(user)).toBe(gold.group.id);
    await change(first, 'refunded');
    expect(await groupOf(user)).toBe(silver.group.id);
    await expectIntegrity(fixture);
    await change(second, 'refunded');
    expect(await groupOf(user)).toBe(null);
  });

  long('that are undone at once, none leaves the buyer in its group', async () => {
    const { fixture } = stage;
    const steps = [await given(1), await given(2), await given(3)];
    const user = await fixture.newUser();
    const orders: { id: number }[] = [];
    for (const step of steps) orders.push(await buy(user, step));
    const lock = `select from users where id = ${user.id} for update`;
    const refunds = orders.map(
      ({ id }) =>
        () =>
          fixture.api.patch(`/orders/${id}`, { status: 'refunded' }),
    );
    const replies = await behindLock(fixture.store, lock, refunds);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await groupOf(user)).toBe(null);
    await expectIntegrity(fixture);
  });
});

long('An erased buyer has no group to return to', async () => {
  const { fixture } = stage;
  const gold = await given();
  const user = await fixture.newUser();
  const order = await buy(user, gold);
  await fixture.api.delete(`/users/${user.id}`);
  await change(order, 'refunded');
  await expectIntegrity(fixture);
});

test('A deleted order no longer keeps a buyer in its group', () => {
  expect(stands({ status: 'completed', deleted_at: null })).toBe(true);
  expect(stands({ status: 'completed', deleted_at: at })).toBe(false);
});
