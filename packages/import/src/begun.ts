import type { Client } from 'pg';
import type { Preflight } from './importer.ts';

type Followed = Preflight<unknown>['answers'];

/** An import that has begun in a store. */
export interface BegunImport {
  readonly kind: string;
  readonly startedAt: Date;
  /** The answers that its rows follow; null if a former version wrote all of them. */
  readonly answers: Followed | null;
}

/** Returns the imports that have begun in a store, by fingerprint. Its table may be that of a former version. */
export async function findBegun(client: Client): Promise<ReadonlyMap<string, BegunImport>> {
  const { rows } = await client.query<BegunImport & { fingerprint: string }>(
    `select fingerprint, min(kind) as kind, min(started_at) as "startedAt",
            max(to_jsonb(i) ->> 'answers')::jsonb as answers
       from imports i group by fingerprint`,
  );
  return new Map(rows.map(({ fingerprint, ...begun }) => [fingerprint, begun]));
}

/** @throws Error if the rows of a begun import follow other answers: later rows would differ from them */
export function refuseOtherAnswers(begun: BegunImport, kind: string, answers: Followed): void {
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
