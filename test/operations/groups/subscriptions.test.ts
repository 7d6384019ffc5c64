import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expireSubscriptions } from '../../../src/jobs/expire-subscriptions.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { behindLock } from '../../races/queue.ts';

const stage = useStoreFixture();
const store = () => stage.fixture.store;
let names = 0;
let user = 0;

beforeEach(async () => {
  store().clock.set('2026-01-10T10:00:00Z');
  user = (await stage.fixture.newUser()).id;
});

afterEach(async () => {
  await expectIntegrity(stage.fixture);
  // Ends the subscriptions of this test.
  at('2099-01-01T00:00:00Z');
  await runJob();
});

const at = (instant: string) => store().clock.set(instant);

const runJob = async (limit?: number) => expireSubscriptions(await store().services(), limit);

const regular = { duration: 1, period: 'monthly', price: 0 };
const tryout = { active: true, duration: 7, period: 'daily', first_only: false };

/** A new group that halves prices, and a club that moves its members there. */
async function given(subscription: object = {}, priority = 1) {
  const { body } = await stage.fixture.api.post('/user-groups', {
    ...{ name: `Club ${++names}`, priority },
    discount: { enabled: true, type: 'percentage', value: 50 },
  });
  const product = await stage.fixture.newProduct({
    ...{ price: 10_000, payment_type: 'recurring' },
    subscription: { active: true, regular, ...subscription },
    group: { update_group_to: body.data.id },
  });
  return { group: body.data.id as number, product: product.id };
}

const buy = (product_id: number, fields: object = { status: 'completed' }) =>
  stage.fixture.newOrder({ product_id, user_id: user, ...fields });

const renew = (product_id: number, { id }: { id: number }, fields: object = {}) =>
  buy(product_id, { order_parent_id: id, status: 'completed', ...fields });

const groupNow = async () => (await stage.fixture.user(user)).group_id;

