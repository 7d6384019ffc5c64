import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildWorker } from '../../src/local/worker/index.ts';
import { modules } from '../../src/modules/index.ts';
import { isLong, long } from '../harness/long.ts';
import { patience } from '../local/interrupted.ts';

const deploy = resolve(import.meta.dirname, '../../src/cli/deploy.ts');

/** The largest size of the worker in bytes, as text and gzipped: V8 reads all of it on every cold start. */
const limits = { text: 1_279_000, gzipped: 403_600 };

test(
  'a dry run works up to the upload without a database, and the worker is no larger than allowed',
  { timeout: patience },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deploy-'));
    try {
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [deploy, '--dry-run', '--outdir', folder],
        {
          env: {
            ...process.env,
            // No server listens there.
            DATABASE_URL: 'postgres://postgres@127.0.0.1:1/store',
            WRANGLER_SEND_METRICS: 'false',
            WRANGLER_LOG_PATH: folder,
          },
        },
      );
      expect(stdout).toContain('--dry-run: exiting now.');
      expect(stdout).toMatch(/env\.CALLER_LIMIT /);
      expect(stdout).toMatch(/env\.FAILURE_LIMIT /);
      expect(stderr).toContain('BASE_URL is still https://');
      // Each module of the worker has a line in the list; pages in it would have one, too.
      expect(stdout).not.toMatch(/\.(html|txt)\b/);
      const [, total = 'NaN'] = /Total Upload: ([\d.]+) KiB/.exec(stdout) ?? [];
      const script = await readFile(join(folder, 'worker.js'));
      expect(Math.abs(Number(total) - script.byteLength / 1024)).toBeLessThan(1);
      expect(script.byteLength).toBeLessThan(limits.text);
      expect(gzipSync(script).byteLength).toBeLessThan(limits.gzipped);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

/** A text that only the code of one module contains. */
const marks: Readonly<Record<string, string>> = {
  'edd-sl': 'edd_action',
  mcp: 'tools/call',
  shop: 'shop.home',
  slm: 'slm_check',
};

describe('The worker', () => {
  const entry = resolve(import.meta.dirname, '../../src/worker.ts');

  test('has a mark of every module, by which its code is found', () => {
    expect(Object.keys(marks).toSorted()).toEqual(modules.map(({ key }) => key).toSorted());
  });

  long(
    "contains no module's code with MODULES empty, and only the named module's code otherwise",
    { timeout: patience },
    async () => {
      const found = async (named: string[]) => {
        const code = await buildWorker(entry, { modules: named });
        return Object.keys(marks).filter((key) => code.includes(marks[key] ?? ''));
      };
      expect(await found([])).toEqual([]);
      const named = Object.keys(marks);
      for (const key of isLong ? named : named.slice(0, 1))
        expect(await found([key])).toEqual([key]);
    },
  );
});
