import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { untilWaiting } from './queue.ts';

const opened = useStoreFixture();

/** Reads a page of changed orders, the latest change last. */
async function read(query: string) {
  const { status, body } = await opened.fixture.api.get(
    `/orders?sort=updated_at&per_page=2&${query}`,
  );
  expect(status, JSON.stringify(body)).toBe(200);
  return body as {
    data: { id: number; note: string; updated_at: string }[];
    meta: { next_cursor: string | null; next_updated_since: string };
  };
}

/**
 * Reads every page from an instant on.
 * @param between runs before each further page
 */
async function readAll(since: string, between: () => Promise<void> = async () => {}) {
  let page = await read(`updated_since=${since}`);
  const rows = [...page.data];
  for (let cursor = page.meta.next_cursor; cursor; cursor = page.meta.next_cursor) {
    await between();
    page = await read(`updated_since=${since}&cursor=${encodeURIComponent(cursor)}`);
    rows.push(...page.data);
  }
  return { rows, next: page.meta.next_updated_since };
}

/** Changes an order by a request that waits before its commit until the returned function is called. */
async function changeSlowly(id: number) {
  const { store, api } = opened.fixture;
  const holder = new Client({ connectionString: store.databaseUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from orders where id = $1 for update', [id]);
  const reply = api.patch(`/orders/${id}`, { note: 'Slow.' });
  await untilWaiting(store, 1);
  return async () => {
    await holder.query('commit');
    await holder.end();
    expect(await reply).toMatchObject({ status: 200 });
  };
}

const change = async (id: number) =>
  expect(await opened.fixture.api.patch(`/orders/${id}`, { note: 'Fast.' })).toMatchObject({
    status: 200,
  });

const isThere = (id: number, { rows }: Awaited<ReturnType<typeof readAll>>) =>
  rows.some((row) => row.id === id && row.note === 'Slow.');

/** Reads while the change of an order has waited eight seconds for its commit, and then lets it commit. */
async function readPastAChange() {
  const { fixture } = opened;
  const { clock } = fixture.store;
  clock.advance(3600);
  const since = clock.now().toISOString();
  const { id: product_id } = await fixture.newProduct();
  const slow = await fixture.newOrder({ product_id });
  const fast = await fixture.newOrder({ product_id });
  clock.advance(60);
  const finish = await changeSlowly(slow.id);
  clock.advance(8);
  await change(fast.id);
  const first = await readAll(since);
  expect(isThere(slow.id, first)).toBe(false);
  await finish();
  return { slow: slow.id, first };
}

describe('A change that commits after a reader has moved past its time', () => {
  test('comes with next_updated_since', async () => {
    const { slow, first } = await readPastAChange();
    expect(isThere(slow, await readAll(first.next))).toBe(true);
  });

  long(
    'control: is missed by a reader who continues from the last change that they saw',
    async () => {
      const { slow, first } = await readPastAChange();
      expect(isThere(slow, await readAll(first.rows.at(-1)?.updated_at ?? ''))).toBe(false);
    },
  );
});

/** Reads pages with an hour between them, while an order's change commits behind the second. */
async function readForHours() {
  const { fixture } = opened;
  const { clock } = fixture.store;
  clock.advance(3600);
  const since = clock.now().toISOString();
  const { id: product_id } = await fixture.newProduct();
  const ids: number[] = [];
  for (let i = 0; i < 6; i++) {
    ids.push((await fixture.newOrder({ product_id })).id);
    clock.advance(1);
  }
  const [slow = 0, first = 0, second = 0] = ids;
  let finish = async () => {};
  let page = 1;
  const read = await readAll(since, async () => {
    page++;
    if (page === 2) {
      finish = await changeSlowly(slow);
      clock.advance(5);
      await change(first);
      await change(second);
    }
    if (page === 4) await finish();
    clock.advance(3600);
  });
  return { slow, read, now: clock.now() };
}

describe('A change that commits behind the pages that were read', () => {
  test('comes with the next_updated_since of any page, however long reading took', async () => {
    const { slow, read } = await readForHours();
    expect(isThere(slow, read)).toBe(false);
    expect(isThere(slow, await readAll(read.next))).toBe(true);
  });

  long('control: is missed by a reader who takes the time of the last page', async () => {
    const { slow, now } = await readForHours();
    const late = new Date(now.getTime() - 15_000).toISOString();
    expect(isThere(slow, await readAll(late))).toBe(false);
  });
});
