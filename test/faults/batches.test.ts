import { afterAll, beforeAll, describe, expect, inject } from 'vitest';
import { sendDue } from '../../src/processes/messages/sending.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { silence } from '../harness/silence.ts';
import { refusedDomain } from '../providers/messages/resend.ts';
import { usePost } from '../operations/messages/post.ts';
import { type Mishap, befallen, deaths, hiccups } from './mortal.ts';
import { long } from '../harness/long.ts';

const opened = usePost(['resend']);

beforeAll(() => silence(opened.post.store));
afterAll(() => expectIntegrity(opened.post));

/** E-mails of a batch, optionally with one at the end that Resend refuses. */
async function queued(isRefused: boolean): Promise<void> {
  const { database, clock } = opened.post.store;
  await database.query('delete from messages; delete from message_senders');
  const { id: user_id } = await opened.post.newBuyer();
  const { id: other } = await opened.post.newBuyer();
  await opened.post.store.settled();
  if (isRefused) {
    await database.query(
      `update users set email = 'a' || id || '@${refusedDomain}' where id = $1`,
      [other],
    );
  }
  await database.query(
    `insert into messages (kind, medium, user_id, status, due_at, created_at, updated_at)
     select 'welcome', 'email', case n when 4 then $2::bigint else $1 end, 'queued', $3, $3, $3
       from generate_series(1, 4) n`,
    [user_id, other, clock.now()],
  );
}

async function waits(): Promise<boolean> {
  const { rowCount } = await opened.post.store.database.query(
    "select from messages where status = 'queued' or status = 'sending'",
  );
  return (rowCount ?? 0) > 0;
}

const batches = [
  ['a batch with an e-mail that is refused', true],
  ['a batch', false],
] as const;

describe.each(batches.slice(0, inject('isLong') ? 2 : 1))(
  'While a worker sends %s,',
  (_, isRefused) => {
    /**
     * Runs a worker with a mishap.
     * @returns the number of its steps
     */
    async function play(mishap?: Mishap): Promise<number> {
      const { post } = opened;
      await queued(isRefused);
      const earlier = post.sender().sent().length;
      const steps = await befallen(post.store, mishap, ({ services }) =>
        sendDue('email', services),
      );
      for (const pause of [61, 300, 1800]) if (await waits()) await post.later(pause);
      await post.later(7200);
      const { rows } = await post.store.database.query<{ status: string; total: number }>(
        'select status, count(*)::int as total from messages group by 1 order by 1',
      );
      const failed = isRefused ? [{ status: 'failed', total: 1 }] : [];
      const sent = isRefused ? 3 : 4;
      expect({ mishap, rows, arrived: post.sender().sent().length - earlier }).toEqual({
        mishap,
        rows: [...failed, { status: 'sent', total: sent }],
        arrived: sent,
      });
      return steps;
    }

    long.each([
      ['death', deaths],
      ['hiccup', hiccups],
    ] as const)('a %s at any step loses no message and sends none twice', async (__, mishaps) => {
      const steps = await play();
      expect(steps).toBeGreaterThan(3);
      for (const mishap of mishaps(steps)) await play(mishap);
    });
  },
);
