import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { readPeppers } from '../../src/kernel/auth/secret-token.ts';
import { readSessionKeys } from '../../src/kernel/auth/session-token.ts';
import { useStore } from '../harness/store.ts';
import { run } from './checkout.ts';
import { CommandProcess } from './command-process.ts';
import { long } from '../harness/long.ts';

const root = resolve(import.meta.dirname, '../..');
const opened = useStore();

const file = (name: string) => resolve(root, `src/cli/${name}.ts`);

/**
 * Runs a command of package.json.
 * @returns its code and its output
 */
type Run = (
  name: string,
  typed: string[],
  environment: Record<string, string>,
) => Promise<{ code: number | null; printed: string }>;

const command: Run = async (name, options, environment) => {
  const running = run(file(name), options, { FORCE_COLOR: '0', ...environment });
  await once(running.process, 'close');
  return { code: running.process.exitCode, printed: running.output().trim() };
};

let shared: CommandProcess | undefined;
afterAll(() => shared?.end());

/** Runs a command in a process that this file's commands share, which saves a second each. */
const quickly: Run = async (name, typed, environment) => {
  shared ??= new CommandProcess();
  const { code, printed } = await shared.run({ file: file(name), typed, environment });
  return { code, printed: printed.trim() };
};

describe('npm run key', () => {
  const key = async (options: string[], run: Run = quickly) => {
    const { API_KEY_PEPPERS = '' } = await opened.store.environment;
    return run('key', options, { DATABASE_URL: opened.store.databaseUrl, API_KEY_PEPPERS });
  };
  const create = (options: string[], run: Run = quickly) =>
    key(['create', '--name', 'Backend', '--scopes', 'orders:read', ...options], run);

  test('makes a key that works until the day it is given, and lists it', async () => {
    opened.store.clock.set(new Date().toISOString());
    const made = await create(
      ['--expires', '2099-01-31', '--ip', '203.0.113.7, 2001:db8::/32'],
      command,
    );
    const token = /svcapi_\w+/.exec(made.printed)?.[0] ?? '';
    const here = { 'x-svc-key': token, 'cf-connecting-ip': '203.0.113.7' };
    expect((await opened.store.client(here).get('/orders')).status).toBe(200);
    const elsewhere = { ...here, 'cf-connecting-ip': '203.0.113.8' };
    expect((await opened.store.client(elsewhere).get('/orders')).status).toBe(403);
    const { printed } = await key(['list'], command);
    const prefix = token.split('_')[1] ?? '';
    const line = printed.split('\n').find((text) => text.includes(prefix));
    expect(line?.split(/ {2,}/)).toEqual([
      '1',
      'Backend',
      expect.any(String),
      '2099-01-31T00:00:00.000Z',
      '-',
      expect.any(String),
      prefix,
      '1',
      'no',
      '203.0.113.7/32 2001:db8::/32',
      'orders:read',
    ]);
    expect(printed).toMatch(/^id {2,}name /);
  });

  long('says if a key signs in administrators, which it does only on request', async () => {
    const prefixOf = ({ printed }: { printed: string }) =>
      /svcapi_([^_]+)/.exec(printed)?.[1] ?? '';
    const plain = prefixOf(await create([]));
    const chief = prefixOf(await create(['--administrators', '--scopes', 'sessions:write']));
    const { rows } = await opened.store.database.query(
      `select s.prefix, k.signs_in_administrators as may
         from api_keys k join api_key_secrets s on s.api_key_id = k.id where s.prefix = any ($1)
        order by k.id`,
      [[plain, chief]],
    );
    expect(rows).toEqual([
      { prefix: plain, may: false },
      { prefix: chief, may: true },
    ]);
    const lines = (await key(['list'])).printed.split('\n');
    expect(lines.find((line) => line.includes('administrators'))).toBeDefined();
    expect(lines.find((line) => line.includes(chief))).toContain('yes');
    expect(lines.find((line) => line.includes(plain))).toContain('no');
  });

  test.for([
    [['--expires', 'yesterday'], '--expires must be a date'],
    [['--expires', 'infinity'], '--expires must be a date'],
    [['--expires', '2027-02-30'], '--expires must be a date'],
    [['--expires', '2026-01-31'], '--expires 2026-01-31 is in the past.'],
    [['--ip', '10.0.0.0/33'], '--ip must be addresses and ranges'],
    [['--ip', 'office'], '--ip must be addresses and ranges'],
    [['--all-scopes'], 'Give either --scopes or --all-scopes.'],
    [['--nam', 'x'], "Unknown option '--nam'"],
  ] as const)('refuses %s and says what it expects', async ([options, message]) => {
    const keys = () => opened.store.database.query('select from api_keys');
    const { rowCount: before } = await keys();
    const { code, printed } = await create([...options]);
    expect(code).toBe(2);
    expect(printed.startsWith(message), printed).toBe(true);
    expect(printed).not.toContain('    at ');
    expect((await keys()).rowCount).toBe(before);
  });

  test('shows its whole usage on request, and a shorter one without scopes after a mistake', async () => {
    const help = await key(['--help']);
    expect([help.code, help.printed]).toEqual([0, expect.stringContaining('Scopes:\n')]);
    const { code, printed } = await key(['creat']);
    expect([code, printed]).toEqual([
      2,
      expect.stringMatching(/^There is no command creat\.\n\nManages the API keys/),
    ]);
    expect(printed).not.toContain('Scopes:');
  });

  test('says how to create the administrator that no user is yet', async () => {
    const { code, printed } = await key(['administrator', 'nobody@people.example']);
    expect(code).toBe(2);
    expect(printed).toContain('No user has this e-mail address.\nCreate the user with a key');
    expect(printed).toContain(`/api/svc/v1/users -H "Authorization: Bearer <the key>"`);
    expect(printed).toContain(`-d '{"email":"nobody@people.example"}'`);
  });

  test('refuses an overlap that is no number of hours', async () => {
    const { id } = await opened.store.createKey();
    expect((await key(['rotate', String(id), '--overlap', 'abc'])).printed).toMatch(
      /^--overlap must be/,
    );
    expect((await key(['rotate', String(id), '--overlap', '2'])).printed).toMatch(
      /^svcapi_\w+\nThe new key, shown only now; the old one works for another 2 h:$/,
    );
    expect((await key(['rotate', String(id), '--overlap', '0'])).printed).toMatch(
      /the old one no longer works:$/,
    );
  });

  test('makes no key that the deployment of the database would refuse', async () => {
    const { code, printed } = await quickly('key', ['list'], {
      DATABASE_URL: opened.store.databaseUrl,
    });
    expect(code).toBe(2);
    expect(printed).toMatch(/^Set API_KEY_PEPPERS too/);
  });
});

