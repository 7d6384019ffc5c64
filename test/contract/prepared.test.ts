import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { endpoints } from '../../src/endpoints.ts';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { type Parameters, tripFunctions } from '../../src/kernel/database/prepared.ts';
import { ApiClient } from '../harness/client.ts';
import { type Store, openStore } from '../harness/store.ts';
import { isLong } from '../harness/long.ts';
import { askedOf } from './kinds.ts';
import { mainRoute } from './routes.ts';
import { Scene } from './scene.ts';

// A prepared trip must answer like its statements planned for the actual values, so these tests send both.
const sent = vi.hoisted(() => ({ asText: false }));

vi.mock(import('../../src/kernel/database/prepared.ts'), async (original) => {
  const actual = await original();
  const prepared = (parameters: Parameters, build: (values: never) => never) => {
    const call = actual.prepared(parameters, build as never);
    return (values: never) => (sent.asText ? build(bound(parameters, values)) : call(values));
  };
  return { ...actual, prepared: prepared as unknown as typeof actual.prepared };
});

/** Puts values in place of parameters, with their types. */
function bound(parameters: Parameters, values: Readonly<Record<string, unknown>>): never {
  const entries = Object.entries(parameters).map(([name, type]): [string, unknown] => {
    const typed: SQL = sql`${sql.param(values[name] ?? null)}::${sql.raw(type.replace('?', ''))}`;
    return [name, typed];
  });
  return Object.fromEntries(entries) as never;
}

/** Parts that differ between runs: random values, and the counters of examples. */
const chance = new RegExp(
  [
    /eyJ[\w-]+\.[\w-]+\.[\w-]+/,
    /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/,
    /[\dA-Z]{5}(?:-[\dA-Z]{5}){4}|XXXXX-…-[\dA-Z]{4}/,
    /Partners \d+/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** One of two equal stores, and the prepared trips that it was sent. */
interface Side {
  readonly scene: Scene;
  calls: number;
}

const stores: Store[] = [];
let sides: [prepared: Side, text: Side];

async function open(names: ReadonlySet<string>): Promise<Side> {
  const store = await openStore();
  stores.push(store);
  const side = { scene: await Scene.open(store), calls: 0 };
  store.neon.faults.next({
    match: ({ statements }) => {
      const called = statements.map((text) => /svc_trip_\w+/.exec(text)?.[0] ?? '');
      if (called.some((name) => names.has(name))) side.calls += 1;
      return false;
    },
  });
  return side;
}

beforeAll(async () => {
  const functions = await tripFunctions();
  const names = new Set(functions.map(({ name }) => name));
  sides = [await open(names), await open(names)];
});

afterAll(() => Promise.all(stores.map((store) => store.close())));

/** The example's answer without random texts, and the number of prepared trips. */
async function answerOf(side: Side, endpoint: Endpoint, asText: boolean) {
  const { scene } = side;
  // A process uses the database of the store that was started last.
  scene.store.restart();
  const example = await scene.example(endpoint);
  let text = '';
  const caller = new ApiClient(
    async (request) => {
      const response = await scene.send(request);
      text = await response.clone().text();
      return response;
    },
    await scene.credentials(endpoint, example),
  );
  await scene.store.settled();
  const before = side.calls;
  sent.asText = asText;
  try {
    const { status } = await scene.call(caller, mainRoute(endpoint), example);
    return { calls: side.calls - before, answer: { status, text: text.replace(chance, '…') } };
  } finally {
    await scene.store.settled();
    sent.asText = false;
  }
}

const compared: string[] = [];

/** All endpoints in the long proofs; otherwise one of each kind, and those of orders. */
const asked = endpoints.filter(
  (endpoint) => askedOf(endpoints).includes(endpoint) || endpoint.id.startsWith('orders.'),
);

test.each(asked)('$id gives the same answer byte for byte', async (endpoint) => {
  const [prepared, text] = sides;
  const kept = await answerOf(prepared, endpoint, false);
  const planned = await answerOf(text, endpoint, true);
  expect(planned.calls).toBe(0);
  if (kept.calls === 0) return;
  compared.push(endpoint.id);
  expect(kept.answer).toEqual(planned.answer);
});

test('many of the endpoints were compared', () => {
  expect(compared).toEqual(expect.arrayContaining(['orders.list', 'orders.get', 'orders.create']));
  expect(compared.length).toBeGreaterThan(isLong ? 30 : 5);
});
