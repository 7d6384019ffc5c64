import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Deployment } from '../../src/cli/deployment-check/asking.ts';
import { checks } from '../../src/cli/deployment-check/checks.ts';

/** Checks the limits of a deployment that answers wrong keys with 401, and with 429 from one of them on. */
async function checkLimits(limit: number, headers: Record<string, string>) {
  let failures = 0;
  const server = createServer((request, response) => {
    const base = `http://${request.headers.host}`;
    if (request.url === '/') {
      response.end(JSON.stringify({ api_base: `${base}/api`, notify_base: `${base}/notify` }));
      return;
    }
    if (request.headers.authorization === 'Bearer right') response.writeHead(200).end('{}');
    else if (++failures > limit) response.writeHead(429, headers).end('{}');
    else response.writeHead(401).end('{}');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const deployment = new Deployment(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    'right',
  );
  await deployment.open();
  return checks.find(({ name }) => name === 'limits')?.run(deployment);
}

test('check:deployment finds the limit of a deployment whose answers name it only in a 429', async () => {
  const headers = { 'ratelimit-policy': '"default";q=30;w=60' };
  expect(await checkLimits(30, headers)).toEqual({ isRight: true, found: '"default";q=30;w=60' });
});

test('check:deployment reports a deployment whose worker was not told its limits', async () => {
  const found = expect.stringContaining('no RateLimit-Policy') as string;
  expect(await checkLimits(30, {})).toEqual({ isRight: false, found });
});

test('check:deployment reports a deployment that limits nothing', async () => {
  const found = expect.stringContaining('not limited') as string;
  expect(await checkLimits(Infinity, {})).toEqual({ isRight: false, found });
});
