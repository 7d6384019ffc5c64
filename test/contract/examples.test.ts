import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { csvFile, download, html, picture } from '../../src/kernel/schemas/replies.ts';
import { endpoints } from '../../src/endpoints.ts';
import { examples, tripsOf } from './examples.ts';
import { routesOf } from './routes.ts';
import { useScene } from './scene.ts';

const stage = useScene();

test('every endpoint has an example here, and there is no other example', () => {
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
      expect(reply.headers.get('content-type')).toBe(typeOf(endpoint));
      expect(reply.trips).toBe(tripsOf(endpoint, example));
      const after = await scene.contents();
      expect(endpoint.effect === 'read' ? after : before).toEqual(before);
    }
  });
});

/** The media type of an endpoint's reply; the examples' pictures are PNGs, their files PDFs. */
function typeOf({ reply: [, body] }: Endpoint): string {
  if (body === picture) return 'image/png';
  if (body === csvFile) return 'text/csv; header=present; charset=UTF-8';
  if (body === download) return 'application/pdf';
  return body === html ? 'text/html; charset=UTF-8' : 'application/json; charset=UTF-8';
}
