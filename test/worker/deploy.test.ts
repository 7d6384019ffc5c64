import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const deploy = resolve(import.meta.dirname, '../../src/cli/deploy.ts');

/** What the worker may weigh, gzipped, in bytes: it is loaded on every cold start. */
const limit = 277_000;

test('a dry run works up to the upload without a database, and the worker is no larger than allowed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deploy-'));
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [deploy, '--dry-run', '--outdir', folder],
      {
        env: {
          ...process.env,
          // Nothing listens there.
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
    const script = await readFile(join(folder, 'worker.js'));
    expect(gzipSync(script).byteLength).toBeLessThan(limit);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
