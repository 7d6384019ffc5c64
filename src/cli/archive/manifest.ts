import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { readIfPresent } from '../support/files.ts';
import { Refused } from '../support/refusals.ts';
import { isArchived } from './catalogue.ts';

const Manifest = z.object({
  /** Format 1 has no hash of itself. Since format 3 encrypted files are bound to `exported_at`. */
  format: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  /** True if the files are encrypted; hashes are of the plain content. */
  sealed: z.literal(true).optional(),
  /** The address of the store; undefined in archives of 0.1.0 and earlier, and of databases without an address. */
  store: z.string().optional(),
  /** The hash of the store's newest migration. */
  schema: z.string(),
  /** The start of the snapshot. Archives of 0.1.0 and earlier have the end of the export. */
  exported_at: z.string(),
  /** Rows and the SHA-256 of the file, by table. */
  tables: z.record(z.string(), z.object({ rows: z.int(), sha256: z.string() })),
  sequences: z.array(
    z.object({ name: z.string(), last_value: z.string(), is_called: z.boolean() }),
  ),
});

/** The contents of an archive. It is written last, so that an archive without it is incomplete. */
export type Manifest = z.output<typeof Manifest>;

export const manifestPath = (folder: string): string => join(folder, 'manifest.json');

/** @throws Error if the folder has no archive, an incomplete one, or one that was changed */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readIfPresent(manifestPath(folder));
  if (text === undefined)
    throw new Refused(
      `${folder} has no manifest.json: it is not an archive of a store, or its export was interrupted. Export it again.`,
    );
  const json = jsonOf(text);
  const { success, data } = Manifest.safeParse(json);
  if (success && isWhole(json as SignedManifest)) return data;
  throw new Refused(
    `${manifestPath(folder)} differs from what an export writes: it was changed or is incomplete. Copy the folder again.`,
  );
}

interface TablesOfManifest {
  readonly own: Manifest['tables'];
  /** Tables of others, which earlier versions exported too. */
  readonly leftOut: readonly string[];
}

export function tablesIn({ tables }: Manifest): TablesOfManifest {
  const own = Object.entries(tables).filter(([name]) => isArchived(name));
  const leftOut = Object.keys(tables).filter((name) => !isArchived(name));
  return { own: Object.fromEntries(own), leftOut };
}

/** The content of the file: since format 2 with the SHA-256 of all other fields. */
type SignedManifest = Manifest & { readonly sha256?: string };

export const hashOfFields = (fields: Manifest): string =>
  createHash('sha256').update(JSON.stringify(fields)).digest('hex');

const isWhole = ({ sha256, ...fields }: SignedManifest): boolean =>
  fields.format === 1 ? sha256 === undefined : sha256 === hashOfFields(fields);

export const manifestText = (manifest: Manifest): string =>
  `${JSON.stringify({ ...manifest, sha256: hashOfFields(manifest) }, null, 2)}\n`;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Counts and hashes the lines of a table's file. */
export class Digest {
  #hash = createHash('sha256');
  rows = 0;

  /** @returns the lines as the file's text */
  add(lines: readonly string[]): string {
    const text = lines.map((line) => `${line}\n`).join('');
    this.#hash.update(text);
    this.rows += lines.length;
    return text;
  }

  end(): Manifest['tables'][string] {
    return { rows: this.rows, sha256: this.#hash.digest('hex') };
  }
}
