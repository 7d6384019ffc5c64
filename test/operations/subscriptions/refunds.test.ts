import { describe, expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order/schemas.ts';
import { long } from '../../harness/long.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useClubs } from './stage.ts';

const { fixture, at, newClub, buy, tryToBuy, move, subscriptions, access } = useClubs();

describe('a refund', () => {
  test('of a renewal leaves the earlier terms alone', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    const second = await buy(club, { order_parent_id: first.id, status: 'completed' });
    await move(second, 'refunded');
    expect(await subscriptions()).toMatchObject([
      { order_id: first.id, status: 'active', end_date: '2026-02-28T10:00:00.000Z' },
    ]);
    expect(await access(club)).toMatchObject({
      reason: 'ok',
      detail: { end_active: '2026-02-28T10:00:00.000Z' },
    });
  });

  test('of the first order leaves the renewal', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    at('2026-02-05T10:00:00Z');
    const second = await buy(club, { order_parent_id: first.id, status: 'completed' });
    await move(first, 'refunded');
    expect(await subscriptions()).toMatchObject([
      {
        order_id: second.id,
        order_parent_id: first.id,
        status: 'active',
        start: '2026-02-05T10:00:00.000Z',
        end_date: '2026-03-05T10:00:00.000Z',
      },
    ]);
    expect(await access(club)).toMatchObject({ reason: 'ok' });
  });

  test('of all orders of a paused subscription ends the access permanently, whatever is recorded afterwards', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    const { body } = await fixture().api.get(`/subscriptions?product_id=${club}`);
    const path = `/subscriptions/${body.data[0].id}`;
    expect(await fixture().api.post(`${path}/pause`)).toMatchObject({ status: 200 });
    await move(first, 'refunded');
    expect(await access(club)).toMatchObject({ reason: 'revoked' });
    for (const change of [{ note: 'Asked for it.' }, { next_price: 40_000 }]) {
      expect(await fixture().api.patch(path, change)).toMatchObject({ status: 200 });
      expect(await access(club)).toMatchObject({ reason: 'revoked' });
    }
    const { body: grants } = await fixture().api.get(`/access?product_id=${club}`);
    expect(grants.data).toMatchObject([{ status: 'revoked', revoke_reason: 'refunded' }]);
    await expectIntegrity(fixture());
  });

  test('of all orders ends it and revokes the access', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    const second = await buy(club, { order_parent_id: first.id, status: 'completed' });
    await move(first, 'refunded');
    await move(second, 'refunded');
    expect(await subscriptions()).toMatchObject([
      { status: 'inactive', start: null, end_date: null, days_left: 0 },
    ]);
    expect(await access(club)).toMatchObject({ reason: 'revoked' });
    expect(await tryToBuy(club, { order_parent_id: first.id })).toMatchObject({
      status: 409,
      body: { code: 'subscription_not_renewable' },
    });
  });

  long(
    'of an order that waits for payment again leaves its subscription pending until it is paid',
    async () => {
      const club = await newClub();
      const order = await buy(club, { status: 'completed' });
      await move(order, 'in-progress');
      expect(await subscriptions()).toMatchObject([{ status: 'active' }]);
      await move(order, 'on-hold');
      expect(await subscriptions()).toMatchObject([{ status: 'pending', end_date: null }]);
      expect(await access(club)).toMatchObject({ reason: 'not-bought' });
      at('2026-02-10T10:00:00Z');
      await move(order, 'completed');
      expect(await subscriptions()).toMatchObject([
        { status: 'active', start: '2026-02-10T10:00:00.000Z' },
      ]);
      await move(order, 'in-progress');
      await move(order, 'cancelled');
      expect(await subscriptions()).toMatchObject([{ status: 'inactive' }]);
      expect(await access(club)).toMatchObject({ reason: 'revoked' });
    },
  );

  test('does not happen if only an unpaid renewal is cancelled', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    const renewal = await buy(club, { order_parent_id: first.id });
    await move(renewal, 'cancelled');
    await move(renewal, 'on-hold');
    expect(await subscriptions()).toMatchObject([
      { status: 'active', end_date: '2026-02-28T10:00:00.000Z' },
    ]);
    expect(await access(club)).toMatchObject({ reason: 'ok' });
  });
});

test('an order that others renew is not erased; an order without renewals is erased completely', async () => {
  const club = await newClub();
  const first = await buy(club, { status: 'completed' });
  const renewal = await buy(club, { order_parent_id: first.id });
  const other = await buy(club, { status: 'completed' });
  for (const order of [first, other]) {
    await move(order, 'in-progress');
    await move(order, 'on-hold');
    await move(order, 'cancelled');
  }
  const erase = ({ id }: Order) => fixture().api.delete(`/orders/${id}?force=true`);
  expect(await erase(first)).toMatchObject({ status: 409, body: { code: 'order_not_erasable' } });
  expect(await erase(other)).toMatchObject({ status: 200 });
  expect(await subscriptions()).toMatchObject([{ order_id: first.id, status: 'inactive' }]);
  await move(renewal, 'cancelled');
  expect(await erase(renewal)).toMatchObject({ status: 200 });
  expect(await erase(first)).toMatchObject({ status: 200 });
  expect(await subscriptions()).toEqual([]);
});

test('after these tests every derived figure is right', () => expectIntegrity(fixture()));
