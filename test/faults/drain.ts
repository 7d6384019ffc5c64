import { systemClock } from '../../src/lib/instant.ts';
import { expect, onTestFinished } from 'vitest';
import { findDue, runJob } from '../../src/jobs/index.ts';
import { silence } from '../harness/silence.ts';
import { Receiver } from '../kernel/events/receiver.ts';
import { Post } from '../operations/messages/post.ts';

export interface Drain {
  /** Messages that arrived, including duplicates. */
  readonly arrived: number;
  /** Turns of the jobs; an event fell due in each. */
  readonly turns: number;
  /** Turns in which that event arrived. */
  readonly delivered: number;
}

/**
 * Sends `count` e-mails at 1000 a second in real time as the scheduler does: all jobs that are due at once, then the
 * next due ones. An event falls due before each turn. Fails unless each message is sent once.
 */
export async function drain(count: number): Promise<Drain> {
  const post = await Post.open(['cloudflare']);
  const receiver = new Receiver();
  await receiver.open();
  onTestFinished(async () => {
    await post.close();
    await receiver.close();
  });
  const { store, fixture } = post;
  await silence(store);
  const { id: user_id } = await post.newBuyer();
  await fixture.api.post('/webhooks', { url: receiver.url('/products'), events: ['product.*'] });
  await post.store.settled();
  await store.database.query(
    `insert into messages (kind, medium, user_id, status, due_at, created_at, updated_at)
     select 'welcome', 'email', $1, 'queued', $2, $2, $2 from generate_series(1, $3)`,
    [user_id, new Date(), count],
  );
  /** Makes an event whose worker stopped before the delivery. */
  const fallDue = () =>
    store.database.query('select svc_publish_events($1::jsonb, $2)', [
      JSON.stringify([
        {
          event_id: crypto.randomUUID(),
          event: 'product.created',
          object_id: 1,
          data: { id: 1 },
          patterns: ['product.*'],
        },
      ]),
      new Date(),
    ]);

  const invocation = async () => ({
    ...(await store.services()),
    clock: systemClock,
  });
  const failures: unknown[] = [];
  let [turns, delivered] = [0, 0];
  for (;;) {
    const jobs = await findDue(await invocation());
    if (jobs.every(({ job }) => job !== 'e-mails')) break;
    const before = receiver.received.length;
    await fallDue();
    const due = (await findDue(await invocation())).filter(({ at }) => at <= Date.now());
    await Promise.all(
      due.map(async ({ job }) => runJob(job, await invocation(), (line) => failures.push(line))),
    );
    turns += 1;
    if (receiver.received.length === before + 1) delivered += 1;
  }
  expect(failures).toEqual([]);
  const { rows } = await store.database.query(
    'select status, attempts, count(*)::int as count from messages group by 1, 2',
  );
  expect(rows).toEqual([{ status: 'sent', attempts: 1, count }]);
  return { arrived: post.sender().sent().length, turns, delivered };
}
