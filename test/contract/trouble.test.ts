import { afterEach, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/resources/index.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import type { Fault } from '../../src/local/neon/faults.ts';
import type { Reply } from '../harness/client.ts';
import { mainRoute } from './routes.ts';
import { useScene } from './scene.ts';

const stage = useScene();
afterEach(() => stage.scene.store.neon.faults.clear());

/** Trouble in which nothing of the trip is kept. */
const troubles: Record<string, Fault> = {
  'the connection breaks before anything runs': { cut: 'before parse' },
  'the connection breaks before the commit': { cut: 'before commit' },
  'too many connections': { sqlState: '53300' },
  'the server shuts down': { sqlState: '57P01' },
  'an answer that is no JSON': { answer: { status: 200, body: '<html>Welcome</html>' } },
  'an error in plain text': { answer: { status: 500, body: 'upstream connect error' } },
};

/** Answers that make no sense; they are the same to every endpoint. */
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

/** Trouble after which a write is there, though its caller wasn't told. */
const lateTroubles: Record<string, Fault> = {
  'the connection breaks after the commit': { cut: 'after commit' },
  'the connection breaks in the answer': { cut: 'mid body' },
};

function expectUnavailable(reply: Reply, name: string): void {
  expect(reply, name).toMatchObject({
    status: 503,
    body: {
      code: 'rest_unavailable',
      message: 'The database is not available right now. Try again.',
      data: { status: 503 },
    },
  });
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
}

/** How many trips the endpoint's example takes. */
async function tripsOf(endpoint: Endpoint): Promise<number> {
  const { scene } = stage;
  const example = await scene.example(endpoint);
  const caller = await scene.caller(endpoint, example);
  return (await scene.call(caller, mainRoute(endpoint), example)).trips;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('trouble on any trip: 503, nothing written, and all is well afterwards', () => {
  test.each(endpoints)('$id', async (endpoint) => {
    const { scene } = stage;
    const trips = await tripsOf(endpoint);
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    const headers = { 'idempotency-key': 'a-key-for-trouble' };
    const ask = () => scene.call(caller, mainRoute(endpoint), example, { headers });
    const before = await scene.contents();
    for (const trip of upTo(trips)) {
      for (const [name, fault] of Object.entries(troubles)) {
        await scene.inTheWay(fault, trip);
        expectUnavailable(await ask(), `${name} on trip ${trip}`);
      }
    }
    expect(await scene.contents()).toEqual(before);
    const reply = await ask();
    expect(reply.status).toBe(endpoint.reply[0]);
    expect(reply.headers.get('idempotency-replayed')).toBeNull();
  });
});

describe('an answer that makes no sense: 503', () => {
  test.each(nonsense)('%d %j', async (status, body) => {
    const { scene } = stage;
    for (const call of [() => scene.api.get('/users'), () => scene.client().get('//readyz')]) {
      await scene.inTheWay({ answer: { status, body } });
      expectUnavailable(await call(), body);
    }
  });
});

describe('trouble after a write: 503, and the same request again has no second effect', () => {
  const plainWrites = endpoints.filter((it) => it.effect === 'write' && !it.secretReply);
  test.each(plainWrites)('$id', async (endpoint) => {
    const { scene } = stage;
    const trips = await tripsOf(endpoint);
    for (const [name, fault] of Object.entries(lateTroubles)) {
      const example = await scene.example(endpoint);
      const caller = await scene.caller(endpoint, example);
      const headers = { 'idempotency-key': `late ${name}`.replaceAll(' ', '-') };
      const ask = () => scene.call(caller, mainRoute(endpoint), example, { headers });
      // With an Idempotency-Key a write is always two trips.
      await scene.inTheWay(fault, Math.max(trips, 2));
      expectUnavailable(await ask(), name);
      const again = await ask();
      // It is found and read: one trip has no room for a second effect.
      expect(again).toMatchObject({ status: endpoint.reply[0], trips: 1 });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    }
  });
});

describe('a collision with another transaction is tried again', () => {
  test.each(endpoints)('$id', async (endpoint) => {
    const { scene } = stage;
    const trips = await tripsOf(endpoint);
    for (const trip of upTo(trips)) {
      for (const sqlState of ['40001', '40P01']) {
        const example = await scene.example(endpoint);
        const caller = await scene.caller(endpoint, example);
        await scene.inTheWay({ sqlState }, trip);
        const reply = await scene.call(caller, mainRoute(endpoint), example);
        expect(reply.status, `${sqlState} on trip ${trip}`).toBe(endpoint.reply[0]);
        expect(reply.trips).toBeGreaterThan(trips);
      }
    }
  });

  test.each(endpoints)('three times, then it is a 503: $id', async (endpoint) => {
    const { scene } = stage;
    if ((await tripsOf(endpoint)) === 0) return;
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    const before = await scene.contents();
    await scene.settled();
    scene.store.neon.faults.next({ sqlState: '40001', times: 3 });
    expectUnavailable(await scene.call(caller, mainRoute(endpoint), example), '40001');
    expect(await scene.contents()).toEqual(before);
  });
});
