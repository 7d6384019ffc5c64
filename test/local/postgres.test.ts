import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong, long } from '../harness/long.ts';
import { startPostgres } from '../../src/local/postgres/index.ts';
import type { Postgres } from '../../src/local/postgres/index.ts';

let folder: string;
let dataDir: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-sales-test-'));
  chmodSync(folder, 0o755);
  dataDir = join(folder, 'new', 'data');
});

afterAll(() => rmSync(folder, { recursive: true }));

function start(settings?: Record<string, string>): Promise<Postgres> {
  return startPostgres({ dataDir, durable: false, ...(settings && { settings }) });
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query({ text, rowMode: 'array' });
  await client.end();
  return rows.flat();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // Linux keeps an ended process without a command line until its parent collects it.
  const command = `/proc/${pid}/cmdline`;
  return !existsSync(command) || readFileSync(command, 'utf8') !== '';
}

describe('PostgreSQL', () => {
  test('starts in a new folder, and again with its data', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS n');
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    const second = await start();
    expect(await query(second.url, 'SELECT n FROM kept')).toEqual([7]);
    await second.stop();
  });

  long('uses UTF-8 and UTC, serves hundreds of callers, and accepts further settings', async () => {
    const lines: string[] = [];
    const postgres = await startPostgres({
      dataDir,
      log: (line) => lines.push(line),
      settings: { shared_preload_libraries: 'pg_stat_statements', log_statement: 'all' },
    });
    const settings = [
      'server_encoding',
      'timezone',
      'max_connections',
      'shared_preload_libraries',
      'fsync',
    ];
    const shown = settings.map((name) => `current_setting('${name}')`).join();
    expect(await query(postgres.url, `SELECT ${shown}`)).toEqual([
      'UTF8',
      'UTC',
      '250',
      'pg_stat_statements',
      'on',
    ]);
    expect(await query(postgres.url, `SELECT lower('ÄÉ'), 'ä' < 'b'`)).toEqual(['äé', false]);
    await postgres.stop();
    expect(lines.some((line) => line.includes("lower('ÄÉ')"))).toBe(true);
  });

  long('recovers from a crash', async () => {
    const crashed = await start({ fsync: 'on', synchronous_commit: 'on' });
    await query(crashed.url, 'CREATE TABLE survived AS SELECT 8 AS n');
    await crashed.kill();
    const recovered = await start();
    expect(await query(recovered.url, 'SELECT n FROM survived')).toEqual([8]);
    await recovered.stop();
  });

  test('refuses a folder that another process uses, and leaves that one alone', async () => {
    const running = await start();
    await expect(start()).rejects.toThrow(
      `in use: PostgreSQL runs there as process ${running.pid}`,
    );
    expect(await query(running.url, 'SELECT 1')).toEqual([1]);
    await running.stop();
  });

  long('takes over from a server whose starter was killed', async () => {
    const module = new URL('../../src/local/postgres/index.ts', import.meta.url);
    const script = `const { startPostgres } = await import(${JSON.stringify(module.href)});
      const { pid } = await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false });
      console.log(pid);`;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await once(starter.stdout, 'data');
    const orphan = Number(String(output));
    starter.kill('SIGKILL');
    await once(starter, 'close');
    expect(isAlive(orphan)).toBe(true);
    const postgres = await start();
    expect(isAlive(orphan)).toBe(false);
    expect(await query(postgres.url, 'SELECT 1')).toEqual([1]);
    await postgres.stop();
  });

  test('ignores a lock file without a server', async () => {
    // The id of this process, which is no PostgreSQL.
    writeFileSync(join(dataDir, 'postmaster.pid'), `${process.pid}\n${dataDir}\n`);
    const postgres = await start();
    expect(await query(postgres.url, 'SELECT 1')).toEqual([1]);
    await postgres.stop();
  });

  test('says which setting it does not understand', async () => {
    await expect(start({ max_connections: 'many' })).rejects.toThrow('"max_connections": "many"');
  });

  test('refuses the data of another major version', async () => {
    const version = join(dataDir, 'PG_VERSION');
    const current = readFileSync(version);
    writeFileSync(version, '9\n');
    await expect(start()).rejects.toThrow(
      /is the data of PostgreSQL 9, and this is PostgreSQL [0-9]{2}/,
    );
    writeFileSync(version, current);
  });

  test('refuses a folder with other files, and leaves no draft beside it', async () => {
    writeFileSync(join(folder, 'new', 'note'), '');
    const options = { dataDir: join(folder, 'new'), durable: false };
    await expect(startPostgres(options)).rejects.toThrow('is neither empty nor a data directory');
    expect(readdirSync(folder)).toEqual(['new']);
    expect(readdirSync(join(folder, 'new')).sort()).toEqual(['data', 'note']);
  });

  long('removes the data that a killed process was making', async () => {
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'close');
    const parent = join(folder, 'drafts');
    for (const pid of [gone.pid, process.ppid]) {
      mkdirSync(join(parent, `data.new-${pid}`), { recursive: true });
    }
    const postgres = await startPostgres({ dataDir: join(parent, 'data'), durable: false });
    await postgres.stop();
    // The data of a running process stays.
    expect(readdirSync(parent).sort()).toEqual(['data', `data.new-${process.ppid}`]);
  });

  test.runIf(isLong && process.getuid?.() === 0)(
    'keeps its data in a folder that only root can enter',
    async () => {
      const home = join(folder, 'home');
      mkdirSync(home, { mode: 0o700 });
      const hidden = { dataDir: join(home, 'checkout', 'data'), durable: false };
      const first = await startPostgres(hidden);
      await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS n');
      await expect(startPostgres(hidden)).rejects.toThrow('in use');
      await first.stop();
      expect(readdirSync(dirname(hidden.dataDir))).toEqual(['data']);
      const second = await startPostgres(hidden);
      expect(await query(second.url, 'SELECT n FROM kept')).toEqual([7]);
      await second.stop();
      rmSync(home, { recursive: true });
      const anew = await startPostgres(hidden);
      expect(await query(anew.url, `SELECT to_regclass('kept')`)).toEqual([null]);
      await anew.stop();
    },
  );
});
