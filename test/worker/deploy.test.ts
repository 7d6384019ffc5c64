import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildAssets } from '../../src/local/assets.ts';

/**
 * What the bundle may weigh, gzipped, in bytes. The Neon driver is 47 kB of it and zod 28 kB: what is
 * added here is loaded on every cold start.
 */
const limit = 260_000;

test('wrangler accepts the worker as it would deploy it, and it is no larger than allowed', async () => {
  await buildAssets();
  const folder = await mkdtemp(join(tmpdir(), 'deploy-'));
  try {
    const { stdout } = await promisify(execFile)(
      'wrangler',
      ['deploy', '--dry-run', '--outdir', folder],
      { env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG_PATH: folder } },
    );
    expect(stdout).toContain('--dry-run: exiting now.');
    const script = await readFile(join(folder, 'worker.js'));
    expect(gzipSync(script).byteLength).toBeLessThan(limit);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
