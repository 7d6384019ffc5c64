import { describe, expect, test } from 'vitest';
import { long } from '../../harness/long.ts';
import { breakRow } from '../../harness/break.ts';
import { expireSubscriptions } from '../../../src/jobs/expire-subscriptions.ts';
import { GuardFailure } from '../../../src/kernel/database/errors.ts';
import { countRunning } from '../../../src/queries/subscriptions.ts';
import { expireSubscription, findOver } from '../../../src/queries/subscription-due.ts';
import { expectIntegrity, expectNoticed } from '../../harness/integrity.ts';
import { monthly, useClubs } from './stage.ts';

const { fixture, at, user, newClub, buy, move, unit, subscriptions, access } = useClubs();

describe('a monthly subscription', () => {
  test('starts when its order completes and ends a calendar month later, with its access', async () => {
    const club = await newClub();
    const order = await buy(club);
    expect(order).toMatchObject({
      type: 'subscription-regular',
      order_parent_id: null,
      unit_price: 50_000,
      grand_total: 50_000,
    });
    expect(await subscriptions()).toEqual([]);
    expect(await access(club)).toMatchObject({ reason: 'not-bought' });

    await move(order, 'completed');
    expect(await subscriptions()).toMatchObject([
      {
        id: expect.any(Number),
        order_id: order.id,
        order_parent_id: null,
        product_id: club,
        product_name: 'Club',
        type: 'subscription-regular',
        status: 'active',
        start: '2026-01-31T10:00:00.000Z',
        end_date: '2026-02-28T10:00:00.000Z',
        days_left: 28,
        renewable_until: null,
        renew_price: 50_000,
      },
    ]);
    at('2026-02-28T09:59:59Z');
    expect(await subscriptions()).toMatchObject([{ status: 'active', days_left: 1 }]);
    expect(await access(club)).toMatchObject({ reason: 'ok' });
    at('2026-02-28T10:00:00Z');
    expect(await subscriptions()).toMatchObject([{ status: 'expired', days_left: 0 }]);
    expect(await access(club)).toMatchObject({
      reason: 'expired',
      detail: { end_active: '2026-02-28T10:00:00.000Z' },
    });
  });

  test('is extended by a renewal, from its end on, and its access keeps its start', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    at('2026-02-10T10:00:00Z');
    const second = await buy(club, { order_parent_id: first.id });
    expect(second).toMatchObject({ type: 'subscription-regular', order_parent_id: first.id });
    expect(await subscriptions()).toMatchObject([{ end_date: '2026-02-28T10:00:00.000Z' }]);
    await move(second, 'completed');
    expect(await subscriptions()).toMatchObject([
      {
        order_id: second.id,
        order_parent_id: first.id,
        status: 'active',
        start: '2026-01-31T10:00:00.000Z',
        end_date: '2026-03-31T10:00:00.000Z',
      },
    ]);
    expect(await access(club)).toMatchObject({
      detail: { start: '2026-01-31T10:00:00.000Z', end_active: '2026-03-31T10:00:00.000Z' },
    });
    // A renewal of a renewal belongs to the same chain.
    const third = await buy(club, { order_parent_id: second.id, status: 'completed' });
    expect(third.order_parent_id).toBe(first.id);
    expect(await subscriptions()).toMatchObject([{ end_date: '2026-04-30T10:00:00.000Z' }]);
    const { body } = await fixture().api.get(`/access?user_id=${user()}`);
    expect(body.meta.pagination.total).toBe(1);
  });

  long(
    'that was sold by another shop keeps its end, and a renewal extends it from there',
    async () => {
      const club = await newClub();
      const first = await buy(club, { status: 'completed' });
      const until = '2026-03-02T10:00:00.000Z';
      const { database } = fixture().store;
      await database.query('update subscription_terms set until = $2 where order_id = $1', [
        first.id,
        until,
      ]);
      await database.query('update subscriptions set end_date = $2 where first_order_id = $1', [
        first.id,
        until,
      ]);
      await database.query('update access_grants set end_active = $2 where order_id = $1', [
        first.id,
        until,
      ]);
      await expectIntegrity(fixture());
      at('2026-02-20T10:00:00Z');
      const second = await buy(club, { order_parent_id: first.id, status: 'completed' });
      expect(await subscriptions()).toMatchObject([{ end_date: '2026-04-02T10:00:00.000Z' }]);
      await expectIntegrity(fixture());
      // Refunded, the first term counts as if it had never existed; paid again, it counts in full.
      await move(first, 'in-progress');
      await move(first, 'on-hold');
      expect(await subscriptions()).toMatchObject([{ end_date: '2026-03-20T10:00:00.000Z' }]);
      await move(first, 'completed');
      expect(await subscriptions()).toMatchObject([
        { order_id: second.id, end_date: '2026-04-20T10:00:00.000Z' },
      ]);
      await expectIntegrity(fixture());
      await expectNoticed(
        fixture(),
        'subscriptions against their terms',
        `update subscription_terms set until = '2027-01-01' where activated_at is not null`,
      );
    },
  );

  long('that was sold elsewhere from a 31st to a 28th is renewed to the 31st', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    const { database } = fixture().store;
    // A second later than the service would end it, by another shop's clock.
    const until = '2026-02-28T10:00:01.000Z';
    for (const statement of [
      'update subscription_terms set until = $2 where order_id = $1',
      'update subscriptions set end_date = $2 where first_order_id = $1',
      'update access_grants set end_active = $2 where order_id = $1',
    ])
      await database.query(statement, [first.id, until]);
    at('2026-02-20T10:00:00Z');
    for (const end of ['2026-03-31', '2026-04-30', '2026-05-31']) {
      await buy(club, { order_parent_id: first.id, status: 'completed' });
      expect(await subscriptions()).toMatchObject([{ end_date: `${end}T10:00:01.000Z` }]);
    }
    await expectIntegrity(fixture());
  });

  test('that lapsed starts again when its renewal completes', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    at('2026-03-10T12:00:00Z');
    await buy(club, { order_parent_id: first.id, status: 'completed' });
    expect(await subscriptions()).toMatchObject([
      { status: 'active', end_date: '2026-04-10T12:00:00.000Z' },
    ]);
    expect(await access(club)).toMatchObject({ reason: 'ok' });
  });

  test('is not extended twice by an order that is completed twice', async () => {
    const club = await newClub();
    const order = await buy(club, { status: 'completed' });
    const before = await subscriptions();
    at('2026-02-05T10:00:00Z');
    await move(order, 'in-progress');
    await move(order, 'completed');
    expect((await subscriptions())[0]).toMatchObject({ end_date: before[0]?.end_date });
  });

  test('has the terms that were agreed when it was ordered, whatever the product says later', async () => {
    const club = await newClub();
    const order = await buy(club);
    await fixture().api.patch(`/products/${club}`, {
      subscription: { regular: { duration: 1, period: 'daily', price: 50_000 } },
    });
    await move(order, 'completed');
    expect(await subscriptions()).toMatchObject([{ end_date: '2026-02-28T10:00:00.000Z' }]);
  });
});

