import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import { long } from '../harness/long.ts';
import { Checkout } from '../local/checkout.ts';
import { patience } from '../local/interrupted.ts';

let checkout: Checkout;

beforeAll(() => {
  checkout = new Checkout();
});

afterAll(() => checkout.remove());

async function deploy(environment: Record<string, string> = {}) {
  const wrangler = join(checkout.folder, 'node_modules/wrangler/bin/wrangler.js');
  const run = promisify(execFile)(process.execPath, [wrangler, 'deploy', '--dry-run'], {
    cwd: checkout.folder,
    env: {
      PATH: `${join(checkout.folder, 'node_modules/.bin')}:${process.env['PATH']}`,
      HOME: process.env['HOME'],
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_LOG_PATH: checkout.path('logs'),
      ...environment,
    },
  });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, printed: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      printed: stdout + stderr,
    }),
  );
}

long(
  'Plain wrangler deploy in a fresh clone is refused with what is missing, and builds the worker once that is there',
  { timeout: patience },
  async () => {
    const example = await deploy();
    expect([example.code, example.printed]).toEqual([
      1,
      expect.stringContaining('BASE_URL is still'),
    ]);
    const file = join(checkout.folder, 'wrangler.toml');
    const text = await readFile(file, 'utf8');
    const own = text.replace(/BASE_URL = ".*"/, 'BASE_URL = "https://api.shop.example"');
    await writeFile(file, own);
    const service = await deploy({ WORKERS_CI: '1' });
    expect([service.code, service.printed]).toEqual([
      1,
      expect.stringContaining('Set DATABASE_URL among the build variables'),
    ]);
    const built = await deploy();
    expect(built.code, built.printed).toBe(0);
    expect(built.printed).toContain('its documentation for https://api.shop.example');
    expect(built.printed).toContain('--dry-run: exiting now.');
  },
);
