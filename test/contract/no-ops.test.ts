import { beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { endpoints } from '../../src/endpoints.ts';
import { mainRoute } from './routes.ts';
import { type Scene, useScene } from './scene.ts';
import { shapeOf } from './schemas.ts';

const stage = useScene();

// This webhook records every event.
beforeAll(() => stage.scene.create('/webhooks', { url: 'http://127.0.0.1:1/', events: ['*'] }));

const updates = endpoints.filter(
  ({ id, route, body }) =>
    body &&
    (route.some((one) => one.startsWith('PATCH ')) || /\.update[A-Z]?\w*$/.test(id)) &&
    Object.values(shapeOf(body)).every((field) => field.safeParse(undefined).success),
);

/**
 * Makes a record.
 * @returns a function that updates it
 */
async function updating(scene: Scene, endpoint: Endpoint) {
  const example = await scene.example(endpoint);
  const caller = await scene.caller(endpoint, example);
  return async (body: unknown, headers: Record<string, string> = {}) => {
    const reply = await scene.call(caller, mainRoute(endpoint), example, { body, headers });
    expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 200 });
    return reply.body.data;
  };
}

/** The fields of a record that an update accepts. */
const inputOf = ({ body }: Endpoint, record: Record<string, unknown>) => {
  const shown: Record<string, unknown> = {
    reason: 'As it was.',
    stock_was: record['stock'],
    ...record,
  };
  return Object.fromEntries(
    Object.entries(shapeOf(body))
      .filter(([name, field]) => name in shown && field.safeParse(shown[name]).success)
      .map(([name]) => [name, shown[name]]),
  );
};

describe('an update without changes writes nothing and raises no event', () => {
  test.each(updates)('$id', async (endpoint) => {
    const { scene } = stage;
    const update = await updating(scene, endpoint);
    const { body: example } = await scene.example(endpoint);
    const record = await update(example);
    scene.store.clock.advance(60);
    // Records the last use of the caller's session.
    await update({});
    const before = await scene.contents();
    const version = record.version ? { 'if-match': String(record.version) } : {};
    for (const body of [{}, example, inputOf(endpoint, record)]) {
      expect(await update(body, version)).toEqual(record);
      expect(await scene.contents(), JSON.stringify(body)).toEqual(before);
    }
  });
});

test('an order whose note is removed twice is not changed again', async () => {
  const { scene } = stage;
  const id = await scene.newOrder();
  const before = await scene.contents();
  const reply = await scene.api.patch(`/orders/${id}`, { note: null });
  expect(reply).toMatchObject({ status: 200, body: { data: { note: null, version: 1 } } });
  expect(await scene.contents()).toEqual(before);
});
