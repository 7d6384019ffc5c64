import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of `drizzle/`. */
export interface Migration {
  readonly name: string;
  /** drizzle's moment of the file, in milliseconds. */
  readonly when: number;
  /** SHA-256 of the text, as drizzle keeps it. */
  readonly hash: string;
  readonly statements: readonly string[];
  /** Each statement commits by itself, as building an index concurrently demands; otherwise the file is one transaction. */
  readonly isByStatement: boolean;
}

/** The first line of a file whose statements commit one by one. Each of them has to be repeatable. */
const byStatement = '-- statement by statement';

interface Journal {
  readonly entries: readonly { readonly tag: string; readonly when: number }[];
}

/** Reads the migrations of a folder in the order of drizzle's journal. */
export function readMigrations(folder: string): Migration[] {
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as Journal;
  return journal.entries.map(({ tag, when }) => {
    const text = readFileSync(join(folder, `${tag}.sql`), 'utf8');
    return {
      name: tag,
      when,
      hash: createHash('sha256').update(text).digest('hex'),
      statements: text.split('--> statement-breakpoint').filter((one) => one.trim() !== ''),
      isByStatement: text.startsWith(byStatement),
    };
  });
}
