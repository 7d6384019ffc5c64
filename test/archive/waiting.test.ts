import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restoreArchive } from '../../src/cli/archive/restore.ts';
import { writeArchive } from '../../src/cli/archive/write.ts';
import { findDifferences } from '../../src/cli/store/undone.ts';
import { stopWaiting, stoppedRefundLines } from '../../src/cli/store/waiting.ts';
import { announceEnds } from '../../src/jobs/expire-subscriptions.ts';
import { tellPayouts } from '../../src/jobs/tell-payouts.ts';
import type { Store } from '../harness/store.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { branchStatements } from './archives.ts';
import { emptyDatabase } from '../upgrade/old-store.ts';
import { useTill } from '../operations/payments/till.ts';
import { usePost } from '../operations/messages/post.ts';

const shop = useTill('stripe');
beforeAll(() => setRealTime(shop.till.store));
afterAll(() => expectIntegrity(shop.till));

/** Sets the clock of a store to the time of the database, by which a restore stops work. */
const setRealTime = async ({ clock }: Store) =>
  clock.advance((Date.now() - clock.now().getTime()) / 1000);

/** A time after every row. */
const readAt = '2999-01-01T00:00:00Z';

const ways = [
  ['a restore', (client: Client) => stopWaiting(client, readAt)],
  ['docs/backups.md', async (client: Client) => client.query(await branchStatements())],
] as const;

/** A refund that waits, and is stopped as by a restore; `meanwhile` happened after the backup. */
async function stopRefund(
  stop: (database: Client) => Promise<unknown>,
  meanwhile: (reference: string, amount: number) => void,
) {
  const { till } = shop;
  const { id: order_id, reference } = await till.paid();
  await till.refund(order_id, 1000);
  meanwhile(reference, 1000);
  await stop(till.store.database);
  await till.later(1);
  await till.later(6 * 3600);
  const [refund] = await till.refunds(order_id);
  return { order_id, refund, books: till.provider.books(reference) };
}

test('A refund that waited at a backup, and was made at the provider since, is found there and not sent again', async () => {
  const { refund, books } = await stopRefund(
    (client) => stopWaiting(client, readAt),
    (reference, amount) => shop.till.provider.refundByHand(reference, amount),
  );
  expect(refund.state).toBe('succeeded');
  expect(books).toMatchObject({ refunds: 1, refunded: 1000 });
  expect(await stoppedRefundLines(shop.till.store.database)).toEqual([]);
});

test.each(ways)(
  'A refund that waited at a backup, and is not at the provider, fails unsent after %s, and its order is named',
  async (_, stop) => {
    const { order_id, refund, books } = await stopRefund(stop, () => undefined);
    expect(refund.state).toBe('failed');
    expect(books.refunds).toBe(0);
    const { database } = shop.till.store;
    expect((await stoppedRefundLines(database)).join()).toContain(`(order ${order_id})`);
    const paid = await shop.till.fixture.api.post(`/refunds/${refund.id}`, {
      action: 'paid_by_hand',
    });
    expect(paid.status).toBe(200);
    expect(await stoppedRefundLines(database)).toEqual([]);
  },
);

test('Unpaid orders whose time is over at a restore stay for a week', async () => {
  const { till } = shop;
  const { id } = await till.newOrder();
  const { database } = till.store;
  await database.query("update orders set expires_at = now() - interval '1 day' where id = $1", [
    id,
  ]);
  await stopWaiting(database, readAt);
  await till.later(3 * 86_400);
  expect(await till.fixture.order(id)).toMatchObject({ status: 'on-hold' });
  await till.later(7 * 86_400);
  expect(await till.fixture.order(id)).toMatchObject({ status: 'cancelled' });
});

test('What the restored store began itself goes on when the work of the backup is stopped again', async () => {
  const { till } = shop;
  const { id: order_id } = await till.paid();
  await till.refund(order_id, 1000);
  const before = new Date(till.store.clock.now().getTime() - 1000).toISOString();
  await stopWaiting(till.store.database, before);
  expect(await till.refunds(order_id)).toMatchObject([{ state: 'requested' }]);
  await till.later(1);
});