async function send(path: string, body: object = {}): Promise<void> {
  const reply = await stage.fixture.api.post(path, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  expect(reply.trips).toBeLessThanOrEqual(2);
}

/** Changes the user's subscription to a product. */
async function change(product: number, action: string, body: object = {}): Promise<void> {
  const { body: found } = await stage.fixture.api.get(
    `/subscriptions?user_id=${user}&product_id=${product}`,
  );
  await send(`/subscriptions/${found.data[0].id}${action}`, body);
}

const refund = ({ id }: { id: number }) => send(`/orders/${id}`, { status: 'refunded' });

describe('A member returns to their former group', () => {
  test('when a free trial is cancelled, and pays the full price of other products again', async () => {
    const { group, product } = await given({ tryout });
    const other = await stage.fixture.newProduct({ price: 1_000_000 });
    const trial = await buy(product, {});
    expect(trial).toMatchObject({ status: 'completed', grand_total: 0 });
    expect(await groupNow()).toBe(group);
    await change(product, '/cancel', { at: 'now' });
    expect(await groupNow()).toBe(null);
    expect(await buy(other.id, {})).toMatchObject({ grand_total: 1_000_000 });
  });

  test('when the job records that the trial is over, once, with the event of the move', async () => {
    const hook = await stage.fixture.api.post('/webhooks', {
      ...{ name: 'Groups', url: 'https://hooks.example/x' },
      events: ['user.group-updated', 'subscription.expired'],
    });
    const { group, product } = await given({ tryout });
    await buy(product, {});
    at('2026-01-17T09:59:59Z');
    await runJob();
    expect(await groupNow()).toBe(group);
    at('2026-01-17T10:00:00Z');
    for (const _ of [1, 2]) await runJob();
    expect(await groupNow()).toBe(null);
    const { rows } = await store().database.query(
      `select event, data->'group_id' as group_id from outbox where webhook_id = $1 order by id`,
      [hook.body.data.id],
    );
    expect(rows).toEqual([
      { event: 'user.group-updated', group_id: group },
      { event: 'subscription.expired', group_id: null },
      { event: 'user.group-updated', group_id: null },
    ]);
    await stage.fixture.api.delete(`/webhooks/${hook.body.data.id}`);
  });

  test('when a month is over that nobody renewed, and a renewal gives the group again', async () => {
    const { group, product } = await given();
    const first = await buy(product);
    at('2026-02-09T10:00:00Z');
    await renew(product, first);
    at('2026-02-20T10:00:00Z');
    await runJob();
    expect(await groupNow()).toBe(group);
    at('2026-03-20T10:00:00Z');
    await runJob();
    expect(await groupNow()).toBe(null);
    const later = await renew(product, first);
    expect(await groupNow()).toBe(group);
    await refund(later);
    expect(await groupNow()).toBe(null);
  });

  test('at the end of the paid time of a cancelled month, not before', async () => {
    const { group, product } = await given();
    await buy(product);
    await change(product, '/cancel', { at: 'end' });
    expect(await groupNow()).toBe(group);
    at('2026-02-11T10:00:00Z');
    await runJob();
    expect(await groupNow()).toBe(null);
  });

  test('when the month is refunded that ran, although the one before it is paid', async () => {
    const { group, product } = await given();
    const first = await buy(product);
    const second = await renew(product, first);
    at('2026-02-20T10:00:00Z');
    expect(await groupNow()).toBe(group);
    await refund(second);
    expect(await groupNow()).toBe(null);
  });

  test('during a pause, and to the group afterwards, as long as one order counts', async () => {
    const { group, product } = await given();
    const first = await buy(product);
    const second = await renew(product, first);
    await change(product, '/pause');
    expect(await groupNow()).toBe(null);
    await renew(product, first);
    expect(await groupNow()).toBe(null);
    await change(product, '/resume');
    expect(await groupNow()).toBe(group);
    await refund(first);
    await refund(second);
    expect(await groupNow()).toBe(group);
    await change(product, '/cancel', { at: 'now' });
    expect(await groupNow()).toBe(null);
  });

  test('until a later end revives the subscription', async () => {
    const { group, product } = await given();
    await buy(product);
    at('2026-03-01T10:00:00Z');
    await runJob();
    await change(product, '', { end_date: '2026-04-01T00:00:00Z' });
    expect(await groupNow()).toBe(group);
    at('2026-04-01T00:00:00Z');
    await runJob();
    expect(await groupNow()).toBe(null);
  });

  test('after an unpaid instalment and its days of grace, and to the group with the payment', async () => {
    const plan = { payments: 2, after: 'keep', grace_days: 3 };
    const { group, product } = await given(plan);
    const first = await buy(product);
    at('2026-02-13T09:00:00Z');
    await runJob();
    expect(await groupNow()).toBe(group);
    at('2026-02-13T10:00:00Z');
    await runJob();
    expect(await groupNow()).toBe(null);
    await renew(product, first);
    expect(await groupNow()).toBe(group);
    at('2036-01-01T00:00:00Z');
    await runJob();
    expect(await groupNow()).toBe(group);
  });

  test('after the last period of a plan whose access ends', async () => {
    const { group, product } = await given({ payments: 2, after: 'end', grace_days: 3 });
    await renew(product, await buy(product));
    at('2026-03-10T09:00:00Z');
    await runJob();
    expect(await groupNow()).toBe(group);
    at('2026-03-10T10:00:00Z');
    await runJob();
    expect(await groupNow()).toBe(null);
  });
});

describe('The end of a subscription leaves its member', () => {
  test('in the highest group that their other orders give', async () => {
    const [silver, gold] = [await given({}, 1), await given({}, 2)];
    await buy(gold.product);
    at('2026-01-20T10:00:00Z');
    await buy(silver.product);
    expect(await groupNow()).toBe(gold.group);
    at('2026-02-15T10:00:00Z');
    await runJob();
    expect(await groupNow()).toBe(silver.group);
  });

  test('in no group, if all subscriptions end in the same run', async () => {
    const steps = [await given({}, 1), await given({}, 2), await given({}, 3)];
    for (const { product } of steps) await buy(product);
    expect(await groupNow()).toBe(steps[2]?.group);
    at('2026-02-15T10:00:00Z');
    await runJob();
    expect(await groupNow()).toBe(null);
  });

  test('in a group that was set by hand', async () => {
    const [club, other] = [await given({}, 2), await given({}, 1)];
    await buy(club.product);
    await send(`/users/${user}/group`, { group_id: other.group, force: true });
    await change(club.product, '/cancel', { at: 'now' });
    expect(await groupNow()).toBe(other.group);
  });

  test('in its group, if that was set by hand meanwhile', async () => {
    const { group, product } = await given();
    await buy(product);
    await send(`/users/${user}/group`, { group_id: group });
    await change(product, '/cancel', { at: 'now' });
    expect(await groupNow()).toBe(group);
  });

  test('in the group, if a former version recorded the end', async () => {
    const { group, product } = await given();
    await buy(product);
    at('2026-02-15T10:00:00Z');
    await store().database.query(
      `update subscriptions set status = 'expired' where user_id = ${user}`,
    );
    await runJob();
    await change(product, '', { note: 'Ended in a former version.' });
    expect(await groupNow()).toBe(group);
    await change(product, '/cancel', { at: 'now' });
    expect(await groupNow()).toBe(null);
  });
});

test.each([['the job'], ['the renewal']])(
  'A renewal that is paid while the job runs keeps the group, if %s comes first',
  async (first) => {
    const { group, product } = await given();
    const order = await buy(product);
    const renewal = await renew(product, order, { status: 'on-hold' });
    at('2026-02-15T10:00:00Z');
    const job = () => runJob();
    const pay = () => stage.fixture.api.patch(`/orders/${renewal.id}`, { status: 'completed' });
    const lock = `select from users where id = ${user} for update`;
    const calls: (() => Promise<unknown>)[] = first === 'the job' ? [job, pay] : [pay, job];
    await behindLock(store(), lock, calls, { inTurn: true });
    expect(await groupNow()).toBe(group);
    const { body } = await stage.fixture.api.get(`/subscriptions?user_id=${user}`);
    expect(body.data).toMatchObject([{ status: 'active', end_date: '2026-03-15T10:00:00.000Z' }]);
  },
);
