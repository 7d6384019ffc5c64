import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { CommandProcess } from '../local/command-process.ts';
import { freePort } from '../harness/ports.ts';
import { generatePepper } from '../../src/kernel/auth/secret-token.ts';
import { generateSessionKey } from '../../src/kernel/auth/session-token.ts';
import { processInfo } from '../../src/local/processes.ts';
import { long } from '../harness/long.ts';
import { FakeCloudflare } from './vendors/cloudflare.ts';

const file = resolve(import.meta.dirname, '../../src/cli/store/index.ts');
const commands = new CommandProcess();
const cloudflare = new FakeCloudflare('');
let folder = '';

beforeAll(async () => {
  await cloudflare.open();
  folder = await mkdtemp(join(tmpdir(), 'checked-'));
});

afterAll(async () => {
  await commands.end();
  await cloudflare.close();
  await rm(folder, { recursive: true, force: true });
});

const store = (...typed: string[]) =>
  commands.run({
    file,
    typed,
    environment: {
      STORES_DIR: folder,
      CLOUDFLARE_API_BASE_URL: cloudflare.url,
      CLOUDFLARE_API_TOKEN: 'token',
      CLOUDFLARE_ACCOUNT_ID: '0123456789abcdef0123456789abcdef',
    },
  });

/** Writes the files of a store whose address doesn't answer, and which has no worker. */
async function write(more: string, secrets: Readonly<Record<string, string>>): Promise<void> {
  const DATABASE_URL = inject('postgresUrl');
  const SESSION_KEYS = JSON.stringify({ keys: [await generateSessionKey()] });
  const own = { DATABASE_URL, DATABASE_URL_DIRECT: DATABASE_URL, SESSION_KEYS };
  const all = { ...own, API_KEY_PEPPERS: generatePepper(1), ...secrets };
  await writeFile(join(folder, 'roti.secrets'), JSON.stringify(all));
  cloudflare.scripts.clear();
  const lines = [
    `address = "http://127.0.0.1:${await freePort()}"`,
    'namespace = 2001\nowner = "a@shop.example"\ncurrency = "IDR"',
  ];
  await writeFile(join(folder, 'roti.toml'), `${lines.join('\n')}\n${more}\n`);
}

long.for([
  ['', { RESEND_API_KEY: 're_1' }, 'MAIL_FROM is missing'],
  ['', { RESEND_KEY: 're_1' }, 'The service knows no variable RESEND_KEY.'],
  ['[vars]\nMIDTRANS_MODE = "prod"', {}, 'MIDTRANS_MODE is sandbox or production.'],
  ['[vars]\nREST_ROTO = "/api"', {}, 'The service knows no variable REST_ROTO.'],
  ['modules = ["mpc"]', {}, 'mpc'],
] as const)(
  'A store with %j and the secrets %j is not deployed: its worker would not start',
  async ([more, secrets, reason]) => {
    await write(more, secrets);
    const { code, printed } = await store('deploy', 'roti');
    expect([code, printed]).toEqual([2, expect.stringContaining(`check: `)]);
    expect(printed).toContain(reason);
    expect(printed).toContain(join(folder, 'roti.secrets'));
    const status = await store('status', 'roti');
    expect([status.code, status.printed]).toEqual([
      1,
      expect.stringMatching(/^ {2}http\S+ did not answer: .*\n {2}Seen from here: /m),
    ]);
    expect(status.printed).toContain(reason);
  },
);

const merchant = '[vars]\nDUITKU_MERCHANT_CODE = "D1"';
const sender = '[vars]\nMAIL_FROM = "a@shop.example"';

test.for([
  [merchant, ['DUITKU_API_KEY', 'OF_SOMEBODY'], undefined],
  ['', ['DUITKU_API_KEY'], 'DUITKU_MERCHANT_CODE is missing'],
  [merchant, [], 'DUITKU_API_KEY is missing'],
  [sender, ['RESEND_API_KEY'], undefined],
  ['', ['RESEND_API_KEY'], 'MAIL_FROM is missing'],
  [`email = true\n${sender}`, ['RESEND_API_KEY'], 'both send e-mail'],
] as const)(
  'A store with %j whose worker has the secrets %j is judged by both',
  async ([more, names, reason]) => {
    await write(more, {});
    cloudflare.setUp('sales-api-roti', names);
    const { printed } = await store('status', 'roti');
    expect(printed).toContain(reason ?? 'its variables, secrets and database are right.');
    expect(printed).not.toContain('not looked at');
    if (reason === undefined) return;
    const refused = await store('deploy', 'roti');
    expect([refused.code, refused.printed]).toEqual([2, expect.stringContaining(reason)]);
    if (names.length > 0) expect(refused.printed).toContain(`Only Cloudflare has ${names[0]}.`);
  },
);

