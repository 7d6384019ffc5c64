import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { generatePepper } from '../../src/kernel/auth/secret-token.ts';
import { generateSessionKey } from '../../src/kernel/auth/session-token.ts';
import { markReplaced, markStore } from '../../src/cli/support/store-mark.ts';
import { long } from '../harness/long.ts';
import { useStore } from '../harness/store.ts';
import { CommandProcess } from './command-process.ts';

const opened = useStore();

beforeEach(() => opened.store.database.query('delete from store_mark'));

let shared: CommandProcess | undefined;
let second: CommandProcess | undefined;
afterAll(async () => {
  await shared?.end();
  await second?.end();
});

async function command(
  name: string,
  typed: string[],
  environment: Record<string, string>,
  runner = (shared ??= new CommandProcess()),
) {
  const file = resolve(import.meta.dirname, `../../src/cli/${name}.ts`);
  const { databaseUrl: DATABASE_URL } = opened.store;
  return runner.run({ file, typed, environment: { DATABASE_URL, ...environment } });
}

const createKey = (API_KEY_PEPPERS: string, runner?: CommandProcess) =>
  command('key', ['create', '--name', 'Backend', '--all-scopes'], { API_KEY_PEPPERS }, runner);

const keys = async () => (await opened.store.database.query('select from api_keys')).rowCount;

const sessionKeys = async () => JSON.stringify({ keys: [await generateSessionKey()] });

test('npm run key refuses other peppers than those of the first key, and creates nothing', async () => {
  const own = generatePepper(1);
  expect((await createKey(own)).code).toBe(0);
  const before = await keys();
  const other = generatePepper(1);
  for (const words of [
    ['create', '--name', 'Other', '--all-scopes'],
    ['console', 'nobody@shop.example', '--url', 'https://shop.example'],
    ['rotate', '1'],
  ]) {
    const { code, printed } = await command('key', words, { API_KEY_PEPPERS: other });
    expect(code).toBe(2);
    expect(printed).toMatch(/^API_KEY_PEPPERS are not those of the store/);
    expect(printed).not.toContain(other.slice(2));
  }
  expect(await keys()).toBe(before);
});

test('npm run key accepts both peppers of a rotation, and only the new one afterwards', async () => {
  const [old, next] = [generatePepper(1), generatePepper(2)];
  expect((await createKey(old)).code).toBe(0);
  expect((await createKey(next)).code).toBe(2);
  expect((await createKey(`${next} ${old}`)).code).toBe(0);
  expect((await createKey(next)).code).toBe(0);
  const copy = await createKey(old);
  expect([copy.code, copy.printed]).toEqual([
    2,
    expect.stringMatching(/^API_KEY_PEPPERS are a copy from before the end of a rotation/),
  ]);
});

test('A database forgets the former secrets of its store, and refuses them even beside the new ones', async () => {
  const { database } = opened.store;
  const [first, second, third] = [generatePepper(1), generatePepper(2), generatePepper(3)];
  const mark = (peppers: string, isMoved = false) => markStore(database, { peppers }, isMoved);
  await mark(first);
  await mark(`${second} ${first}`);
  await expect(mark(first)).rejects.toThrow('before the end of a rotation');
  await mark(second);
  await mark(`${second} ${first}`);
  await mark(second, true);
  await expect(mark(`${second} ${first}`)).rejects.toThrow('before the end of a rotation');
  await expect(mark(first)).rejects.toThrow('API_KEY_PEPPERS are not those of the store');
  await mark(`${third} ${second}`);
  await mark(third);
});

