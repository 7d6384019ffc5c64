import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { long } from '../harness/long.ts';
import { patience } from '../local/interrupted.ts';
import { World } from './world.ts';

const world = new World();
const script = resolve(import.meta.dirname, '../../src/cli/store/index.ts');

beforeAll(() => world.open());
afterAll(() => world.close());

const options = { timeout: patience };

/** Copies the files of the store into a folder for a second operator. */
async function copyOf(name: string): Promise<string> {
  const folder = join(world.folder, name);
  await mkdir(folder);
  for (const ending of ['toml', 'secrets', 'uploaded'])
    await copyFile(join(world.folder, `roti.${ending}`), join(folder, `roti.${ending}`));
  return folder;
}

const withCopy = (STORES_DIR: string, ...words: string[]) =>
  world.command(script, words, { STORES_DIR });

async function succeed(...words: string[]): Promise<string> {
  const { code, printed } = await world.store(...words);
  expect(code, printed).toBe(0);
  return printed;
}

const secretsFile = () => join(world.folder, 'roti.secrets');

const readSecrets = async () =>
  JSON.parse(await readFile(secretsFile(), 'utf8')) as Record<string, string>;

async function backUp(): Promise<string> {
  await succeed('backup', 'roti');
  const folder = join(world.folder, 'backups/roti');
  return join(folder, (await readdir(folder)).toSorted().at(-1) ?? '');
}

long(
  'A copy of the secrets from before or during a finished rotation is not deployed',
  options,
  async () => {
    await succeed(...(await world.adding('roti')));
    for (const [what, secret] of [
      ['peppers', 'API_KEY_PEPPERS'],
      ['session-keys', 'SESSION_KEYS'],
    ] as const) {
      const before = await copyOf(`before-${what}`);
      await succeed('rotate', 'roti', what);
      const during = await copyOf(`during-${what}`);
      const early = await withCopy(before, 'deploy', 'roti');
      expect([early.code, early.printed]).toEqual([2, expect.stringContaining(secret)]);
      await succeed('rotate', 'roti', what, '--finish');
      const late = await withCopy(before, 'deploy', 'roti');
      expect([late.code, late.printed]).toEqual([
        2,
        expect.stringContaining(`${secret} are not those of the store`),
      ]);
      const middle = await withCopy(during, 'deploy', 'roti');
      expect([middle.code, middle.printed]).toEqual([
        2,
        expect.stringContaining(`${secret} are a copy from before the end of a rotation`),
      ]);
      await succeed('deploy', 'roti');
    }
  },
);

long(
  'A copy of the files from before a restore is refused until the database is adopted on purpose',
  options,
  async () => {
    const folder = await backUp();
    const copy = await copyOf('before-restore');
    const printed = await succeed('restore', 'roti', folder);
    expect(printed).toMatch(/ {2}previous +commands and former workers are refused at \S+ \(/);
    expect(printed).toMatch(
      / {2}done .*\n {4}Compared with \S+: the restore undid none of the changes .*\n?$/,
    );
    const { deployed = [] } = world.cloudflare.scripts.get('sales-api-roti') ?? {};
    const before = deployed.length;
    for (const words of [
      ['deploy', 'roti'],
      ['backup', 'roti'],
      ['settings', 'roti'],
      ['console', 'roti', 'ana@shop.example'],
      ['restore', 'roti', folder],
    ]) {
      const refused = await withCopy(copy, ...words);
      expect([words[0], refused.code, refused.printed]).toEqual([
        words[0],
        2,
        expect.stringContaining(
          'has left this database: a restore has put another one in its place',
        ),
      ]);
    }
    expect(deployed).toHaveLength(before);
    await succeed('status', 'roti');
    const adopted = await withCopy(copy, 'adopt', 'roti');
    expect(adopted.code, adopted.printed).toBe(0);
    const again = await withCopy(copy, 'deploy', 'roti');
    expect(again.code, again.printed).toBe(0);
  },
);

long('A store is restored although its previous database does not answer', options, async () => {
  await succeed('deploy', 'roti');
  const folder = await backUp();
  const gone = 'postgres://a:b@127.0.0.1:1/gone';
  const secrets = { ...(await readSecrets()), OLD_DATABASES: '[]' };
  await writeFile(
    secretsFile(),
    JSON.stringify({ ...secrets, DATABASE_URL: gone, DATABASE_URL_DIRECT: gone }),
  );
  const printed = await succeed('restore', 'roti', folder);
  expect(printed).toMatch(
    / {2}previous .* refused at none \(.*\n {4}Not marked\. .*\n {6}127\.0\.0\.1:1\/gone: The database could not be reached/,
  );
  expect(printed).toMatch(
    / {4}Not compared\. .*\n {6}127\.0\.0\.1:1\/gone: The database could not/,
  );
  await succeed('deploy', 'roti');
});
