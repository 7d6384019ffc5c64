import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Client } from 'pg';
import { inTransaction } from '../support/statements.ts';
import { readText } from './files.ts';

/** A function of `src/schema/sql`, named like its file. */
export interface SqlFunction {
  readonly name: string;
  readonly text: string;
  readonly hash: string;
  /** True if the worker calls it by its name: a running worker would get a changed text too. */
  readonly isCalled: boolean;
}

/** Reads the functions in a folder: the worker calls those in `called/`, and each migration renews those in `renewed/`. */
export function readSqlFunctions(folder: string): SqlFunction[] {
  return (['called', 'renewed'] as const).flatMap((kind) =>
    readdirSync(join(folder, kind))
      .toSorted()
      .map((file) => {
        const text = readText(join(folder, kind, file));
        return {
          name: basename(file, '.sql'),
          text,
          hash: createHash('sha256').update(text).digest('hex'),
          isCalled: kind === 'called',
        };
      }),
  );
}

/**
 * Creates the functions that a database lacks or has with another text. The comment on a function is the hash of its
 * text.
 * @throws Error if a function that the worker calls has another text under the same name
 */
export async function renewSqlFunctions(
  client: Client,
  functions: readonly SqlFunction[],
): Promise<void> {
  const { rows } = await client.query<{ name: string; hash: string | null }>(
    `select proname as name, obj_description(oid, 'pg_proc') as hash from pg_proc
      where pronamespace = 'public'::regnamespace and proname = any ($1)`,
    [functions.map(({ name }) => name)],
  );
  const kept = new Map(rows.map(({ name, hash }) => [name, hash]));
  const different = functions.filter(({ name, hash }) => kept.get(name) !== hash);
  const changed = different.find(({ name, isCalled }) => isCalled && kept.get(name));
  if (changed)
    throw new Error(
      `${changed.name} has changed, and the deployed worker calls it. Give the changed function a new name, and keep this one.`,
    );
  await inTransaction(client, async () => {
    // A function may use one that is created after it.
    await client.query('set local check_function_bodies = off');
    for (const { name, text, hash } of different)
      await client.query(`${text};\ncomment on function public.${name} is '${hash}'`);
  });
}
