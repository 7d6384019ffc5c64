import { describe, expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order/schemas.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { monthly, useClubs } from './stage.ts';

const { fixture, newClub, buy, move, user } = useClubs();

/** A subscription of two paid orders that another user took over with the second, as an import brings it. */
async function takenOver(holder: 'first' | 'second') {
  const club = await newClub({ regular: monthly });
  const first = await buy(club, { status: 'completed' });
  const second = await buy(club, { order_parent_id: first.id, status: 'completed' });
  const { id: heir } = await fixture().newUser();
  const { database } = fixture().store;
  await database.query('update orders set user_id = $1 where id = $2', [heir, second.id]);
  await database.query('update subscriptions set user_id = $1 where first_order_id = $2', [
    ...[heir, first.id],
  ]);
  if (holder === 'second')
    await database.query('update access_grants set user_id = $1 where order_id = $2', [
      ...[heir, first.id],
    ]);
  const renew = (user_id: number, parent: Order) =>
    fixture().api.post('/orders', { product_id: club, user_id, order_parent_id: parent.id });
  const grants = async () => (await fixture().api.get(`/access?product_id=${club}`)).body.data;
  return { ...{ club, first, second, heir, renew, grants }, buyer: user() };
}

describe.each(['first', 'second'] as const)(
  'A subscription whose second order is another buyer’s, with the access of its %s buyer,',
  (holder) => {
    test('is renewed by its new subscriber with either order, and by nobody else', async () => {
      const { first, second, heir, buyer, renew, grants } = await takenOver(holder);
      for (const parent of [first, second])
        expect(await renew(buyer, parent)).toMatchObject({ status: 400 });
      const [{ end_active }] = await grants();
      for (const parent of [first, second]) {
        const reply = await renew(heir, parent);
        expect(reply).toMatchObject({ status: 201, trips: 2 });
        await move(reply.body.data, 'completed');
      }
      const [grant, ...others] = await grants();
      expect(others).toEqual([]);
      expect(grant.end_active > end_active).toBe(true);
      await expectIntegrity(fixture());
    });

    test('ends with its access once both orders are refunded', async () => {
      const { first, second, grants } = await takenOver(holder);
      await move(second, 'refunded');
      expect(await grants()).toMatchObject([{ status: 'active' }]);
      await move(first, 'refunded');
      expect(await grants()).toMatchObject([{ status: 'revoked' }]);
      await expectIntegrity(fixture());
    });

    test('is paused and resumed with its access', async () => {
      const { club, grants } = await takenOver(holder);
      const { body } = await fixture().api.get(`/subscriptions?product_id=${club}`);
      const path = `/subscriptions/${body.data[0].id}`;
      expect(await fixture().api.post(`${path}/pause`)).toMatchObject({ status: 200, trips: 2 });
      expect(await grants()).toMatchObject([{ status: 'revoked', revoke_reason: 'paused' }]);
      expect(await fixture().api.post(`${path}/resume`)).toMatchObject({ status: 200 });
      expect(await grants()).toMatchObject([{ status: 'active' }]);
      await expectIntegrity(fixture());
    });
  },
);
