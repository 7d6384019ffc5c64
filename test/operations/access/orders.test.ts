import { describe, expect, test } from 'vitest';
import { checkIntegrity } from '../../../src/cli/integrity/index.ts';
import type { Access } from '../../../src/domain/access/schemas.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useAccess } from './stage.ts';

const { fixture, at, course, user, newUser, check, grant, move, products } = useAccess();

const grantOf = async (order_id: number) => {
  const { body } = await fixture().api.get(`/access?user_id=${user()}`);
  return (body.data as Access[]).find((access) => access.order_id === order_id);
};

describe('the access an order gives', () => {
  test('waits with the order, begins when it is paid and ends when it is refunded', async () => {
    at('2026-03-10T09:00:00Z');
    await newUser();
    const order = await fixture().newOrder({ product_id: course(), user_id: user() });
    expect(await grantOf(order.id)).toMatchObject({
      source: 'order',
      status: 'pending',
      start: null,
      start_day: null,
      product_name: 'Course',
    });
    expect(await check()).toMatchObject({ can_access: false, reason: 'not-bought' });

    await move(order.id, 'payment-confirm');
    expect(await check()).toMatchObject({ can_access: false, reason: 'not-bought' });

    at('2026-03-11T09:00:00Z');
    await move(order.id, 'in-progress');
    at('2026-03-14T08:00:00Z');
    const granted = await grantOf(order.id);
    expect(granted).toMatchObject({
      status: 'active',
      start: '2026-03-11T09:00:00.000Z',
      start_day: 2,
      end_active: null,
    });
    expect(await check()).toEqual({
      success: true,
      can_access: true,
      reason: 'ok',
      product_id: course(),
      user_id: user(),
      detail: {
        grant_id: granted?.id,
        order_id: order.id,
        start: '2026-03-11T09:00:00.000Z',
        start_day: 2,
        end_active: null,
        available_at: null,
        drip_day: null,
        matched_product_ids: [course()],
        block: null,
      },
    });

    await move(order.id, 'completed');
    await move(order.id, 'in-progress');
    await move(order.id, 'completed');
    expect(await grantOf(order.id)).toEqual(granted);

    await move(order.id, 'refunded');
    expect(await grantOf(order.id)).toMatchObject({
      status: 'revoked',
      revoke_reason: 'refunded',
      revoked_at: '2026-03-14T08:00:00.000Z',
    });
    expect(await check()).toMatchObject({ can_access: false, reason: 'revoked' });
  });

  test('of an order that waits for its payment again is pending, and starts again with the payment', async () => {
    at('2026-03-10T09:00:00Z');
    await newUser();
    const order = await fixture().newOrder({ product_id: course(), user_id: user() });
    await move(order.id, 'in-progress');
    await move(order.id, 'on-hold');
    expect(await grantOf(order.id)).toMatchObject({ status: 'pending', start: null });
    await move(order.id, 'cancelled');
    expect(await grantOf(order.id)).toMatchObject({ status: 'revoked', start: null });
    expect(await check()).toMatchObject({ reason: 'not-bought', detail: { grant_id: null } });
    expect(await products()).toEqual([]);
    await move(order.id, 'on-hold');
    at('2026-03-12T09:00:00Z');
    await move(order.id, 'completed');
    expect(await grantOf(order.id)).toMatchObject({
      status: 'active',
      start: '2026-03-12T09:00:00.000Z',
      revoked_at: null,
    });
  });

  test('begins at once if the order costs nothing', async () => {
    await newUser();
    const free = await fixture().newProduct({ price: 0 });
    await fixture().newOrder({ product_id: free.id, user_id: user() });
    expect(await check(free.id)).toMatchObject({ can_access: true });
  });

  test('begins with the statuses of the setting, and with completion in any case', async () => {
    await newUser();
    await fixture().set('access_statuses', '["shipping"]');
    const order = await fixture().newOrder({ product_id: course(), user_id: user() });
    await move(order.id, 'in-progress');
    expect(await check()).toMatchObject({ reason: 'not-bought' });
    await move(order.id, 'completed');
    expect(await check()).toMatchObject({ reason: 'ok' });
    await move(order.id, 'in-progress');
    expect(await check()).toMatchObject({ reason: 'ok' });
    await fixture().set('access_statuses', '["in-progress", "shipping", "completed"]');
  });

  test('is not given before goods on delivery are paid for', async () => {
    await newUser();
    const box = await fixture().newProduct({ type: 'physical', cod: { active: true, fee: 100 } });
    const order = await fixture().newOrder({
      product_id: box.id,
      user_id: user(),
      payment_gateway: 'cod',
    });
    expect(order.status).toBe('in-progress');
    expect(await check(box.id)).toMatchObject({ reason: 'not-bought' });
    await move(order.id, 'completed');
    expect(await check(box.id)).toMatchObject({ reason: 'ok' });
  });

  test('outlives a refund as long as another order or grant gives it', async () => {
    await newUser();
    const [one, two] = [
      await fixture().newOrder({ product_id: course(), user_id: user(), status: 'completed' }),
      await fixture().newOrder({ product_id: course(), user_id: user(), status: 'completed' }),
    ];
    await move(one.id, 'refunded');
    expect(await check()).toMatchObject({
      can_access: true,
      detail: { order_id: two.id },
    });
    const byHand = await grant();
    await move(two.id, 'refunded');
    expect(await check()).toMatchObject({ can_access: true, detail: { grant_id: byHand.id } });
    await fixture().api.delete(`/access/${byHand.id}`);
    expect(await check()).toMatchObject({ can_access: false, reason: 'revoked' });
  });

  test('that was revoked by hand comes back only by another purchase', async () => {
    await newUser();
    const order = await fixture().newOrder({
      product_id: course(),
      user_id: user(),
      status: 'completed',
    });
    const given = await grantOf(order.id);
    await fixture().api.delete(`/access/${given?.id}`);
    await move(order.id, 'in-progress');
    await move(order.id, 'completed');
    expect(await check()).toMatchObject({ reason: 'revoked' });
    await fixture().newOrder({ product_id: course(), user_id: user(), status: 'completed' });
    expect(await check()).toMatchObject({ reason: 'ok' });
  });
});

