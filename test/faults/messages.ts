import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendDue } from '../../src/processes/messages/sending.ts';
import { queueDue } from '../../src/processes/reminders/sending.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { silence } from '../harness/silence.ts';
import { type Post, usePost } from '../operations/messages/post.ts';
import { type Mishap, type Worker, apiBase, befallen } from './mortal.ts';

/** A worker's work on a message, with its preparation. */
interface Scene {
  /** @returns the filter that finds the message, its id, and the id of its reminder */
  readonly before: (post: Post, user_id: number) => Promise<Awaited<ReturnType<typeof written>>>;
  readonly work: (worker: Worker, post: Post) => Promise<unknown>;
}

async function written(post: Post, user_id: number) {
  const { database, clock } = post.store;
  const { rows } = await database.query<{ id: string }>(
    `insert into messages (kind, medium, user_id, status, due_at, created_at, updated_at)
     values ('welcome', $1, $2, 'queued', $3, $3, $3) returning id`,
    [post.sender().medium, user_id, clock.now()],
  );
  return { filter: `user_id=${user_id}`, id: Number(rows[0]?.id), reminder: 0 };
}

async function reminded(post: Post, user_id: number) {
  const { id: product_id } = await post.fixture.newProduct();
  const order = await post.fixture.newOrder({ product_id, user_id });
  const { body } = await post.fixture.api.post('/reminders', {
    order_id: order.id,
    title: 'A word',
    content: 'Please pay {{amount}}.',
    media_type: post.sender().medium,
  });
  return { filter: `user_id=${user_id}`, id: 0, reminder: Number(body.data.id) };
}

const scenes: Readonly<Record<string, Scene>> = {
  'sends a message': {
    before: written,
    work: ({ services }, post) => sendDue(post.sender().medium, services),
  },
  'sends a message that it refuses for now': {
    before: async (post, user_id) => {
      post.sender().refuse('temporary');
      return written(post, user_id);
    },
    work: ({ services }, post) => sendDue(post.sender().medium, services),
  },
  'sends a message that it is not in order for': {
    before: async (post, user_id) => {
      post.sender().refuse('setup');
      return written(post, user_id);
    },
    work: ({ services }, post) => sendDue(post.sender().medium, services),
  },
  'repeats a message whose answer was lost': {
    before: async (post, user_id) => {
      const found = await written(post, user_id);
      post.sender().fail('lost');
      await post.later(0);
      post.store.clock.advance(60);
      return found;
    },
    work: ({ services }, post) => sendDue(post.sender().medium, services),
  },
  'sends a reminder': {
    before: reminded,
    work: async ({ services }, post) => {
      await queueDue(services);
      await sendDue(post.sender().medium, services);
    },
  },
};

/** Tests the workers of a store that sends through a provider, with a mishap at each step. */
export function describeMishaps(
  name: string,
  kind: string,
  mishaps: (steps: number) => readonly Mishap[],
): void {
  describe(`A worker that sends through ${name}`, () => {
    const opened = usePost([name]);

    beforeAll(async () => {
      await silence(opened.post.store);
      await opened.post.listen();
    });
    afterAll(() => expectIntegrity(opened.post));

    /**
     * Runs a scene.
     * @returns the number of the worker's steps
     */
    async function play({ before, work }: Scene, mishap?: Mishap): Promise<number> {
      const { post } = opened;
      const { id: user_id } = await post.newBuyer();
      await post.store.settled();
      const arrived = () => post.sender().sent().length;
      const earlier = arrived();
      const { filter, reminder } = await before(post, user_id);
      const steps = await befallen(post.store, mishap, (worker) => work(worker, post));
      // Planned answers must not affect later requests.
      for (const pause of [61, 300, 1800, 7200, 21_600, 21_600]) await post.later(pause);

      const [message, ...others] = await post.log(filter);
      expect({ mishap, others }).toEqual({ mishap, others: [] });
      const outcome = {
        status: message?.status,
        error: message?.last_error,
        arrived: arrived() - earlier,
      };
      const sent = { status: 'sent', error: null, arrived: 1 };
      const unknown = { status: 'failed', error: 'no_answer', arrived: expect.any(Number) };
      const isSent = post.sender().knowsKeys || outcome.status === 'sent';
      expect({ mishap, ...outcome }).toEqual({ mishap, ...(isSent ? sent : unknown) });
      expect(outcome.arrived).toBeLessThanOrEqual(1);
      const failures = isSent ? [] : ['message.failed'];
      expect(await post.events(message?.id ?? 0)).toEqual(failures);
      if (reminder > 0) {
        const { body } = await post.fixture.api.get(`/reminders/${reminder}`);
        expect(body.data.status).toBe(outcome.status);
      }
      return steps;
    }

    test.each(Object.entries(scenes))(`recovers from ${kind} when it %s`, async (_, scene) => {
      const steps = await play(scene);
      expect(steps).toBeGreaterThan(0);
      for (const mishap of mishaps(steps)) await play(scene, mishap);
    });

    test(`recovers from ${kind} when it receives a bounce`, async () => {
      const { post } = opened;
      const { receipts } = post.sender();
      if (!receipts?.states.includes('bounced')) return;
      /**
       * Reports a bounced message.
       * @returns the number of the worker's steps
       */
      async function bounce(mishap?: Mishap): Promise<number> {
        const { id: user_id } = await post.newBuyer();
        const { id } = await written(post, user_id);
        await post.later(0);
        const { provider_id, recipient } = await post.message(id);
        receipts?.tell(provider_id ?? '', 'bounced');
        const callbacks = receipts?.take(`${apiBase}/messages/${name}/callback`) ?? [];
        const steps = await befallen(post.store, mishap, async ({ fetch }) => {
          for (const callback of callbacks) await fetch(callback.clone());
        });
        // A provider repeats an unanswered callback.
        for (const callback of callbacks) {
          expect((await post.store.fetch(callback.clone())).status).toBe(200);
        }
        expect(await post.message(id)).toMatchObject({ status: 'failed', last_error: 'NoEmail' });
        expect(await post.events(id)).toEqual(['message.bounced']);
        const { body } = await post.fixture.api.get(`/message-suppressions?address=${recipient}`);
        expect(body.data).toHaveLength(1);
        return steps;
      }
      const steps = await bounce();
      for (const mishap of mishaps(steps)) await bounce(mishap);
    });
  });
}
