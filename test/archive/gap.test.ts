import { mkdtemp, mkdtempDisposable, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { orderToken } from '../../src/actions/shop/secrets.ts';
import { writeArchive } from '../../src/cli/archive/write.ts';
import { readAmounts, reserveAmounts } from '../../src/cli/store/transfers.ts';
import { largestCountedId, leaveGap, restoreGap } from '../../src/cli/support/sequences.ts';
import { long } from '../harness/long.ts';
import { type StoreFixture, useStoreFixture } from '../harness/store-fixture.ts';
import { type Store, baseUrl } from '../harness/store.ts';
import { amountStatement, branchStatements, openRestoredStore } from './archives.ts';
import { PostOffice } from '../kernel/events/post-office.ts';
import { useReceiver } from '../kernel/events/receiver.ts';

const opened = useStoreFixture();
const receiver = useReceiver();

interface FeedEntry {
  readonly data: { readonly data: { readonly title: string } };
}

// The database driver of this process is that of the store that opened last.
beforeEach(() => opened.fixture.store.restart());

test('The sessions and links of people and orders after a backup open nothing in the restored store', async () => {
  const { fixture } = opened;
  const parent = await mkdtemp(join(tmpdir(), 'gap-'));
  const folder = join(parent, 'backup');
  const product = await fixture.newProduct();
  await writeArchive(fixture.store.database, folder, () => undefined);
  const lost = await fixture.newUser();
  const { body } = await fixture.api.post('/sessions', { user_id: lost.id });
  const lostOrder = await fixture.newOrder({ product_id: product.id, user_id: lost.id });
  const again = await openRestoredStore(folder, opened.fixture);
  try {
    const other = await again.newUser();
    const order = await again.newOrder({ product_id: product.id, user_id: other.id });
    expect(other.id).toBeGreaterThan(lost.id);
    expect(order.id).toBeGreaterThan(lostOrder.id);
    const session = again.store.client({ authorization: `Bearer ${body.data.token}` });
    expect(await session.get('/me')).toMatchObject({ status: 401 });
    const { authority } = await fixture.store.services();
    const link = await orderToken(lostOrder.id, 0, authority);
    const page = await again.store.fetch(new Request(`${baseUrl}/order/${link}`));
    expect(page.status).toBe(404);
  } finally {
    await again.store.close();
    await rm(parent, { recursive: true });
  }
});

/** Reserves the amounts of `previous` in `restored`. */
type Reservation = (previous: Store['database'], restored: Store['database']) => Promise<unknown>;

const reservations: readonly (readonly [string, Reservation])[] = [
  [
    'a restore',
    async (previous, restored) => reserveAmounts(await readAmounts(previous), restored),
  ],
  [
    'a return by docs/backups.md',
    async (previous, restored) => {
      const { rows } = await previous.query<{ format: string }>(await amountStatement());
      for (const { format } of rows) await restored.query(format);
    },
  ],
];

let price = 70_000;

describe.each(reservations)('After %s that reserves the amounts of lost orders,', (_, reserve) => {
  beforeAll(async () => {
    await opened.fixture.set('unique_code_enabled', true);
  });
  afterAll(async () => {
    await opened.fixture.set('unique_code_enabled', false);
  });

  /** Opens a restored store that uses `codes` codes, with an order that it has and one that it lacks. */
  async function restoredShop(codes: number, status: string) {
    const { fixture } = opened;
    await fixture.set('unique_code_largest', codes);
    const product = await fixture.newProduct({ price: (price += 1000), stock: null });
    const { id: user_id } = await fixture.newUser();
    const order = { product_id: product.id, user_id };
    const known = await fixture.newOrder(order);
    await fixture.api.patch(`/orders/${known.id}`, { status });
    await using folder = await mkdtempDisposable(join(tmpdir(), 'gap-'));
    const backup = join(folder.path, 'backup');
    await writeArchive(fixture.store.database, backup, () => undefined);
    const again = await openRestoredStore(backup, fixture);
    return { again, order, known, lost: await fixture.newOrder(order) };
  }

  const claimOf = async ({ store }: StoreFixture, order_id: number) => {
    const { rows } = await store.database.query(
      'select held_until, earlier_until from payable_claims where order_id = $1',
      [order_id],
    );
    return rows[0];
  };

  test('new orders get other amounts, and known orders keep theirs', async () => {
    const { database } = opened.fixture.store;
    const { again, order, known, lost } = await restoredShop(3, 'on-hold');
    try {
      await reserve(database, again.store.database);
      const { id, grand_total } = await again.newOrder(order);
      expect(grand_total).not.toBe(lost.grand_total);
      const free = { held_until: null, earlier_until: null };
      expect([await claimOf(again, known.id), await claimOf(again, id)]).toEqual([free, free]);
      // A new order may have taken the amount before it was reserved.
      const { database: restored } = again.store;
      await restored.query('delete from payable_claims where amount = $1', [lost.grand_total]);
      await restored.query('update payable_claims set amount = $1 where order_id = $2', [
        lost.grand_total,
        id,
      ]);
      await reserve(database, again.store.database);
      expect(await claimOf(again, id)).toEqual({
        held_until: null,
        earlier_until: expect.any(Date),
      });
    } finally {
      await again.store.close();
    }
  });

  test('a reopened order gets its amount back, with the reservation of the lost order', async () => {
    const { again, known, lost } = await restoredShop(1, 'cancelled');
    try {
      expect(lost.grand_total).toBe(known.grand_total);
      await reserve(opened.fixture.store.database, again.store.database);
      await again.api.patch(`/orders/${known.id}`, { status: 'on-hold' });
      expect(await claimOf(again, known.id)).toEqual({
        held_until: null,
        earlier_until: expect.any(Date),
      });
    } finally {
      await again.store.close();
    }
  });
});

const events = { events: ['product.created'] };

async function deliver(office: PostOffice, ...titles: string[]): Promise<void> {
  for (const title of titles) await office.product(title);
  await office.store.settled();
}

async function readFeed(office: PostOffice, webhook: { id: number }, since_id: number) {
  const { status, body } = await office.feed(webhook, { since_id });
  expect(status).toBe(200);
  const titles: string[] = body.data.map((entry: FeedEntry) => entry.data.data.title);
  return { titles, since: body.next_since as number };
}

test('A restore leaves out ids of the log of each webhook, and the last attempt stays', async () => {
  const { store, api } = opened.fixture;
  const office = await PostOffice.open(store);
  const webhook = await office.webhook(receiver.url('/gap'), events);
  await deliver(office, 'one');
  const before = await readFeed(office, webhook, 0);
  await leaveGap(store.database);
  const shown = await api.get(`/webhooks/${webhook.id}`);
  expect(shown.body.data.last_attempt).toMatchObject({ status: 'success' });
  const later = await readFeed(office, webhook, before.since);
  expect(later.titles).toEqual([]);
  expect(later.since).toBeGreaterThan(before.since);
  await deliver(office, 'two');
  expect((await readFeed(office, webhook, before.since)).titles).toEqual(['two']);
});

const ways = [
  { name: 'A restore', leave: leaveGap },
  {
    name: 'A branch by docs/backups.md',
    leave: async (client: Store['database']) => client.query(await branchStatements()),
  },
];

for (const { name, leave } of ways) {
  test(`${name} begins each counter above what an earlier restore of the same backup gave out`, async () => {
    const { store } = opened.fixture;
    const office = await PostOffice.open(store);
    await office.webhook(receiver.url('/twice'), events);
    const backup = await lastIds(store);
    await leave(store.database);
    const first = await lastIds(store);
    await returnTo(store, backup);
    await leave(store.database);
    const second = await lastIds(store);
    for (const [counter, last] of Object.entries(first)) {
      expect(last, counter).toBeGreaterThan(backup[counter] ?? 0);
      expect(second[counter], counter).toBeGreaterThan(last);
      expect(second[counter], counter).toBeLessThan(largestCountedId);
    }
  });

  test(`${name} leaves out 100,000 ids of a counter that is above the clock`, async () => {
    const { store } = opened.fixture;
    const before = await lastIds(store);
    await returnTo(store, { users_id_seq: largestCountedId });
    await leave(store.database);
    const after = await lastIds(store);
    await returnTo(store, before);
    expect(after['users_id_seq']).toBe(largestCountedId + restoreGap + 1);
  });
}

test('The statements of docs/backups.md end the sessions', async () => {
  expect(await branchStatements()).toContain('set sessions_valid_after = now()');
});

/** Sets counters back, as the restore of a backup does. */
async function returnTo({ database }: Store, backup: Record<string, number>): Promise<void> {
  for (const [name, last] of Object.entries(backup))
    await (name.startsWith('log ')
      ? database.query('update webhook_states set last_log_id = $2 where webhook_id = $1', [
          name.slice('log '.length),
          last,
        ])
      : database.query('select setval($1, $2)', [name, last]));
}

/** The last ids of all counters, of which each sequence gives out one more. */
async function lastIds({ database }: Store): Promise<Record<string, number>> {
  const { rows } = await database.query<{ name: string; last: string }>(
    `select c.relname as name, pg_sequence_last_value(c.oid) as last from pg_class c
      where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace and nextval(c.oid) > 0
      union all select 'log ' || webhook_id, last_log_id from webhook_states order by name`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, Number(last)]));
}

long(
  'A reader of the feed continues after a restore: no new entry has the id of a lost one',
  async () => {
    const { store } = opened.fixture;
    const parent = await mkdtemp(join(tmpdir(), 'gap-'));
    const folder = join(parent, 'backup');
    const office = await PostOffice.open(store);
    const webhook = await office.webhook(receiver.url('/hook'), events);
    await deliver(office, 'one', 'two');
    await writeArchive(store.database, folder, () => undefined);
    await deliver(office, 'lost', 'lost as well');
    const { titles, since } = await readFeed(office, webhook, 0);
    expect(titles).toHaveLength(4);
    const again = await openRestoredStore(folder, opened.fixture);
    try {
      const after = await PostOffice.open(again.store);
      await deliver(after, 'three', 'four', 'five');
      const added = await readFeed(after, webhook, since);
      // Deliveries of one run are recorded in any order.
      expect(added.titles.toSorted()).toEqual(['five', 'four', 'three']);
      const all = await readFeed(after, webhook, 0);
      expect(all.titles.toSorted()).toEqual(['one', 'two', ...added.titles].toSorted());
    } finally {
      await again.store.close();
      await rm(parent, { recursive: true });
    }
  },
);
