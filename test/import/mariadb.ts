import { freePort } from '../harness/ports.ts';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createConnection } from 'mysql2/promise';
import type { Connection } from 'mysql2/promise';

const programs = ['mariadbd', 'mariadb-install-db', 'mariadb-dump', 'mariadb'];

/** True if this machine has MariaDB, which some tests need. */
export const hasMariaDb = programs.every(
  (program) => spawnSync(program, ['--version']).error === undefined,
);

/** A MariaDB server for tests, in a temporary folder. */
export class MariaDb implements AsyncDisposable {
  readonly port: number;
  readonly root: Connection;
  readonly #socket: string;
  readonly #stop: () => Promise<void>;

  private constructor(port: number, socket: string, root: Connection, stop: () => Promise<void>) {
    this.port = port;
    this.#socket = socket;
    this.root = root;
    this.#stop = stop;
  }

  static async start(): Promise<MariaDb> {
    const folder = mkdtempSync(join(tmpdir(), 'mariadb-'));
    const socket = join(folder, 'socket');
    const own = [
      '--no-defaults',
      `--datadir=${join(folder, 'data')}`,
      `--user=${userInfo().username}`,
    ];
    execFileSync(
      'mariadb-install-db',
      [...own, '--auth-root-authentication-method=normal', '--skip-test-db'],
      { stdio: 'ignore' },
    );
    const port = await freePort();
    const server = spawn(
      'mariadbd',
      [
        ...own,
        `--socket=${socket}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        '--skip-name-resolve',
        '--innodb-flush-log-at-trx-commit=0',
        '--character-set-server=latin1',
        '--skip-character-set-client-handshake',
        '--default-time-zone=+07:00',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    for await (const line of createInterface(server.stderr))
      if (line.includes('ready for connections')) break;
    server.stderr.resume();
    const root = await createConnection({
      socketPath: socket,
      user: 'root',
      multipleStatements: true,
    });
    return new MariaDb(port, socket, root, async () => {
      await root.end();
      const gone = once(server, 'exit');
      server.kill();
      await gone;
      rmSync(folder, { recursive: true });
    });
  }

  /** Runs one of MariaDB's programs as root, and blocks this process meanwhile. */
  now(program: 'mariadb' | 'mariadb-dump', ...words: string[]): void {
    execFileSync(program, ['--no-defaults', `--socket=${this.#socket}`, '--user=root', ...words]);
  }

  /** Runs a command for MySQL's programs with a user and a password by MariaDB's programs as root. */
  shell(command: string): void {
    const own = command
      .replaceAll('mysqldump ', 'mariadb-dump ')
      .replaceAll('mysql ', 'mariadb ')
      .replaceAll('--user=USER --password', `--no-defaults --socket=${this.#socket} --user=root`);
    execFileSync('sh', ['-c', own]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stop();
  }
}