describe('the cron', () => {
  const run = async (limit?: number) => {
    await expireSubscriptions(await fixture().store.services(), limit);
  };
  const stored = async () => {
    const { rows } = await fixture().store.database.query<{ status: string; version: string }>(
      'select status, version from subscriptions where user_id = $1 order by id',
      [user()],
    );
    return rows.map(({ status }) => status);
  };
  const heard = async () => {
    const { rows } = await fixture().store.database.query<{ event: string; end_date: string }>(
      `select event, data ->> 'end_date' as end_date from outbox o
        where event like 'subscription.%' and exists (
          select from subscriptions s where s.id = o.object_id and s.user_id = $1
        ) order by id`,
      [user()],
    );
    return rows.map(({ event, end_date }) => `${event} ${end_date}`);
  };

  test('expires subscriptions that are over, a few at a time, with one event each', async () => {
    // Ends the subscriptions of earlier tests.
    at('2099-01-01T00:00:00Z');
    await run(1000);
    await fixture().api.post('/webhooks', {
      name: 'All',
      url: 'https://receiver.example/hook',
      events: ['subscription.*'],
    });
    at('2026-01-31T10:00:00Z');
    const club = await newClub();
    await buy(club, { status: 'completed' });
    at('2026-01-31T11:00:00Z');
    await buy(club, { status: 'completed' });
    await buy(await newClub({ regular: { ...monthly, period: 'yearly' } }), {
      status: 'completed',
    });

    at('2026-02-28T09:59:59Z');
    await run();
    expect(await stored()).toEqual(['active', 'active', 'active']);
    at('2026-03-01T00:00:00Z');
    await run(1);
    expect(await stored()).toEqual(['expired', 'active', 'active']);
    await run(1);
    await run(1);
    expect(await stored()).toEqual(['expired', 'expired', 'active']);
    expect(await heard()).toEqual([
      'subscription.active 2026-02-28T10:00:00.000Z',
      'subscription.active 2026-02-28T11:00:00.000Z',
      'subscription.active 2027-01-31T11:00:00.000Z',
      'subscription.expired 2026-02-28T10:00:00.000Z',
      'subscription.expired 2026-02-28T11:00:00.000Z',
    ]);
  });

  test('expires the others if one of them fails in the database', async () => {
    await buy(await newClub(), { status: 'completed' });
    await buy(await newClub(), { status: 'completed' });
    const { rows } = await fixture().store.database.query<{ id: string }>(
      'select id from subscriptions where user_id = $1 order by id',
      [user()],
    );
    const mend = await breakRow(fixture().store, 'subscriptions', Number(rows[0]?.id));
    at('2026-03-01T00:00:00Z');
    await expect(run()).rejects.toThrow('broken');
    await mend();
    expect(await stored()).toEqual(['active', 'expired']);
    await run();
    expect(await stored()).toEqual(['expired', 'expired']);
  });

  test('leaves a subscription alone that was renewed since the job read it', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    at('2026-03-01T00:00:00Z');
    const now = fixture().store.clock.now();
    const work = await unit();
    const { over } = await work.query({ over: findOver(now, 10) });
    await buy(club, { order_parent_id: first.id, status: 'completed' });
    const outdated = over.map(({ subscription }) => expireSubscription(subscription, now));
    await expect(work.write(outdated)).rejects.toThrow(GuardFailure);
    expect(over).toMatchObject([{ subscription: { user_id: user() } }]);
    expect(await stored()).toEqual(['active']);
    expect(await heard()).not.toContainEqual(expect.stringContaining('expired'));
  });

  test('need not have run for a renewal, and an expired subscription can be renewed', async () => {
    const club = await newClub();
    const first = await buy(club, { status: 'completed' });
    at('2026-03-01T00:00:00Z');
    await run();
    expect(await stored()).toEqual(['expired']);
    await buy(club, { order_parent_id: first.id, status: 'completed' });
    expect(await stored()).toEqual(['active']);
    expect(await subscriptions()).toMatchObject([{ end_date: '2026-04-01T00:00:00.000Z' }]);
  });
});

test('countRunning counts the running subscriptions of a user, and separately those that end within a week', async () => {
  const club = await newClub();
  const yearly = await newClub({ regular: { ...monthly, period: 'yearly' } });
  await buy(club, { status: 'completed' });
  await buy(yearly, { status: 'completed' });
  const counted = async () => {
    const now = fixture().store.clock.now();
    const { counts } = await (await unit()).query({ counts: countRunning(user(), now) });
    return counts[0];
  };
  expect(await counted()).toEqual({ active: 2, expiring_7d: 0 });
  at('2026-02-21T10:00:00Z');
  expect(await counted()).toEqual({ active: 2, expiring_7d: 1 });
  at('2026-02-28T10:00:00Z');
  expect(await counted()).toEqual({ active: 1, expiring_7d: 0 });
});

test('after these tests every derived figure is right', () => expectIntegrity(fixture()));
