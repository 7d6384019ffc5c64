import { expect, test } from 'vitest';
import { createSessionClient } from '../../packages/client/src/index.ts';
import type { SessionClientOptions } from '../../packages/client/src/options.ts';
import { refused, said, useServer } from './server.ts';

const server = useServer();
const over = refused(401, 'svc_session_invalid_token');

const app = (onExpired: SessionClientOptions['onExpired']) =>
  createSessionClient({ url: server.url, token: 'first', onExpired });

test('a write that met an expired token keeps its Idempotency-Key, because its first try may have arrived', async () => {
  server.answers = ['hang up', over, said({ id: 1 })];
  await app(() => 'second').profile.update({ first_name: 'Dewi' });
  expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer first',
    'Bearer first',
    'Bearer second',
  ]);
  expect(new Set(server.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});

test('a call that waits for a new token can be aborted', async () => {
  server.answers = [over];
  const reason = new Error('The user left.');
  const ending = new AbortController();
  const me = app(() => {
    ending.abort(reason);
    return new Promise<string>(() => undefined);
  });
  await expect(me.get({ signal: ending.signal })).rejects.toBe(reason);
});

test('an onExpired that throws at once is called again the next time', async () => {
  server.answers = [over, over, said({ id: 1 })];
  const ways = [
    () => {
      throw new Error('No network.');
    },
    () => 'second',
  ];
  const me = app(() => ways.shift()?.());
  await expect(me.get()).rejects.toThrow('No network.');
  expect((await me.get()).data).toEqual({ id: 1 });
});
