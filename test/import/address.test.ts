import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { sourceAddress } from '../../packages/import/src/address.ts';
import { liveDatabase } from '../../packages/import/src/live.ts';

const tablesAt = (port: number) =>
  liveDatabase(`mysql://reader:sesame@127.0.0.1:${port}/shop`).tables(() => undefined);

describe('An address', () => {
  test('names the database and its user', () => {
    expect(sourceAddress('mysql://u:p%40ss%2Fw%23%25@db.example.com:3307/my%20shop')).toEqual({
      host: 'db.example.com',
      port: 3307,
      user: 'u',
      password: 'p@ss/w#%',
      database: 'my shop',
    });
    expect(sourceAddress('mysql://u@[::1]/shop')).toMatchObject({
      host: '::1',
      port: 3306,
      password: '',
    });
  });

  test('without a server is refused', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    await expect(tablesAt(port)).rejects.toMatchObject({
      fault: 'connection',
      message: expect.stringContaining('No MySQL answers'),
    });
  });

  test.each([
    'SSH-2.0-OpenSSH_9.2\r\n',
    'HTTP/1.1 400 Bad Request\r\n\r\n',
    '\u0005\0\0\0hello',
    '\u0001\0\0\0\n',
    '',
  ])('of another kind of server is refused: %j', async (greeting) => {
    const server = createServer((socket) => socket.end(greeting)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(tablesAt(port)).rejects.toMatchObject({
      fault: 'connection',
      message: expect.stringContaining("isn't a MySQL"),
    });
    server.close();
  });

  test.each([
    'shop.sql',
    'postgres://u:sesame@h/shop',
    'mysql://u:ses#ame@h/shop',
    'mysql://u:12/sesame@h/shop',
    'mysql://u:12#sesame@h/shop',
    'mysql://u:12?sesame@h/shop',
    'mysql://u:ses%ame@h/shop',
    'mysql://u:sesame@h:port/shop',
    'mysql://u:sesame@h/',
    'mysql://:sesame@h/shop',
  ])('that is invalid is refused, and not repeated: %s', (url) => {
    let error: unknown;
    try {
      sourceAddress(url);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ fault: 'address' });
    expect(inspect(error, { depth: 9, showHidden: true }).split('\n')[0]).not.toMatch(/ses|ame/);
  });
});
