import { describe, expect, test } from 'vitest';
import { endpoints } from '../../src/endpoints.ts';
import { mainRoute } from './routes.ts';
import { type Scene, useScene } from './scene.ts';

const stage = useScene();

const tagged = endpoints.filter(({ etag }) => etag);

test('the profile of a user has an ETag', () => {
  expect(tagged.map(({ id }) => id)).toContain('me.get');
});

describe.each(tagged)('$id', (endpoint) => {
  /** Repeats the example's request with the ETag of its reply. */
  async function asked(scene: Scene) {
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    return (tag?: string) =>
      scene.call(caller, mainRoute(endpoint), example, {
        headers: tag === undefined ? {} : { 'if-none-match': tag },
      });
  }

  test('answers 304 without a body to a caller who has this answer, in one trip', async () => {
    const ask = await asked(stage.scene);
    const first = await ask();
    const tag = first.headers.get('etag') ?? '';
    expect(first).toMatchObject({ status: 200, trips: 1 });
    for (const known of [tag, `W/${tag}`, `"other", W/"more",${tag}`, '*']) {
      const again = await ask(known);
      expect(again, known).toMatchObject({ status: 304, trips: 1, body: undefined });
      for (const name of ['etag', 'vary']) {
        expect(again.headers.get(name)).toBe(first.headers.get(name));
      }
      expect(again.headers.get('content-type')).toBeNull();
    }
  });

  test('answers in full to a caller who has another answer', async () => {
    const ask = await asked(stage.scene);
    const { body } = await ask();
    for (const other of ['"other"', 'W/"a", "b"', '', '""']) {
      expect(await ask(other), other).toMatchObject({ status: 200, body });
    }
  });

  test('refuses a request without a session before it looks at the tag', async () => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const reply = await scene.call(scene.client(), mainRoute(endpoint), example, {
      headers: { 'if-none-match': '*' },
    });
    expect(reply.status).toBe(401);
  });
});

test('an ETag is valid until a part of the answer changes', async () => {
  const { scene } = stage;
  const app = await scene.session(await scene.newUser());
  const tag = (await app.get('/me')).headers.get('etag') ?? '';
  const headers = { 'if-none-match': tag };
  expect((await app.get('/me', { headers })).status).toBe(304);
  await app.patch('/me/profile', { phone: '+62811' });
  const changed = await app.get('/me', { headers });
  expect(changed).toMatchObject({ status: 200, body: { data: { phone: '+62811' } } });
  expect(changed.headers.get('etag')).not.toBe(tag);
});
