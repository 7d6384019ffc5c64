import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { long } from '../harness/long.ts';
import { startNeonEndpoint } from '../../src/local/neon/index.ts';
import type { NeonEndpoint } from '../../src/local/neon/index.ts';
import {
  buildWorker,
  runBareWorkerd,
  runWorker,
  watchWorker,
} from '../../src/local/worker/index.ts';
import type { WorkerSetup } from '../../src/local/worker/index.ts';
import { namedAsNeon } from './neon-database.ts';

const entry = new URL('./fixtures/worker.ts', import.meta.url).pathname;
const target = createServer((_request, response) => response.end('reached'));

let folder: string;
let endpoint: NeonEndpoint;
let script: string;
let setup: WorkerSetup;
let targetUrl: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-sales-test-'));
  endpoint = await startNeonEndpoint();
  script = await buildWorker(entry);
  setup = {
    script,
    bindings: { DATABASE_URL: namedAsNeon('postgres') },
    neonUrl: endpoint.url,
    compatibilityDate: '2026-10-20',
    compatibilityFlags: ['global_fetch_strictly_public'],
  };
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  const address = target.address();
  targetUrl = typeof address === 'object' ? `http://127.0.0.1:${address?.port}/` : '';
});

afterAll(async () => {
  target.close();
  await endpoint.close();
  rmSync(folder, { recursive: true });
});

const read = async (url: string) => (await fetch(url)).text();

async function runSimulated(options: WorkerSetup) {
  const worker = await runWorker(options);
  return { url: worker.url, stop: () => worker.dispose() };
}

describe('A bundle', () => {
  test('is one module', () => {
    expect(script).not.toMatch(/\bfrom ?["']/);
  });

  test('imports nothing of Node', async () => {
    const source = join(folder, 'node.ts');
    writeFileSync(source, `import { cpus } from 'node:os'; export default { cpus };`);
    const building = buildWorker(source);
    await expect(building).rejects.toThrow(/Could not resolve.*node:os/s);
  });

  test('is built again when a source changes, but not while the source has errors', async () => {
    const source = join(folder, 'watched.ts');
    writeFileSync(source, `export default 'first';`);
    const bundles: string[] = [];
    let next = Promise.withResolvers<void>();
    const end = watchWorker(source, join(folder, 'watched.js'), (built) => {
      bundles.push(built);
      next.resolve();
    });
    await next.promise;
    next = Promise.withResolvers();
    writeFileSync(source, `export default 'second';`);
    await next.promise;
    await end();
    expect(bundles).toEqual([expect.stringContaining('first'), expect.stringContaining('second')]);
  });
});

describe.for([
  ['workerd alone', runBareWorkerd],
  ['the platform simulated', runSimulated],
] as const)('A worker in %s', ([, run]) => {
  test('speaks to the database through the driver, and reaches nothing on this machine', async () => {
    const worker = await run(setup);
    const row = { list: [1, 2], big: '9007199254740993' };
    expect(JSON.parse(await read(`${worker.url}/query`))).toEqual(row);
    expect(await read(`${worker.url}/fetch?url=${targetUrl}`)).toContain('refused');
    expect(await read(`${worker.url}/fetch?url=${endpoint.url}`)).toContain('refused');
    expect(await read(`${worker.url}/dev-fetch?url=${targetUrl}`)).toBe('no such binding');
    await worker.stop();
  });

  long('reaches this machine, and no other of the network, if that is switched on', async () => {
    const worker = await run({ ...setup, devOutbound: true });
    expect(await read(`${worker.url}/dev-fetch?url=${targetUrl}`)).toBe('200 reached');
    expect(await read(`${worker.url}/dev-fetch?url=http://10.0.0.1/`)).toContain('refused');
    expect(await read(`${worker.url}/fetch?url=${targetUrl}`)).toContain('refused');
    await worker.stop();
  });
});

describe('A worker', () => {
  long('runs its cron, and another bundle on the same port', async () => {
    const worker = await runWorker(setup);
    expect(await worker.scheduled('*/5 * * * *')).toBe('ok');
    expect(await read(`${worker.url}/cron`)).toBe('*/5 * * * *');
    const script = `export default { fetch: (request, env) => new Response(env.DATABASE_URL) };`;
    await worker.reload({ script, bindings: { DATABASE_URL: 'elsewhere' } });
    expect(await read(worker.url)).toBe('elsewhere');
    await worker.dispose();
  });

  long('has the buckets, limits and assets it is given', async () => {
    writeFileSync(join(folder, 'page.txt'), 'an asset');
    const script = `export default { async fetch(request, env) {
      await env.FILES.put('a', 'an object');
      const { success } = await env.LIMIT.limit({ key: 'a' });
      const object = await (await env.FILES.get('a')).text();
      return new Response([success, object].join());
    } };`;
    const worker = await runWorker({
      ...setup,
      script,
      env: {
        FILES: { type: 'r2', name: 'files' },
        LIMIT: { type: 'rate-limit', namespace: '1', simple: { limit: 1, period: 60 } },
      },
      assets: { directory: folder },
    });
    expect(await read(worker.url)).toBe('true,an object');
    expect(await read(worker.url)).toBe('false,an object');
    expect(await read(`${worker.url}/page.txt`)).toBe('an asset');
    await worker.dispose();
  });

  test('whose script is broken does not start, and workerd says why', async () => {
    await expect(runBareWorkerd({ ...setup, script: 'nonsense(' })).rejects.toThrow('SyntaxError');
  });
});

describe('On the local platform', () => {
  async function running(bindings: Record<string, string>) {
    const worker = await runWorker({
      ...setup,
      bindings: { ...setup.bindings, ...bindings },
      devOutbound: true,
    });
    onTestFinished(() => worker.dispose());
    return (count: number) =>
      read(`${worker.url}/many?count=${count}&url=${encodeURIComponent(targetUrl)}`);
  }

  long('an invocation makes 50 calls, and each after them fails', async () => {
    const many = await running({});
    expect([await many(60), await many(50)]).toEqual(['50', '50']);
  });

  long('SUBREQUESTS is how many calls it makes', async () => {
    const many = await running({ SUBREQUESTS: '12' });
    expect(await many(13)).toBe('12');
  });

  long('six calls of an invocation wait for their answer at once', async () => {
    const many = await running({});
    let [open, most] = [0, 0];
    const waiting: (() => void)[] = [];
    target.removeAllListeners('request');
    target.on('request', (_request, response) => {
      most = Math.max(most, ++open);
      waiting.push(() => {
        open--;
        response.end('reached');
      });
      // The last request releases the answers to the last six.
      if (open === 6) for (const answer of waiting.splice(0)) answer();
    });
    expect(await many(12)).toBe('12');
    expect(most).toBe(6);
    target.removeAllListeners('request');
    target.on('request', (_request, response) => response.end('reached'));
  });
});