describe('events of access', () => {
  const heard = async () => {
    const { rows } = await fixture().store.database.query<{ event: string; data: Access }>(
      `select event, data from outbox where event like 'access.%'
          and (data ->> 'user_id')::bigint = $1 order by id`,
      [user()],
    );
    return rows.map(({ event, data }) => [event, data]);
  };

  test('report when access begins and ends, and whether another grant still gives it', async () => {
    at('2026-03-10T09:00:00Z');
    await fixture().api.post('/webhooks', {
      name: 'All',
      url: 'https://receiver.example/hook',
      events: ['access.*'],
    });
    await newUser();
    const order = await fixture().newOrder({ product_id: course(), user_id: user() });
    expect(await heard()).toEqual([]);
    await move(order.id, 'in-progress');
    await move(order.id, 'completed');
    const byHand = await grant();
    await fixture().api.delete(`/access/${byHand.id}`);
    await move(order.id, 'refunded');
    expect(await heard()).toMatchObject([
      ['access.granted', { order_id: order.id, status: 'active', can_access: true }],
      ['access.granted', { id: byHand.id, can_access: true }],
      ['access.revoked', { id: byHand.id, status: 'revoked', can_access: true }],
      ['access.revoked', { order_id: order.id, revoke_reason: 'refunded', can_access: false }],
    ]);
  });
});

test('A check of integrity names the orders whose grants differ', async () => {
  await newUser();
  const { id } = await fixture().newOrder({
    product_id: course(),
    user_id: user(),
    status: 'completed',
  });
  const { database } = fixture().store;
  await database.query('begin');
  await database.query(`update access_grants set end_active = start where order_id = $1`, [id]);
  const results = await checkIntegrity(database);
  await database.query('rollback');
  const found = results.find(({ name }) => name === 'access against orders');
  expect(found).toMatchObject({ differences: 1, ids: String(id) });
});

test('after these tests every derived figure is right', () => expectIntegrity(fixture()));
