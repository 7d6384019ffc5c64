import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { before } from './targets.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const git = async (...args: string[]) =>
  (await run('git', ['-C', root, ...args], { maxBuffer: 1e8 })).stdout;

/** Files that are taken from here, so that the store is served alike; all others are as the commit has them. */
const ours = ['serve.ts', 'open.ts', 'ended.ts', 'scale/fill.ts'].map((name) =>
  join('test/bench', name),
);

/**
 * Checks out the commit that the goals are against, with its packages, into a folder that is gone in
 * the end. @returns the folder; undefined where the clone doesn't have the commit
 */
export async function checkOutBefore(closers: AsyncDisposableStack): Promise<string | undefined> {
  const isThere = await git('cat-file', '-e', `${before}^{commit}`).then(
    () => true,
    () => false,
  );
  if (!isThere) return undefined;
  const temporary = await mkdtemp(join(tmpdir(), 'sales-bench-'));
  closers.defer(async () => {
    await rm(temporary, { recursive: true, force: true });
    await git('worktree', 'prune');
  });
  // PostgreSQL may run as another user.
  await chmod(temporary, 0o711);
  const folder = join(temporary, before);
  await git('worktree', 'add', '--detach', folder, before);
  await install(folder);
  for (const file of ours) await copyFile(join(root, file), join(folder, file));
  await useEndpoint(folder);
  return folder;
}

/** Gives the folder its packages: ours, where they are the same. */
async function install(folder: string): Promise<void> {
  const [here, there] = await Promise.all(
    [root, folder].map((of) => readFile(join(of, 'package-lock.json'), 'utf8')),
  );
  if (here === there) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  else await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
}

/** Has its benches start the Neon endpoint of this tree: Node runs a link where it leads. */
async function useEndpoint(folder: string): Promise<void> {
  const file = join('test/bench', 'endpoint.ts');
  await rm(join(folder, file));
  await symlink(join(root, file), join(folder, file));
}
