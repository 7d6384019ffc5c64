import { afterEach, describe, expect, test } from 'vitest';
import { type Endpoint, keepsAnswers } from '../../src/kernel/endpoint/endpoint.ts';
import { endpoints } from '../../src/endpoints.ts';
import { isLong } from '../harness/long.ts';
import { askedOf, dealerOf } from './kinds.ts';
import { useScene } from './scene.ts';
import { Attempt, type Trouble, expectUnavailable, troubles, upTo } from './trouble.ts';

// test/faults tries every fault on every trip of every endpoint.
const stage = useScene();
afterEach(() => stage.scene.store.neon.faults.clear());

/** Malformed answers, which are equal for every endpoint. */
const nonsense = [
  [200, ''],
  [200, 'null'],
  [200, '{"results":[{"fields":'],
  [200, '{"results":null}'],
  [200, '{"results":[]}'],
  [200, '{"results":[{}]}'],
  [200, '{"results":[null,null]}'],
  [204, ''],
  [302, ''],
  [400, 'Bad Request'],
  [400, '{}'],
  [403, '{"message":"forbidden"}'],
  [429, 'Too Many Requests'],
  [504, ''],
] as const;

const undone = Object.entries(troubles).filter(([, { done }]) => !done);
const asked = askedOf(endpoints);
const deal = dealerOf(endpoints);

/** All cases in the long proofs; otherwise a quarter, so that the kinds of endpoints share them out. */
const dealt = <T>(endpoint: Endpoint, cases: readonly T[]): readonly T[] =>
  isLong ? deal(endpoint, cases) : cases.filter((_, i) => i % 4 === asked.indexOf(endpoint) % 4);

describe('a fault on any trip: 503, nothing is written, and the next request succeeds', () => {
  test.each(asked)('$id', async (endpoint) => {
    const { scene } = stage;
    const attempt = await Attempt.arrange(scene, endpoint);
    const before = await scene.contents();
    for (const trip of upTo(attempt.trips)) {
      for (const [name, trouble] of dealt(endpoint, undone))
        await attempt.fail(name, trouble, trip);
    }
    expect(await scene.contents()).toEqual(before);
    await attempt.succeed();
  });
});

describe('a collision with another transaction is retried', () => {
  test.each(asked)('$id', async (endpoint) => {
    const first = await Attempt.arrange(stage.scene, endpoint);
    for (const [i, trip] of deal(endpoint, upTo(first.trips)).entries()) {
      const attempt = i === 0 ? first : await Attempt.arrange(stage.scene, endpoint);
      // A serialisation failure on the first trip, a deadlock on later ones.
      const reply = await attempt.meet({ sqlState: trip === 1 ? '40001' : '40P01' }, trip);
      expect(reply.status, `on trip ${trip}`).toBe(endpoint.reply[0]);
      expect(reply.trips).toBeGreaterThan(attempt.trips);
      expect(reply.trips).toBeLessThanOrEqual(attempt.trips + trip);
    }
  });
});

describe('a write whose answer is lost: 503, and the same request again has no second effect', () => {
  const lost: Trouble = { fault: { cut: 'after commit' }, done: true };
  test.each(askedOf(endpoints.filter((endpoint) => keepsAnswers(endpoint))))(
    '$id',
    async (endpoint) => {
      const attempt = await Attempt.arrange(stage.scene, endpoint);
      await attempt.fail('after commit', lost, attempt.trips);
      await attempt.succeedAgain();
    },
  );
});

describe('a malformed answer of the database: 503', () => {
  test.each(nonsense)('%d %j', async (status, body) => {
    const { scene } = stage;
    for (const call of [() => scene.api.get('/users'), () => scene.client().get('//readyz')]) {
      await scene.inTheWay({ answer: { status, body } });
      expectUnavailable(await call(), body);
    }
  });

  test('an answer that ends in the middle', async () => {
    const { scene } = stage;
    await scene.inTheWay({ cut: 'mid body' });
    expectUnavailable(await scene.api.get('/users'), 'mid body');
  });
});