test('A secret that the next deployment takes away no longer counts', async () => {
  await write(merchant, {});
  cloudflare.setUp('sales-api-roti', ['DUITKU_API_KEY']);
  const note = join(folder, 'roti.uploaded');
  await writeFile(note, JSON.stringify({ secrets: { DUITKU_API_KEY: 'hash' } }));
  expect((await store('deploy', 'roti')).printed).toContain('DUITKU_API_KEY is missing');
  await rm(note);
  expect((await store('status', 'roti')).printed).toContain('are right');
});

test('A store whose secrets at Cloudflare cannot be listed is not deployed, and its status says so', async () => {
  await write('', {});
  cloudflare.fault = { status: 403, body: { success: false, errors: [{ code: 10_000 }] } };
  const unread =
    'The secrets at Cloudflare were not looked at: Cloudflare answered 403 about the secrets of sales-api-roti.';
  expect((await store('status', 'roti')).printed).toContain(`\n  ${unread}`);
  const { code, printed } = await store('deploy', 'roti');
  expect([code, printed]).toEqual([1, expect.stringContaining(`check failed: ${unread}`)]);
  await write('', { RESEND_API_KEY: 're_1' });
  const refused = await store('deploy', 'roti');
  expect([refused.code, refused.printed]).toEqual([2, expect.stringContaining(unread)]);
  cloudflare.fault = undefined;
});

long(
  'A store whose database does not answer says so in its status, settings and console',
  async () => {
    await write('email = true\n[vars]\nMAIL_FROM = "hello@shop.example"', {});
    const { printed } = await store('status');
    expect(printed).toContain('are right. Its log says more: npx wrangler tail sales-api-roti');
    const gone = inject('postgresUrl').replace(/\/postgres$/, '/gone');
    await write('', { DATABASE_URL_DIRECT: gone });
    const away = await store('status');
    expect(away.printed).toContain('could not be reached: database "gone" does not exist');
    for (const words of [['settings'], ['console', 'a@shop.example']]) {
      const [command = '', ...more] = words;
      expect(await store(command, 'roti', ...more)).toEqual({
        code: 1,
        printed: 'The database could not be reached: database "gone" does not exist',
      });
    }
  },
);

test("The secrets of a store may come from a command, and no message repeats the command's output", async () => {
  await write('', { RESEND_KEY: 're_1' });
  const [own, kept] = [join(folder, 'roti.secrets'), join(folder, 'kept.json')];
  await rename(own, kept);
  await appendFile(join(folder, 'roti.toml'), `secrets_command = "cat ${kept}"\n`);
  const { printed } = await store('deploy', 'roti');
  expect(printed).toContain('The service knows no variable RESEND_KEY.');
  expect(printed).toContain('what its secrets_command prints');
  await writeFile(kept, 'svcapi_secret');
  const wrong = await store('deploy', 'roti');
  expect([wrong.code, wrong.printed]).toEqual([2, expect.stringContaining('no JSON object')]);
  expect(wrong.printed).not.toContain('svcapi_secret');
  await rm(kept);
  expect((await store('deploy', 'roti')).printed).toContain('secrets_command of roti failed');
});

test('A rotation with strings that lead nowhere says to go on with these options', async () => {
  const url = 'postgres://a:secret@127.0.0.1:1/shop';
  await write('', { DATABASE_URL: url, DATABASE_URL_DIRECT: url });
  const words = ['rotate', 'roti', 'database', '--database', url, '--database-direct', url];
  const { code, printed } = await store(...words);
  expect([code, printed]).toEqual([
    1,
    expect.stringMatching(
      /database in DATABASE_URL_DIRECT of roti could not be reached.*\n.*Go on with: npm run store -- rotate roti database --database URL --database-direct URL$/,
    ),
  ]);
  expect(printed).not.toContain('secret');
});

