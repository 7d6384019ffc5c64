import { describe, expect, test } from 'vitest';
import { endpoints } from '../../src/resources/index.ts';
import { examples } from './examples.ts';
import { routesOf } from './routes.ts';
import { useScene } from './scene.ts';

const stage = useScene();

test('every endpoint has an example here, and nothing else has', () => {
  expect(Object.keys(examples).sort()).toEqual(endpoints.map(({ id }) => id).sort());
});

describe('the example of an endpoint succeeds in as many trips as its kind takes', () => {
  test.each(endpoints)('$id', async (endpoint) => {
    const { scene } = stage;
    for (const route of routesOf(endpoint)) {
      const example = await scene.example(endpoint);
      const caller = await scene.caller(endpoint, example);
      const before = await scene.contents();
      const reply = await scene.call(caller, route, example);
      expect(reply).toMatchObject({ status: endpoint.reply[0] });
      expect(reply.headers.get('content-type')).toBe('application/json; charset=UTF-8');
      if (example.trips !== undefined) expect(reply.trips).toBe(example.trips);
      else if (endpoint.effect === 'read') expect(reply.trips).toBe(1);
      else expect([1, 2]).toContain(reply.trips);
      if (endpoint.effect === 'read') expect(await scene.contents()).toEqual(before);
    }
  });
});
