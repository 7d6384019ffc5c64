import { rmSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processInfo } from '../../local/processes.ts';
import { storeFile, storesFolder } from './definition.ts';

/**
 * Keeps other commands on this machine away from a store. Each process has a file of its own, so nobody removes the lock
 * of another one that runs. It holds the start of the process, because numbers are given out again. Two that begin at
 * the same moment can both be refused.
 * @throws Error if another command holds a lock
 */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  await mkdir(storesFolder(), { recursive: true, mode: 0o700 });
  const own = storeFile(name, `${process.pid}.lock`);
  const release = () => rmSync(own, { force: true });
  process.once('exit', release);
  try {
    await writeFile(own, processInfo(process.pid)?.started ?? '');
    await refuseOthers(name);
    await deleteLeftovers(name);
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

async function refuseOthers(name: string): Promise<void> {
  for (const file of await readdir(storesFolder())) {
    const [, locked, pid] = /^(.+)\.(\d+)\.lock$/.exec(file) ?? [];
    if (locked !== name || Number(pid) === process.pid) continue;
    if (await isHeld(join(storesFolder(), file), Number(pid)))
      throw new Error(
        `Another command is working on ${name} (process ${pid}). Wait until it ends.`,
      );
    await rm(join(storesFolder(), file), { force: true });
  }
}

/** Deletes the secrets that a killed command left in temporary files. */
async function deleteLeftovers(name: string): Promise<void> {
  for (const kind of ['upload.json', 'upload.json.new', 'secrets.new', 'restoring.new'])
    await rm(storeFile(name, kind), { force: true });
}

/** An empty file is one of 0.1.0, or is being written. */
async function isHeld(file: string, pid: number): Promise<boolean> {
  const process = processInfo(pid);
  const started = await readFile(file, 'utf8').catch(() => '');
  return process !== undefined && (started === '' || started === process.started);
}
