import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of `drizzle/`. */
export interface Migration {
  readonly name: string;
  /** The file's time in drizzle's journal, in milliseconds. */
  readonly when: number;
  /** SHA-256 of the text, as drizzle stores it. */
  readonly hash: string;
  /** Hashes of texts with the same effect, which a database may have stored instead. */
  readonly formerHashes?: readonly string[];
  readonly statements: readonly string[];
  /**
   * True if each statement commits by itself, as building an index concurrently requires; otherwise the file is one
   * transaction.
   */
  readonly isByStatement: boolean;
}

/** Hashes of earlier texts: the first one lacked a statement for new stores. */
const former: Readonly<Record<string, string>> = {
  '0005_stores_without_a_currency':
    '750669098d0066f0576533af5bd6645f8ac1b28006588564cbe33ee940909461',
};

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** The first line of a file whose statements commit one by one. Each of them must be repeatable. */
const byStatement = '-- statement by statement';

interface Journal {
  readonly entries: readonly { readonly tag: string; readonly when: number }[];
}

/** Reads a text with any line endings: on Windows, git may convert them. */
export const readText = (path: string): string =>
  readFileSync(path, 'utf8').replaceAll('\r\n', '\n');

export function readMigrations(folder: string): Migration[] {
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as Journal;
  return journal.entries.map(({ tag, when }) => {
    const text = readText(join(folder, `${tag}.sql`));
    return {
      name: tag,
      when,
      hash: hashOf(text),
      formerHashes: [hashOf(text.replaceAll('\n', '\r\n')), ...(former[tag] ? [former[tag]] : [])],
      statements: text.split('--> statement-breakpoint').filter((one) => one.trim() !== ''),
      isByStatement: text.startsWith(byStatement),
    };
  });
}
