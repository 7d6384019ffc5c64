import type { Client } from 'pg';
import type { Preflight } from './importer.ts';

type Followed = Preflight<unknown>['answers'];

/**
 * The version of the rows that a shop becomes: raise it when they change. A continued import skips as many rows as were
 * written, so the same version has to continue it.
 */
const mappingVersion = '3';

/** An import that has begun in a store. */
export interface BegunImport {
  readonly kind: string;
  readonly startedAt: Date;
  /** The answers that its rows follow; null if a version wrote them that noted none. */
  readonly answers: Followed | null;
  readonly version: string | null;
  /** False if it ended before its first rows. */
  readonly isWritten: boolean;
}

/** Returns the imports that have begun in a store, by fingerprint. Its table may be that of a former version. */
export async function findBegun(client: Client): Promise<ReadonlyMap<string, BegunImport>> {
  const { rows } = await client.query<BegunImport & { fingerprint: string }>(
    `select fingerprint, min(kind) as kind, min(started_at) as "startedAt",
            max(to_jsonb(i) ->> 'answers')::jsonb - 'version' as answers,
            max(to_jsonb(i) #>> '{answers,version}') as version, sum(done) > 0 as "isWritten"
       from imports i group by fingerprint`,
  );
  return new Map(rows.map(({ fingerprint, ...begun }) => [fingerprint, begun]));
}

/** Returns what an import notes with its rows. */
export const noted = (answers: Followed) => ({ ...answers, version: mappingVersion });

/** @throws Error if the rows of a begun import are of another version, or follow other answers: later ones would differ */
export function refuseOther(begun: BegunImport, kind: string, answers: Followed): void {
  if (begun.isWritten && begun.version !== mappingVersion)
    throw new Error(
      'The import into DATABASE_URL was begun by another version, whose rows differ. Nothing was written now. If it was interrupted, continue it with that version, or import into a new database.',
    );
  const differing = Object.entries(begun.answers ?? {}).flatMap(([name, former]) => {
    const now = answers[name] ?? '';
    return former === now
      ? []
      : [`${former ? `--${name} ${former}` : `no --${name}`}, not ${now || 'none'}`];
  });
  if (begun.kind !== kind) differing.unshift(`${begun.kind}, not ${kind}`);
  if (differing.length === 0) return;
  throw new Error(
    `The import into DATABASE_URL was begun with other answers: ${differing.join('; ')}. Nothing was written now. Repeat it with the former answers, or import into a new database.`,
  );
}
