import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Checkout } from '../local/checkout.ts';
import { importIn } from './command.ts';

const checkout = new Checkout();

afterAll(() => checkout.remove());

/** The largest memory of the import in bytes, without PostgreSQL. */
const most = 500 * 1024 * 1024;

test(
  'A shop of a million orders is imported with 500 MB of memory',
  { timeout: 2 * 3_600_000 },
  async () => {
    const path = join(checkout.folder, 'shop.sql');
    const script = resolve(import.meta.dirname, 'write-shop.ts');
    execFileSync(process.execPath, ['--max-old-space-size=12000', script, '1000000', path]);
    const began = performance.now();
    const { code, printed, peak } = await importIn(checkout, ['sejoli', path]).ended;
    const minutes = (performance.now() - began) / 60_000;
    const megabytes = Math.round((peak ?? 0) / 1024 / 1024);
    console.table({ 'a million orders': { minutes: minutes.toFixed(1), megabytes } });
    expect(code, printed).toBe(0);
    expect(peak).toBeLessThan(most);
  },
);