test('The pepper with the highest version is accepted, although the mark has an older one first', async () => {
  const { database } = opened.store;
  const [second, third] = [generatePepper(2), generatePepper(3)];
  const mark = (peppers: string) => markStore(database, { peppers });
  const checks = async (): Promise<string[]> =>
    (await database.query('select pepper_checks from store_mark')).rows[0]?.pepper_checks;
  await mark(second);
  await mark(`${third} ${second}`);
  const newestFirst = await checks();
  // 0.1.0 did so for a command with a copy of the old pepper.
  const reversed = JSON.stringify(newestFirst.toReversed());
  await database.query('update store_mark set pepper_checks = $1', [reversed]);
  await mark(third);
  expect(await checks()).toEqual(newestFirst);
  await expect(mark(second)).rejects.toThrow('If these are the newest, or to go back to these');
});

test('A database that a restore has replaced is refused whatever is claimed, until it is adopted', async () => {
  const { database } = opened.store;
  const address = 'https://shop.example';
  const id = await markStore(database, { address, environment: 'production' });
  expect(await markReplaced(database, address, id)).toBe(false);
  expect(await markReplaced(database, 'https://other.example', 'another')).toBe(false);
  await markStore(database, {});
  expect(await markReplaced(database, address, 'another')).toBe(true);
  for (const claim of [{}, { address, environment: 'production' }, { peppers: generatePepper(1) }])
    await expect(markStore(database, claim)).rejects.toThrow(
      'The store https://shop.example has left this database',
    );
  expect(await markStore(database, { address }, true)).not.toBe(id);
  await markStore(database, { address, environment: 'production' });
});

test('The statement of docs/backups.md marks a database as left', async () => {
  const { database } = opened.store;
  const text = await readFile(resolve(import.meta.dirname, '../../docs/backups.md'), 'utf8');
  await markStore(database, { address: 'https://shop.example' });
  await database.query(/^update store_mark .*;$/m.exec(text)?.[0] ?? '');
  await expect(markStore(database, {})).rejects.toThrow('has left this database');
});

long(
  'npm run migrate exits with 2 if the database belongs to other secrets, and takes it over with --adopt',
  async () => {
    const own = { API_KEY_PEPPERS: generatePepper(1), SESSION_KEYS: await sessionKeys() };
    expect((await command('migrate', [], own)).code).toBe(0);
    const others = { ...own, SESSION_KEYS: await sessionKeys() };
    const refused = await command('migrate', [], others);
    expect([refused.code, refused.printed]).toEqual([
      2,
      expect.stringMatching(/^SESSION_KEYS are not those of the store/),
    ]);
    expect((await command('migrate', ['--adopt'], others)).code).toBe(0);
    expect((await command('migrate', [], own)).code).toBe(2);
  },
);

test.for([
  [
    { address: 'https://other.example' },
    /belongs to the store https:\/\/shop\.example, not to https:\/\/other/,
  ],
  [{ environment: 'development' }, /in production, not in development/],
])('A database is refused for the deployment %o', async ([claim, message]) => {
  const { database } = opened.store;
  const id = await markStore(database, {
    address: 'https://shop.example/',
    environment: 'production',
  });
  await expect(markStore(database, claim as object)).rejects.toThrow(message);
  expect(await markStore(database, { address: 'https://shop.example' })).toBe(id);
  expect(await markStore(database, { address: 'https://other.example' }, true)).toBe(id);
  await expect(markStore(database, { address: 'https://shop.example' })).rejects.toThrow('not to');
});

long(
  'Two commands that mark a database at once leave one mark, and the other one is refused',
  async () => {
    second = new CommandProcess();
    const codes = await Promise.all(
      [shared, second].map(async (runner) => (await createKey(generatePepper(1), runner)).code),
    );
    expect(codes.toSorted((one, other) => one - other)).toEqual([0, 2]);
  },
);

test('GET /readyz answers 503 if the worker is configured for the store of another database', async () => {
  const id = await markStore(opened.store.database, {});
  const environment = await opened.store.environment;
  const ready = async (STORE_ID: string) => {
    environment['STORE_ID'] = STORE_ID;
    opened.store.restart();
    return (await opened.store.client().get('//readyz')).status;
  };
  expect(await ready(id)).toBe(200);
  expect(await ready('another')).toBe(503);
  delete environment['STORE_ID'];
  opened.store.restart();
});
