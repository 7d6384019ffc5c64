import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { long } from '../harness/long.ts';
import { patience } from '../local/interrupted.ts';
import { World } from './world.ts';

const world = new World();
const worker = 'sales-api-hilang';
const fileOf = (ending: string) => join(world.folder, `hilang.${ending}`);

beforeAll(() => world.open());
afterAll(() => world.close());

const options = { timeout: patience };

async function readSecrets(): Promise<Record<string, string>> {
  return JSON.parse(await readFile(fileOf('secrets'), 'utf8')) as Record<string, string>;
}

const writeSecrets = (secrets: object) => writeFile(fileOf('secrets'), JSON.stringify(secrets));

const deployedVersions = () => world.cloudflare.scripts.get(worker)?.deployed ?? [];

/** Writes the file of the store, with further lines at its end. */
let define: (more: string) => Promise<void>;

long(
  'A store whose secrets were lost is open again after the documented steps, with those that only Cloudflare has',
  options,
  async () => {
    const [, , , address = ''] = await world.adding('hilang');
    define = (more) =>
      writeFile(
        fileOf('toml'),
        `address = "${address}"\nnamespace = 2001\nowner = "ana@shop.example"\ncurrency = "IDR"\n${more}\n`,
      );
    await define('[vars]\nDUITKU_MERCHANT_CODE = "D1234"');
    await writeSecrets({ DUITKU_API_KEY: 'duitku-key' });
    const added = await world.store('add', 'hilang');
    expect(added.code, added.printed).toBe(0);

    await world.query('hilang', "update users set email = 'budi@shop.example'");
    const { DATABASE_URL, DATABASE_URL_DIRECT, NEON_PROJECT_ID } = await readSecrets();
    await writeSecrets({ DATABASE_URL, DATABASE_URL_DIRECT, NEON_PROJECT_ID });
    await rm(fileOf('uploaded'));
    expect((await world.store('add', 'hilang')).code).toBe(2);
    expect((await world.store('adopt', 'hilang')).code).toBe(0);
    const again = await world.store('add', 'hilang');
    expect([again.code, again.printed]).toEqual([
      0,
      expect.stringContaining('This link signs budi@shop.example in, once'),
    ]);
    expect(world.cloudflare.secrets(worker)).toHaveProperty('DUITKU_API_KEY', 'duitku-key');
    expect((await world.store('status', 'hilang')).code).toBe(0);
  },
);

long(
  'A provider whose key only Cloudflare has is not set up in part, and is switched off by the documented steps',
  options,
  async () => {
    const before = deployedVersions().length;
    await define('');
    const refused = await world.store('deploy', 'hilang');
    expect([refused.code, refused.printed]).toEqual([
      2,
      expect.stringMatching(
        /DUITKU_MERCHANT_CODE is missing[^]*Only Cloudflare has DUITKU_API_KEY\./,
      ),
    ]);
    expect(deployedVersions()).toHaveLength(before);

    await define('[vars]\nDUITKU_MERCHANT_CODE = "D1234"');
    const own = await readSecrets();
    await writeSecrets({ ...own, DUITKU_API_KEY: 'any' });
    expect((await world.store('deploy', 'hilang')).code).toBe(0);
    await define('');
    await writeSecrets(own);
    const taken = await world.store('deploy', 'hilang');
    expect([taken.code, taken.printed]).toEqual([
      0,
      expect.stringContaining('deployed, without DUITKU_API_KEY'),
    ]);
  },
);

long(
  'A worker is rolled back to a version that answers, even if no note says that it was seen ready',
  options,
  async () => {
    const before = deployedVersions().at(-1);
    const note = JSON.parse(await readFile(fileOf('uploaded'), 'utf8')) as object;
    await writeFile(fileOf('uploaded'), JSON.stringify({ ...note, ready: '' }));
    world.cloudflare.onUpload = (_, script) => script.replaceAll('/readyz', '/brokenz');
    const { code, printed } = await world.store('deploy', 'hilang');
    world.cloudflare.onUpload = (_, script) => script;
    expect([code, printed]).toEqual([1, expect.stringContaining(`rolled back to ${before}`)]);
    expect((await world.store('status', 'hilang')).code).toBe(0);
  },
);