describe('npm run settings', () => {
  const settings = async (words: string[], run: Run = quickly) =>
    run('settings', words, { DATABASE_URL: opened.store.databaseUrl });

  test('changes settings by the rules of PATCH /me/settings, and leaves an audit row of the command line', async () => {
    const { code, printed } = await settings(
      ['store_name=Roti Bersama', 'currency=IDR', 'auto_cancel_days=5'],
      command,
    );
    expect([code, printed]).toEqual([0, expect.stringMatching(/^currency +IDR$/m)]);
    const read = JSON.parse((await settings(['--json'])).printed) as object;
    expect(read).toMatchObject({
      store_name: 'Roti Bersama',
      currency: 'IDR',
      currency_exponent: 0,
      auto_cancel_days: 5,
    });
    const { rows } = await opened.store.database.query(
      `select actor_type, actor_id, subject_type, after->>'currency' as currency from audit_log
        where operation = 'me.settings.update'`,
    );
    expect(rows).toEqual([
      { actor_type: 'system', actor_id: null, subject_type: 'settings', currency: 'IDR' },
    ]);
  });

  test.for([
    [['nope=1'], 'There is no setting nope. The settings are: store_name,'],
    [['store_name'], "'store_name' is not NAME=VALUE."],
    [['currency=usd'], 'currency must be an ISO 4217 code'],
    [['auto_cancel_days=soon'], 'auto_cancel_days Invalid input'],
    [['currency=XQQ'], 'Invalid parameter(s): currency.'],
  ] as const)('refuses %s and changes nothing', async ([words, message]) => {
    const version = async () =>
      (await opened.store.database.query<{ version: string }>('select version from settings')).rows;
    const before = await version();
    const { code, printed } = await settings([...words]);
    expect([code, printed]).toEqual([2, expect.stringContaining(message)]);
    expect(await version()).toEqual(before);
  });
});

