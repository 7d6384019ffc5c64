import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import { long } from '../harness/long.ts';
import { freePort } from '../harness/ports.ts';
import { samplesOf } from './samples.ts';

const run = promisify(execFile);
const guide = resolve(import.meta.dirname, '../../docs/guides/webhooks.md');

/** The files that the samples keep for their next run. */
const kept = {
  'webhook-secret': 'whsec_1\n',
  'feed-position': '7\n',
  'orders-since': '2026-01-01T00:00:00.000Z\n',
};

const server = createServer((request, response) => {
  // The first part of the address chooses the answer.
  const [, name = ''] = (request.url ?? '').split('/');
  const [status, text] = answers[name as keyof typeof answers];
  response.writeHead(status).end(text);
});
let url: string;
let folder: string;
let samples: string[];

const error = (status: number, params?: object): [number, string] => [
  status,
  JSON.stringify({ code: 'rest_error', message: 'No.', data: { status, params } }),
];
const answers = {
  '503': error(503),
  '429': error(429),
  '401': error(401),
  '400': error(400, { webhook_id: 'must be a whole number' }),
  page: [502, '<html>Bad gateway</html>'] as [number, string],
  beyond: error(400, { since_id: 'must be at most 3' }),
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'positions-'));
  samples = samplesOf(await readFile(guide, 'utf8'))
    .map(({ sh }) => sh)
    .filter((sh) => Object.keys(kept).some((file) => sh.includes(`> ${file}`)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs each sample as its own script, and returns the files. */
async function filesAfter(base: string) {
  for (const [file, text] of Object.entries(kept)) await writeFile(join(folder, file), text);
  const API = `${base}/api/svc/v1`;
  const env = {
    PATH: process.env['PATH'] ?? '',
    API,
    KEY: 'key',
    ID: '1',
    RECEIVER: 'https://x.example',
  };
  for (const sample of samples)
    await run('bash', ['--norc', '-c', sample], { cwd: folder, env }).catch(() => undefined);
  const files = Object.keys(kept).map(async (file) => [
    file,
    await readFile(join(folder, file), 'utf8'),
  ]);
  return Object.fromEntries(await Promise.all(files)) as object;
}

long('three samples of webhooks keep something for their next run', () =>
  expect(samples).toHaveLength(3),
);

long.each(['503', '429', '401', '400', 'page'])(
  'the curl samples of webhooks keep their positions and secret after the answer %s',
  async (name) => {
    expect(await filesAfter(`${url}/${name}`)).toEqual(kept);
  },
);

long(
  'the curl samples of webhooks keep their positions and secret without a connection',
  async () => {
    expect(await filesAfter(`http://127.0.0.1:${await freePort()}`)).toEqual(kept);
  },
);

long('the curl sample of the feed begins again at 0 if its position is refused', async () => {
  expect(await filesAfter(`${url}/beyond`)).toEqual({ ...kept, 'feed-position': '0\n' });
});