test('Stores that share rate limits are refused before anything is created', async () => {
  await write('', {});
  const lines = ['address = "https://kue.example"', 'owner = "a@b.example"', 'currency = "IDR"'];
  const file = join(folder, 'kue.toml');
  await writeFile(file, ['namespace = 2002', ...lines].join('\n'));
  const { code, printed } = await store('deploy', 'roti');
  expect([code, printed]).toEqual([2, expect.stringContaining('share rate limits')]);
  await rm(file);
});

test('A store that another command works on is left alone; the lock of a killed one is taken over', async () => {
  await write('modules = ["mpc"]', {});
  const lockOf = (pid: number) => join(folder, `roti.${pid}.lock`);
  await writeFile(lockOf(process.pid), '');
  const locked = await store('deploy', 'roti');
  expect([locked.code, locked.printed]).toEqual([
    1,
    `Another command is working on roti (process ${process.pid}). Wait until it ends.`,
  ]);
  await writeFile(lockOf(process.pid), processInfo(process.pid)?.started ?? '');
  expect((await store('deploy', 'roti')).code).toBe(1);
  await writeFile(lockOf(process.pid), 'the start of a killed process of this number');
  expect((await store('deploy', 'roti')).code).toBe(2);
  const { pid } = spawnSync(process.execPath, ['--version']);
  await writeFile(lockOf(pid), '');
  expect((await store('deploy', 'roti')).code).toBe(2);
  expect((await readdir(folder)).filter((file) => file.endsWith('.lock'))).toEqual([]);
});

test('The secrets that a killed command left in temporary files are deleted by the next one', async () => {
  await write('modules = ["mpc"]', {});
  for (const kind of ['upload.json', 'upload.json.new', 'secrets.new', 'restoring.new'])
    await writeFile(join(folder, `roti.${kind}`), '{}');
  await store('deploy', 'roti');
  const left = (await readdir(folder)).filter((file) => file.startsWith('roti.'));
  expect(left.toSorted()).toEqual(['roti.secrets', 'roti.toml']);
});

test('A store whose file or secrets are malformed, or whose secrets are missing, hides no other store from the table', async () => {
  await write('', { OLD_DATABASES: '[' });
  const text = await readFile(join(folder, 'roti.toml'), 'utf8');
  const files: string[] = [];
  for (const [n, name] of ['kue', 'sop'].entries()) {
    const own = text.replace(/\d+"$/m, `${n + 1}"`).replace('2001', String(2003 + 2 * n));
    files.push(join(folder, `${name}.toml`));
    await writeFile(join(folder, `${name}.toml`), own);
  }
  await writeFile(join(folder, 'kue.secrets'), 'svcapi_secret');
  await appendFile(join(folder, 'sop.toml'), 'secrets_command = "false"\n');
  const { code, printed } = await store('status');
  expect(code).toBe(1);
  for (const name of ['kue', 'roti', 'sop']) expect(printed).toMatch(RegExp(`^${name} +http`, 'm'));
  expect(printed).toMatch(/^kue:\n.*did not answer.*\n.*kue\.secrets holds no JSON object/m);
  expect(printed).toMatch(/^sop:\n.*did not answer.*\n.*secrets_command of sop failed/m);
  expect(printed).toMatch(/^roti:\n(.*\n)+ {2}OLD_DATABASES among the secrets of roti is not/m);
  await writeFile(join(folder, 'kue.toml'), 'address = 1');
  const invalid = await store('list');
  expect(invalid.printed).toMatch(/^sop +http/m);
  expect(invalid.printed).toMatch(/^kue:\n.*kue\.toml is not valid:\n/m);
  expect(invalid.printed).toMatch(/^sop:\n(.*\n)+ {2}The secrets_command of sop failed/m);
  for (const file of files) await rm(file);
});

test('The status of a store names its unfinished restore, and the command that goes on with it', async () => {
  await write('', {});
  const note = join(folder, 'roti.restoring');
  const backup = join(folder, 'backups/roti/2026-11-26T02-00-00.000Z');
  await writeFile(note, JSON.stringify({ folder: backup, since: '2026-11-27T02:00:00.000Z' }));
  const line = `\n  A restore is unfinished. Go on with: npm run store -- restore roti ${backup}`;
  expect((await store('status', 'roti')).printed).toContain(line);
  await writeFile(note, '{}');
  expect((await store('status', 'roti')).printed).toContain(`\n  ${note} differs from what`);
  await rm(note);
  expect((await store('status', 'roti')).printed).not.toContain('unfinished');
});

test('While the secrets lead to the database of an unfinished restore, no other command changes the store', async () => {
  await write('', {});
  const note = join(folder, 'roti.restoring');
  const restoring = { folder: '/backup', since: '2026-11-27T02:00:00.000Z' };
  await writeFile(note, JSON.stringify({ ...restoring, secrets: { DATABASE_URL: 'new' } }));
  for (const words of [
    ...[
      ['settings', 'roti'],
      ['console', 'roti', 'a@b.example'],
      ['backup', 'roti'],
    ],
    ...[
      ['deploy', 'roti'],
      ['deploy', '--all'],
      ['rotate', 'roti', 'peppers'],
      ['adopt', 'roti'],
    ],
  ]) {
    const { code, printed } = await store(...words);
    expect([code, printed]).toEqual([
      2,
      expect.stringContaining(
        'A restore of roti is unfinished: its secrets lead to the new database, and its worker may still use the previous one. Go on with: npm run store -- restore roti /backup',
      ),
    ]);
  }
  await writeFile(note, JSON.stringify(restoring));
  expect((await store('settings', 'roti')).printed).not.toContain('unfinished');
  await rm(note);
});

test('The status of a ready store names a database that the next deployment will not reach', async () => {
  const ready = { status: 'ok', version: '0.1.0', commit: null, schema: '0046_x' };
  const server = createServer((_, response) => response.end(JSON.stringify(ready))).listen(0);
  await once(server, 'listening');
  await write('', { DATABASE_URL_DIRECT: 'postgres://a:secret@127.0.0.1:1/shop' });
  const toml = join(folder, 'roti.toml');
  const { port } = server.address() as AddressInfo;
  const text = await readFile(toml, 'utf8');
  await writeFile(toml, text.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`));
  const { code, printed } = await store('status', 'roti');
  server.close();
  expect(code).toBe(1);
  expect(printed).toMatch(/ {2}The next deployment will fail: The database could not be reached: /);
});