describe('npm run secrets', () => {
  test('writes the secrets of a deployment into a file that only its owner reads, and never over one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
    const file = join(folder, '.dev.vars.production');
    expect((await command('secrets', [file], {})).code).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { API_KEY_PEPPERS = '', SESSION_KEYS = '' } = parseEnv(text);
    await Promise.all([readPeppers(API_KEY_PEPPERS), readSessionKeys(SESSION_KEYS)]);
    const inShell = spawnSync('sh', ['-c', '. "$0" && printf %s "$SESSION_KEYS"', file]);
    expect(inShell.stdout.toString()).toBe(SESSION_KEYS);
    const { code, printed } = await command('secrets', [file], {});
    expect([code, printed]).toEqual([2, expect.stringMatching(/^The file is there already\./)]);
    expect(readFileSync(file, 'utf8')).toBe(text);
    rmSync(folder, { recursive: true });
  });

  test('writes files that git ignores; git does not ignore .dev.vars.example', () => {
    const ignored = (path: string) =>
      spawnSync('git', ['check-ignore', '-q', path], { cwd: root }).status === 0;
    const secret = [
      '.dev.vars',
      '.dev.vars.production',
      '.env',
      'stores/a.toml',
      'stores/a.secrets',
    ];
    expect(secret.filter((path) => !ignored(path))).toEqual([]);
    expect(ignored('.dev.vars.example')).toBe(false);
  });
});

describe('A connection string', () => {
  const pooled = 'postgres://u:p@ep-cool-1-pooler.eu-central-1.aws.neon.tech/store?sslmode=require';

  long.for([
    ['migrate', []],
    ['deploy', []],
  ] as const)('of the pooler is refused by npm run %s', async ([name, options]) => {
    const { code, printed } = await command(name, [...options], {
      DATABASE_URL: pooled,
      CLOUDFLARE_ENV: '',
    });
    expect(code).toBe(2);
    expect(printed).toContain('with the host ep-cool-1.eu-central-1.aws.neon.tech.');
  });

  long('in the form that Neon gives prints no warnings', async () => {
    const tls = `${opened.store.databaseUrl}?sslmode=require&channel_binding=require`;
    const { printed } = await command('migrate', [], { DATABASE_URL: tls });
    // The test's database has no TLS.
    expect(printed).toBe(
      'The database in DATABASE_URL could not be reached: The server does not support SSL connections',
    );
  });

  test('that leads nowhere is reported in one line', async () => {
    const { code, printed } = await quickly('integrity', [], {
      DATABASE_URL: 'postgres://postgres@127.0.0.1:1/store',
    });
    expect([code, printed]).toEqual([
      1,
      'The database in DATABASE_URL could not be reached: connect ECONNREFUSED 127.0.0.1:1',
    ]);
  });
});

test.for([
  ['integrity', []],
  ['settings', []],
  ['export', [join(tmpdir(), 'never-written')]],
] as const)(
  'npm run %s says how to make a store in a database that has none',
  async ([name, options]) => {
    const empty = new URL(opened.store.databaseUrl);
    empty.pathname = '/postgres';
    const { code, printed } = await quickly(name, [...options], { DATABASE_URL: empty.href });
    expect(code).toBe(1);
    expect(printed).toMatch(
      /^The database is not up to date: relation "[^"]+" does not exist\. `npm run migrate` brings it there\.$/,
    );
  },
);

test('npm run listen names the address at which no store answers', async () => {
  const { code, printed } = await quickly('listen', ['--forward', 'http://127.0.0.1:9/hook'], {
    SALES_API_URL: 'http://127.0.0.1:1/api/svc/v1',
    SALES_API_KEY: 'svcapi_x',
  });
  expect([code, printed]).toEqual([1, 'No store answers at http://127.0.0.1:1/api/svc/v1.']);
});

long('npm run integrity lists every figure with its differences, a line each', async () => {
  const { code, printed } = await command('integrity', [], {
    DATABASE_URL: opened.store.databaseUrl,
  });
  const [head, ...lines] = printed.split('\n');
  expect([code, head]).toEqual([0, expect.stringMatching(/^name +differences +ids$/)]);
  expect(lines).toContainEqual(expect.stringMatching(/^number of licences by status +0 +-$/));
  expect(printed).not.toMatch(/license|[│'(]/);
});
