import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong, long } from '../harness/long.ts';
import { packageClient } from '../../packages/client/build/package.ts';
import { guides } from '../../src/cli/docs/site.ts';
import type { Scope } from '../../src/schema/scopes.ts';
import {
  type Sample,
  matcherOf,
  printedBy,
  programOf,
  promised,
  samplesOf,
  scopesOf,
} from './samples.ts';
import { freePort } from '../harness/ports.ts';
import { ServedStore } from './served.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const sources = ['README', ...guides];
const samples = new Map<string, readonly Sample[]>();
const scopes = new Map<string, Scope[]>();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'samples-'));
  await packageClient(join(folder, 'node_modules/sales-api-client'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const name of sources) {
    const markdown = await readFile(join(root, `docs/guides/${name}.md`), 'utf8');
    const found = samplesOf(markdown);
    samples.set(name, found);
    scopes.set(name, scopesOf(markdown));
    const program = programOf(
      found.map(({ ts }) => ts),
      (text) => `console.log(${JSON.stringify(text)});`,
    );
    await writeFile(join(folder, `${name}.ts`), `${program}\nexport {};\n`);
  }
});

const samplesIn = (name: string) => samples.get(name) ?? [];

afterAll(() => rm(folder, { recursive: true, force: true }));

test('every sample compiles strictly', async () => {
  const options = [
    ...['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'],
    ...['--skipLibCheck', '--target', 'ES2024', '--module', 'NodeNext', '--types', 'node'],
    ...['--typeRoots', join(root, 'node_modules/@types')],
  ];
  const files = sources.map((name) => `${name}.ts`);
  const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), [...options, ...files], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});

/** The ways to run the samples of a guide, with the webhook's address filled in. */
const languages = [
  {
    language: 'curl',
    command: (name: string) => {
      const codes = samplesIn(name).map(({ sh }) => sh);
      const program = programOf(codes, (text) => `echo '${text}'`);
      return ['bash', '--norc', '-euo', 'pipefail', '-c', program];
    },
    receiver: (url: string, port: number) => `${url}/api/svc-notify/v1/sink?${port}`,
    expectPrinted: (output: readonly string[], { sh, reply }: Sample) => {
      if (reply === undefined) expect(output, sh).toEqual(promised(sh));
      else expect(JSON.parse(output.join('\n')), sh).toMatchObject(matcherOf(reply));
    },
  },
  {
    language: 'TypeScript',
    command: (name: string) => [process.execPath, `${name}.ts`],
    receiver: (_: string, port: number) => `http://127.0.0.1:${port}/`,
    expectPrinted: (output: readonly string[], { ts }: Sample) =>
      expect(output, ts).toEqual(promised(ts)),
  },
];

// Each language has a store of its own, because both make the same records.
// The commands of both languages make the same requests.
const tested = languages.filter(({ language }) => isLong || language === 'TypeScript');

describe.each(tested)('In $language', ({ command, receiver, expectPrinted }) => {
  let served: ServedStore;

  beforeAll(async () => {
    served = await ServedStore.open();
    // The receiver checks the age of signatures by the real time.
    served.store.clock.set(new Date().toISOString());
  });

  afterAll(() => served.close());

  async function environment(name: string) {
    const { token } = await served.store.createKey({ scopes: scopes.get(name) ?? [] });
    const port = await freePort();
    return {
      PATH: process.env['PATH'] ?? '',
      API: `${served.url}/api/svc/v1`,
      KEY: token,
      PORT: String(port),
      RECEIVER: receiver(served.url, port),
    };
  }

  async function expectPromised(name: string, env: Record<string, string>): Promise<void> {
    const [file = '', ...args] = command(name);
    const { stdout } = await run(file, args, { cwd: folder, env });
    const outputs = printedBy(stdout);
    expect(outputs).toHaveLength(samplesIn(name).length);
    for (const [i, sample] of samplesIn(name).entries()) expectPrinted(outputs[i] ?? [], sample);
  }

  test.each(isLong ? sources : ['first-sale'])(
    'the samples of %s print the output that their page shows',
    async (name) => {
      await expectPromised(name, await environment(name));
    },
  );

  long(
    'the samples of webhooks continue with their webhook and its secret when they are run again',
    async () => {
      const env = await environment('webhooks');
      await expectPromised('webhooks', env);
      await expectPromised('webhooks', env);
      const { rows } = await served.store.database.query('select from webhooks where url = $1', [
        env.RECEIVER,
      ]);
      expect(rows).toHaveLength(1);
    },
  );
});
