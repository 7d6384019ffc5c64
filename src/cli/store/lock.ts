import { readFileSync, rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { processInfo } from '../../local/processes.ts';
import { storeFile, storesFolder } from './definition.ts';

/**
 * Keeps other commands on this machine away from a store. The lock of a killed process is taken over.
 * @throws Error if another command holds it
 */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const file = storeFile(name, 'lock');
  await mkdir(storesFolder(), { recursive: true, mode: 0o700 });
  await take(file, name);
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

async function take(file: string, name: string): Promise<void> {
  for (let tries = 0; tries < 2; tries++) {
    try {
      await writeFile(file, String(process.pid), { flag: 'wx' });
      return;
    } catch {
      const owner = Number(readFileSync(file, 'utf8'));
      if (owner > 0 && processInfo(owner))
        throw new Error(
          `Another command is working on ${name} (process ${owner}). Wait until it ends.`,
        );
      await rm(file, { force: true });
    }
  }
  throw new Error(`Another command has just begun to work on ${name}.`);
}
