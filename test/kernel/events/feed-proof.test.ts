import { setTimeout as hold } from 'node:timers/promises';
import { Client } from 'pg';
import { expect } from 'vitest';
import { long } from '../../harness/long.ts';
import { useStore } from '../../harness/store.ts';
import { PostOffice } from './post-office.ts';

const opened = useStore();

const writers = 8;
const batchSize = 100;
const batches = 250;
const rows = batches * batchSize;

async function connected(): Promise<Client> {
  const { host, port, user, database } = opened.store.database;
  const client = new Client({ host, port, user, database });
  await client.connect();
  return client;
}

/** Deliveries in progress, in batches: the token and the ids of each. */
async function batchesFor(webhook: number): Promise<{ token: string; results: string }[]> {
  const { rows: claimed } = await opened.store.database.query<{ token: string; ids: number[] }>(
    `with batch as (select gen_random_uuid() as token from generate_series(1, $2::int)),
     leased as (
       insert into outbox
         (webhook_id, event_id, event, object_id, data, created_at, next_attempt_at, lease_token)
       select $1, gen_random_uuid(), 'ping', 1, '{}', now(), now(), token
         from batch, generate_series(1, $3::int)
       returning id, lease_token
     )
     select lease_token as token, jsonb_agg(id) as ids from leased group by 1`,
    [webhook, batches, batchSize],
  );
  return claimed.map(({ token, ids }) => ({
    token,
    results: JSON.stringify(
      ids.map((id) => ({ id, status: 'success', code: 200, milliseconds: 1, answer: '' })),
    ),
  }));
}

/**
 * Records batches until none is left. Each transaction stays open for a random time, and some are rolled back and
 * repeated. Each also writes as many rows with ids from a sequence.
 */
async function write(queue: { token: string; results: string }[]): Promise<void> {
  const client = await connected();
  for (let batch = queue.pop(); batch; batch = queue.pop()) {
    await client.query('begin');
    await client.query('insert into control select from generate_series(1, $1)', [batchSize]);
    if (Math.random() < 0.3) await hold(Math.random() * 3);
    await client.query('select svc_record_deliveries($1, $2, now())', [batch.token, batch.results]);
    if (Math.random() < 0.1) await hold(Math.random() * 3);
    const kept = Math.random() < 0.95;
    await client.query(kept ? 'commit' : 'rollback');
    if (!kept) queue.unshift(batch);
  }
  await client.end();
}

/**
 * Polls with `next` during the writes and up to the end.
 * @returns what it got
 */
async function readAll(
  written: () => boolean,
  next: (since: number) => Promise<{ ids: number[]; since: number }>,
): Promise<number[]> {
  const seen: number[] = [];
  for (let since = 0, last = false; ;) {
    const over = written();
    const page = await next(since);
    seen.push(...page.ids);
    since = page.since;
    if (page.ids.length === 0) await hold(1);
    if (last && page.ids.length === 0) return seen;
    last = over;
  }
}

long(
  'a reader of the feed neither misses nor repeats entries under 8 writers; with sequence numbers it would',
  { timeout: 60_000 },
  async () => {
    const office = await PostOffice.open(opened.store);
    const { database } = opened.store;
    await database.query(
      'create table control (id bigint generated always as identity primary key)',
    );
    const webhook = await office.webhook('https://hooks.example.com/', { events: ['ping'] });
    const queue = await batchesFor(webhook.id);
    let over = false;
    const writing = async () => {
      await Promise.all(Array.from({ length: writers }, () => write(queue)));
      over = true;
    };

    const feed = readAll(
      () => over,
      async (since_id) => {
        const { body } = await office.feed(webhook, { since_id, limit: 250 });
        return { ids: body.data.map(({ id }: { id: number }) => id), since: body.next_since };
      },
    );
    const control = readAll(
      () => over,
      async (since) => {
        const page = await database.query<{ id: string }>(
          'select id from control where id > $1 order by id limit 250',
          [since],
        );
        const ids = page.rows.map(({ id }) => Number(id));
        return { ids, since: ids.at(-1) ?? since };
      },
    );
    await writing();
    const seen = await feed;
    const repeated = seen.length - new Set(seen).size;
    expect({ rows: seen.length, repeated, last: seen.at(-1) }).toEqual({
      rows,
      repeated: 0,
      last: rows,
    });
    expect(new Set(await control).size).toBeLessThan(rows);
  },
);