test('A restore names no order whose end it only postponed', async () => {
  const { till } = shop;
  const { database, databaseUrl } = till.store;
  await setRealTime(till.store);
  const { id } = await till.newOrder();
  const since = till.store.clock.now().toISOString();
  const { url, client } = await emptyDatabase();
  await using folder = await mkdtempDisposable(join(tmpdir(), 'waiting-'));
  const backup = join(folder.path, 'backup');
  await writeArchive(database, backup, () => undefined);
  await restoreArchive(url, backup, () => undefined, undefined);
  await client.query("update orders set expires_at = now() - interval '1 day' where id = $1", [id]);
  await stopWaiting(client, readAt);
  const { rows } = await client.query('select expires_at > now() as ok from orders where id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ ok: true }]);
  expect((await findDifferences([databaseUrl], client, since)).found.anyOrder).toEqual([]);
});

test('An unexpected payment whose refund waited at a backup is open again', async () => {
  const { till } = shop;
  const { id } = await till.newOrder();
  const reference = await till.opened(id);
  await till.fixture.api.patch(`/orders/${id}`, { status: 'cancelled' });
  till.provider.pay(reference);
  await till.bring();
  const [money] = await till.unexpected(id);
  const path = `/payments/unexpected/${money.id}`;
  expect((await till.fixture.api.post(path, { action: 'refund' })).status).toBe(200);
  await stopWaiting(till.store.database, readAt);
  await till.later(1);
  expect(await till.unexpected(id)).toMatchObject([{ id: money.id, status: 'open' }]);
  expect(till.provider.books(reference).refunds).toBe(0);
});

test('A restore names payment pages, unexpected payments, erased orders and stock of after the backup', async () => {
  const { till } = shop;
  const { fixture, store } = till;
  const limited = await fixture.newProduct({ stock: 5 });
  const paged = await till.newOrder();
  const erased = await till.newOrder({ status: 'cancelled' });
  await using folder = await mkdtempDisposable(join(tmpdir(), 'waiting-'));
  const backup = join(folder.path, 'backup');
  const { exported_at } = await writeArchive(store.database, backup, () => undefined);
  store.clock.advance(60);
  const reference = await till.opened(paged.id);
  till.provider.pay(reference, { amount: 1 });
  await till.bring();
  const [money] = await till.unexpected(paged.id);
  await fixture.api.delete(`/orders/${erased.id}?force=true`);
  await fixture.api.patch(`/products/${limited.id}`, { stock_delta: -2 });
  const { url, client } = await emptyDatabase();
  await restoreArchive(url, backup, () => undefined, undefined);
  const { found } = await findDifferences([store.databaseUrl], client, exported_at);
  expect(found).toMatchObject({
    opened: [String(paged.id)],
    received: [String(money.id)],
    erasedOrders: [String(erased.id)],
    stock: [String(limited.id)],
  });
});

const office = usePost(['resend']);

test.each(ways)(
  'Messages and reminders that waited at a backup are cancelled after %s, and later reminders stay',
  async (_, stop) => {
    const { post } = office;
    const { fixture, store } = post;
    await setRealTime(store);
    const { id: user_id } = await post.newBuyer();
    const product = await fixture.newProduct();
    const order = await fixture.newOrder({ product_id: product.id, user_id });
    await store.settled();
    await store.database.query("update messages set status = 'queued', due_at = now()");
    const remind = async (seconds: number) => {
      const scheduled_at = new Date(store.clock.now().getTime() + seconds * 1000).toISOString();
      const text = { media_type: 'email', title: 'Pay', content: 'Please pay.' };
      await fixture.api.post('/reminders', { order_id: order.id, ...text, scheduled_at });
    };
    await remind(-60);
    await remind(3600);
    const sent = post.sender().journal.length;
    await stop(store.database);
    await post.later(60);
    expect(post.sender().journal).toHaveLength(sent);
    expect(await post.log(`order_id=${order.id}`)).toMatchObject([
      { kind: 'order-placed', status: 'cancelled', last_error: 'store_restored' },
      { kind: 'new-order', status: 'cancelled', last_error: 'store_restored' },
    ]);
    await post.later(3600);
    const { body } = await fixture.api.get(`/reminders?order_id=${order.id}`);
    const statuses = body.data.map(({ status }: { status: string }) => status);
    expect(statuses.toSorted()).toEqual(['cancelled', 'sent']);
  },
);

test.each(ways)(
  'After %s, ends of subscriptions within three days are not announced, and later ends are',
  async (_, stop) => {
    const { post } = office;
    const { fixture, store } = post;
    await setRealTime(store);
    const club = await fixture.newProduct({
      ...{ price: 9000, payment_type: 'recurring' },
      subscription: { active: true, regular: { duration: 1, period: 'monthly', price: 0 } },
    });
    const begin = async (left: string) => {
      const { id: user_id } = await post.newBuyer();
      await fixture.newOrder({ product_id: club.id, user_id, status: 'completed' });
      await store.database.query(
        'update subscriptions set end_date = now() + $2::interval where user_id = $1',
        [user_id, left],
      );
      return user_id;
    };
    const buyers = [await begin('2 days'), await begin('5 days')];
    const announced = async () => {
      await announceEnds(await store.services());
      const all = await post.log();
      return buyers.map((id) => all.filter(isEndingOf(id)).length);
    };
    await stop(store.database);
    expect(await announced()).toEqual([0, 0]);
    store.clock.advance(2.5 * 86_400);
    expect(await announced()).toEqual([0, 1]);
  },
);

const isEndingOf = (user_id: number) => (message: { kind: string; user_id: number | null }) =>
  message.kind === 'subscription-ending' && message.user_id === user_id;

test.each(ways)('After %s, a payout whose notice was due is not announced', async (_, stop) => {
  const { post } = office;
  const { fixture, store } = post;
  await setRealTime(store);
  // Commissions of affiliates with the same account are held.
  const number = String(store.clock.now().getTime());
  const bank_account = { bank_code: '014', bank_name: 'BCA', holder: 'Citra', number };
  const { id: affiliate_id } = await fixture.newAffiliate({ bank_account });
  const affiliate = { enabled: true, tiers: [{ tier: 1, fee: 20, type: 'percentage' }] };
  const { id: product_id } = await fixture.newProduct({ price: 100_000, affiliate });
  await fixture.newOrder({ product_id, affiliate_id, status: 'completed' });
  const run = await fixture.api.post('/payout-runs', { affiliates: [affiliate_id] });
  const confirmed = await fixture.api.post(`/payout-runs/${run.body.data.id}/confirm`);
  expect(confirmed.status).toBe(200);
  await store.database.query('update payout_lines set tell_at = now() where tell_at is not null');
  await stop(store.database);
  store.clock.advance(60);
  await tellPayouts(await store.services());
  const told = (await post.log()).filter(({ user_id }) => user_id === affiliate_id);
  expect(told.map(({ kind }) => kind)).not.toContain('commission-paid');
});
