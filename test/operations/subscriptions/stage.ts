import { beforeEach, expect } from 'vitest';
import { UnitOfWork } from '../../../src/kernel/database/unit-of-work.ts';
import type { Order } from '../../../src/domain/order/schemas.ts';
import { toSubscription } from '../../../src/domain/subscription/rules.ts';
import { Subscription } from '../../../src/domain/subscription/schemas.ts';
import { listSubscriptions } from '../../../src/queries/subscriptions.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

export const monthly = { duration: 1, period: 'monthly', price: 50_000 };

/** A store that sells clubs, with a new user for each test, on the last day of January. */
export function useClubs() {
  const opened = useStoreFixture();
  const fixture = () => opened.fixture;
  const at = (instant: string) => fixture().store.clock.set(instant);
  let user: number;

  beforeEach(async () => {
    at('2026-01-31T10:00:00Z');
    user = (await fixture().newUser()).id;
  });

  const newClub = async (subscription: object = {}, fields: object = {}) =>
    (
      await fixture().newProduct({
        title: 'Club',
        price: 60_000,
        payment_type: 'recurring',
        subscription: { active: true, regular: monthly, ...subscription },
        ...fields,
      })
    ).id;

  const buy = (product_id: number, fields: object = {}) =>
    fixture().newOrder({ product_id, user_id: user, ...fields });

  const tryToBuy = (product_id: number, fields: object = {}) =>
    fixture().api.post('/orders', { product_id, user_id: user, ...fields });

  const move = async ({ id }: Pick<Order, 'id'>, status: string) => {
    const reply = await fixture().api.patch(`/orders/${id}`, { status });
    expect(reply).toMatchObject({ status: 200, trips: 2 });
  };

  const unit = async () => new UnitOfWork((await fixture().store.services()).connection, undefined);

  const subscriptions = async () => {
    const window = { limit: 10, offset: 0, ascending: false, after: undefined, counted: true };
    const { rows } = await (
      await unit()
    ).query({ rows: listSubscriptions({ user_id: user }, window) });
    const now = fixture().store.clock.now().toISOString();
    return rows.map((row) => Subscription.parse(toSubscription(row, now)));
  };

  const access = async (product_id: number) => {
    const { body } = await fixture().api.get(
      `/access/check?user_id=${user}&product_id=${product_id}`,
    );
    return body as { reason: string; detail: { start: string | null; end_active: string | null } };
  };

  return {
    ...{ fixture, at, user: () => user },
    ...{ newClub, buy, tryToBuy, move, unit, subscriptions, access },
  };
}
