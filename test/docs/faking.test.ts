import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import { long } from '../harness/long.ts';
import { runJobs } from '../../src/jobs/index.ts';
import { promised } from './samples.ts';
import { freePort } from '../harness/ports.ts';
import { ServedStore } from './served.ts';

const run = promisify(execFile);
const page = resolve(import.meta.dirname, '../../docs/payments/faking.md');

let served: ServedStore;
let folder: string;
let fake: ChildProcessWithoutNullStreams;
let requests: string[];
let environment: Record<string, string>;

beforeAll(async () => {
  const port = await freePort();
  const text = (await readFile(page, 'utf8')).replaceAll('4242', String(port));
  const [file = ''] = blocksOf(text, 'js');
  requests = blocksOf(text, 'sh').filter((block) => block.includes('$API'));
  folder = await mkdtemp(join(tmpdir(), 'fake-'));
  await writeFile(join(folder, 'fake-stripe.mjs'), file);
  fake = spawn(process.execPath, [join(folder, 'fake-stripe.mjs')], { stdio: 'pipe' });
  // It prints this once it listens.
  await once(fake.stdout, 'data');
  served = await ServedStore.open();
  const { store } = served;
  Object.assign(await store.environment, variablesIn(text));
  // Stripe refuses old signatures.
  store.clock.set(new Date().toISOString());
  const { token } = await store.createKey();
  const api = store.client({ authorization: `Bearer ${token}` });
  await api.post('/products', { title: 'Course', price: 15_000 });
  const PATH = process.env['PATH'] ?? '';
  environment = { PATH, KEY: token, API: `${served.url}/api/svc/v1` };
});

afterAll(async () => {
  fake.kill();
  await once(fake, 'exit');
  await served.close();
  await rm(folder, { recursive: true, force: true });
});

const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );

const variablesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/(STRIPE_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );

/**
 * Runs the commands of the page.
 * @returns the printed lines
 */
async function printed(commands: string): Promise<string[]> {
  const args = ['--norc', '-euo', 'pipefail', '-c', commands];
  const { stdout } = await run('bash', args, { env: environment });
  return stdout.trim().split('\n');
}

long('The fake provider of the page accepts the payment of an order, and refunds it', async () => {
  const expected = requests.flatMap((block) => promised(block));
  expect(expected.length).toBeGreaterThan(3);
  const lines = await printed(requests.join('\n'));
  expect(lines).toEqual(expected.map((line) => line.split(',')[0]));
  await runJobs(await served.store.services(), (line) => expect.fail(JSON.stringify(line)));
  const state = `curl -s "$API/orders/1/refunds" -H "Authorization: Bearer $KEY" | jq -r '.data[0].state'`;
  expect(await printed(state)).toEqual(['succeeded']);
});
