import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { Checkout } from './checkout.ts';
import { CommandProcess } from './command-process.ts';
import type { Outcome } from './fixtures/commands.ts';
import { patience } from './interrupted.ts';

const root = resolve(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** The commands of package.json that are scripts of this repository. */
const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const file = /^node .*?((?:src|packages|test)\/\S+\.ts)$/.exec(line)?.[1];
  return file ? [{ name, file }] : [];
});

/** Commands whose forms take different arguments. */
const forms: Record<string, readonly string[][]> = {
  key: [
    ['list', '--name', 'x'],
    ['list', '2'],
    ['revoke', '2', '3'],
    ['role', 'a@b.example', 'Support', 'x'],
    ['role', 'a@b.example'],
    ['rotate', '2', '--expires', '2099-01-31'],
    ['create', '--name', 'x', '--scopes', 'orders:read', '--administrators'],
  ],
  import: [
    ['store', 'folder', '--forget'],
    ['store'],
    ['shopify', 'shop.sql'],
    ['edd'],
    ['edd', 'none.sql'],
    ['edd', 'none.sql', '--timezone', 'Mars'],
  ],
  store: [
    ['add'],
    ['list', 'roti'],
    ['rotate', 'roti', 'keys'],
    ['restore', 'roti', 'folder', '--drill', '--database', 'x'],
  ],
  trigger: [['order.lost']],
};

const tried = commands.flatMap(({ name, file }) =>
  [['--help'], ['--nonsense'], ['one', 'two', 'three', 'four'], ...(forms[name] ?? [])].map(
    (typed) => ({ name, file, typed }),
  ),
);

const outcomes = new Map<string, Outcome>();
let checkout: Checkout;
/** Connections that the commands opened, to a database or a store. */
let connections = 0;
let changed: string[];

/** Lists the files of a folder with sizes and times of change, without vitest's cache. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.includes('node_modules/.vitest-cache/')) return [];
    const { size, mtimeMs } = statSync(path);
    return [`${relative(folder, path)} ${size} ${mtimeMs}`];
  });
}

beforeAll(async () => {
  checkout = new Checkout('test');
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const address = `127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
  const before = filesIn(checkout.folder);
  // With these variables each command could do its work.
  const environment = {
    DATABASE_URL: `postgres://store:secret@${address}/store`,
    SALES_API_URL: `http://${address}/api/svc/v1`,
    SALES_API_KEY: 'key',
  };
  const runner = new CommandProcess(join(checkout.folder, 'test/local/fixtures/commands.ts'));
  for (const { name, file, typed } of tried) {
    const call = { file: join(checkout.folder, file), typed, environment };
    outcomes.set([name, ...typed].join(' '), await runner.run(call));
  }
  await runner.end();
  server.close();
  changed = filesIn(checkout.folder).filter((file) => !before.includes(file));
}, patience);

afterAll(() => checkout.remove());

const helpOf = (name: string) => outcomes.get(`${name} --help`)?.printed ?? '';

/** Expects a command to be refused with a reason, and its usage below. */
function expectRefused(line: string, reason: string): void {
  const [name = ''] = line.split(' ');
  const { code, printed = '' } = outcomes.get(line) ?? {};
  const [said, ...usage] = printed.split('\n\n');
  expect([code, said]).toEqual([2, reason]);
  expect(usage.length).toBeGreaterThan(0);
  expect(helpOf(name).startsWith(usage.join('\n\n')), printed).toBe(true);
}

test('Every command that runs a script of this repository is tried', () => {
  const own = Object.entries(scripts).filter(([, line]) => line.startsWith('node '));
  expect(commands.map(({ name }) => name)).toEqual(own.map(([name]) => name));
  expect(commands.length).toBeGreaterThan(14);
});

test('Commands that are asked for help, or mistyped, change no file and make no request', () => {
  expect({ changed, connections }).toEqual({ changed: [], connections: 0 });
});

test.for(commands)('npm run $name -- --help says how the command is used', ({ name }) => {
  const { code, printed = '' } = outcomes.get(`${name} --help`) ?? {};
  expect(code).toBe(0);
  expect(printed).toContain(name === 'start' ? 'npm start' : 'npm run ');
  expect(printed).toContain(name);
});

test.for(commands)('npm run $name refuses an option that it does not know', ({ name }) => {
  expectRefused(`${name} --nonsense`, "Unknown option '--nonsense'.");
});

test.for(commands)('npm run $name refuses too many words', ({ name }) => {
  const { code, printed = '' } = outcomes.get(`${name} one two three four`) ?? {};
  expect([code, helpOf(name).startsWith(printed.split('\n\n')[1] ?? '?')]).toEqual([2, true]);
});

test.for([
  ['key list --name x', '`key list` does not take --name.'],
  ['key list 2', "Unexpected argument '2'."],
  ['key revoke 2 3', "Unexpected argument '3'."],
  ['key role a@b.example Support x', "Unexpected argument 'x'."],
  [
    'key role a@b.example',
    'Give the e-mail address of the user, and the name of a role or --remove.',
  ],
  ['key rotate 2 --expires 2099-01-31', '`key rotate` does not take --expires.'],
  [
    'key create --name x --scopes orders:read --administrators',
    '--administrators concerns sessions: add the scope sessions:write.',
  ],
  ['import store folder --forget', '`import store` does not take --forget.'],
  ['import store', 'FOLDER is missing.'],
  ['import shopify shop.sql', 'There is nothing to import from shopify.'],
  [
    'import edd',
    'Name a dump of the shop’s database (shop.sql or shop.sql.gz), or set SOURCE_URL to mysql://user:password@host:3306/database.',
  ],
  ['import edd none.sql', 'There is no file none.sql.'],
  ['import edd none.sql --timezone Mars', '--timezone Mars: say a time zone such as Asia/Jakarta.'],
  ['store add', '`store add` needs more words.'],
  ['store list roti', "Unexpected argument 'roti'."],
  [
    'store restore roti folder --drill --database x',
    '`store restore --drill` does not take --database.',
  ],
  ['store rotate roti keys', '`store rotate` takes peppers, session-keys, database.'],
  ['trigger order.lost', 'There is no event order.lost. `npm run trigger -- --help` lists all.'],
] as const)('npm run %s is refused with the reason', ([line, reason]) =>
  expectRefused(line, reason),
);

long('A command finishes its work when the reader of its output is gone', async () => {
  const file = join(import.meta.dirname, 'fixtures/talkative.ts');
  const talkative = spawn(process.execPath, [file]);
  await once(talkative.stdout, 'data');
  talkative.stdout.destroy();
  talkative.stdin.end();
  const said = Buffer.concat(await talkative.stderr.toArray()).toString();
  expect(said).toBe('finished\n');
  expect(talkative.exitCode ?? (await once(talkative, 'exit'))[0]).toBe(0);
});
