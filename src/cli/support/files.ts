import { readFile } from 'node:fs/promises';
import type * as z from 'zod';
import { Refused } from './refusals.ts';

/**
 * Reads a file; undefined if it does not exist.
 * @throws Refused for a file that cannot be read
 */
export async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Refused(`${file} could not be read: ${message}`, { cause: error });
  }
}

/**
 * Reads a JSON file that a command wrote; undefined if it does not exist.
 * @throws Refused for a file that cannot be read, or that was changed
 */
export async function readNote<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const text = await readIfPresent(file);
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new Refused(`${file} differs from what a command writes: put it right.`, {
      cause: error,
    });
  }
}
