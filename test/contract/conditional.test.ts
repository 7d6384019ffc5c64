import { expect, test } from 'vitest';
import { isConditional } from '../../src/kernel/endpoint/endpoint.ts';
import { endpoints } from '../../src/endpoints.ts';
import { mainRoute } from './routes.ts';
import { useScene } from './scene.ts';

const stage = useScene();

test.each(endpoints.filter(isConditional))(
  '$id with an If-Match of another version is refused, and writes nothing',
  async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    const before = await scene.contents();
    const headers = { 'if-match': '987654' };
    const reply = await scene.call(caller, mainRoute(endpoint), example, { headers });
    expect(reply).toMatchObject({ status: 409, body: { code: 'rest_conflict' } });
    expect(await scene.contents()).toEqual(before);
  },
);