test.for(['DATABASE_URL', 'DATABASE_URL_DIRECT'])(
  'A malformed %s is named with its file, and not printed',
  async (name) => {
    await write('', { [name]: 'postgres://a:se#cret@127.0.0.1/shop' });
    for (const command of ['status', 'deploy', 'settings']) {
      const { code, printed } = await store(command, 'roti');
      expect(code).toBe(command === 'status' ? 1 : 2);
      expect(printed).toContain(
        `${join(folder, 'roti.secrets')}: ${name} is not a connection string like postgresql://user:password@host/database.`,
      );
      expect(printed).not.toContain('cret@');
    }
    await write('', {});
    const words = ['roti', 'database', '--database', 'postgres://a:se#cret@127.0.0.1/shop'];
    const { code, printed } = await store('rotate', ...words);
    expect([code, printed]).toEqual([
      2,
      expect.stringContaining('--database is not a connection string'),
    ]);
    expect(printed).not.toContain('cret@');
  },
);

test('The sixth store needs the paid plan, which is announced first', async () => {
  await write('', {});
  const text = await readFile(join(folder, 'roti.toml'), 'utf8');
  const words = ['--address', 'https://b.example', '--owner', 'b@b.example', '--currency', 'IDR'];
  const add = () => store('add', 'sixth', ...words, '--dry-run');
  const files = [2, 3, 4, 5].map((n) => join(folder, `store-${n}.toml`));
  for (const [n, file] of files.entries()) {
    expect((await add()).printed).toMatch(/^Adding sixth/);
    const own = text.replace(/\d+"$/m, `${n + 1}"`).replace('2001', String(2003 + 2 * n));
    await writeFile(file, own);
  }
  expect((await add()).printed).toMatch(/^More than five stores take the paid plan/);
  for (const file of files) await rm(file);
});

test('A store with a module that does not exist is not added', async () => {
  const words = ['--address', 'https://b.example', '--owner', 'b@b.example', '--currency', 'IDR'];
  const { code, printed } = await store('add', 'kue', ...words, '--modules', 'mpc', '--dry-run');
  expect([code, printed]).toEqual([2, expect.stringContaining('mpc')]);
});
