import { beforeEach, expect, test } from 'vitest';
import { long } from '../../harness/long.ts';
import { UnitOfWork } from '../../../src/kernel/database/unit-of-work.ts';
import { claimMessages } from '../../../src/queries/message-claims.ts';
import { messageKinds, orderMessageKinds } from '../../../src/schema/lists.ts';
import { usePost } from './post.ts';

const opened = usePost(['resend']);
let user_id: number;

beforeEach(async () => {
  const { database } = opened.post.store;
  // Messages of the previous test would be sent beside the buyer's welcome.
  await database.query('delete from messages');
  user_id = (await opened.post.newBuyer()).id;
  await opened.post.store.settled();
  await database.query('delete from messages; delete from message_senders');
});

const queue = (kind: string, count: number) =>
  opened.post.store.database.query(
    `insert into messages (kind, medium, user_id, status, due_at, created_at, updated_at)
     select $1, 'email', $2, 'queued', $3, $3, $3 from generate_series(1, $4)`,
    [kind, user_id, opened.post.store.clock.now(), count],
  );

/**
 * Claims some messages.
 * @returns their kinds, in the order of sending
 */
async function claim(most: number): Promise<string[]> {
  const { store } = opened.post;
  const { connection } = await store.services();
  const statement = claimMessages(
    'email',
    crypto.randomUUID(),
    { most, rate: 1000 },
    store.clock.now(),
  );
  const claimed = await new UnitOfWork(connection, undefined).write([], statement);
  const { rows } = await store.database.query<{ kind: string }>(
    `select m.kind from unnest($1::bigint[]) with ordinality c (id, place)
       join messages m using (id) order by c.place`,
    [claimed.map(({ id }) => id)],
  );
  return rows.map(({ kind }) => kind);
}

test.each(orderMessageKinds)('%s goes out before 500 tests that wait', async (kind) => {
  await queue('test', 500);
  opened.post.store.clock.advance(60);
  await queue(kind, 1);
  expect(await claim(3)).toEqual([kind, 'test', 'test']);
});

test('Sign-in messages go first, then those about orders, reminders last, whatever was queued before', async () => {
  for (const kind of messageKinds.toReversed()) {
    await queue(kind, 1);
    opened.post.store.clock.advance(1);
  }
  const claimed = await claim(messageKinds.length);
  const first = ['sign-in-code', 'sign-in-link', ...orderMessageKinds.toReversed()];
  const others = messageKinds.filter((kind) => kind !== 'reminder' && !first.includes(kind));
  expect(claimed).toEqual([...first, ...others.toReversed(), 'reminder']);
});

long('A claim reads no more pages for 20,000 waiting messages than for 200', async () => {
  const { database } = opened.post.store;
  /** The pages that a claim reads, if that many messages of each rank wait, half of them for a later try. */
  async function read(count: number): Promise<number> {
    await database.query('delete from messages; delete from message_senders');
    for (const kind of ['test', 'order-placed', 'reminder']) await queue(kind, count);
    await database.query(`update messages set due_at = due_at + interval '1 day' where id % 2 = 0`);
    await database.query('vacuum analyze messages');
    await database.query('begin');
    const { rows } = await database.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json)
       select * from svc_claim_messages_in_turn('email', gen_random_uuid(), 5, 1, 1000, 5, 60, $1)`,
      [opened.post.store.clock.now()],
    );
    await database.query('rollback');
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
    return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  }
  await read(20);
  const few = await read(67);
  const many = await read(6667);
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThan(few + 200);
});
