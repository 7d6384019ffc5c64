import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { dumpFile } from '../../packages/import/src/dump-file.ts';
import { load } from '../../packages/import/src/load.ts';
import type { Answers, Importer } from '../../packages/import/src/importer.ts';
import type { Reader } from '../../packages/import/src/reader.ts';
import { type EntityRow, type Staging, stage } from '../../packages/import/src/staging.ts';
import type { Source } from '../../packages/import/src/source.ts';
import { verify } from '../../packages/import/src/verify.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { type Store, openStore } from '../harness/store.ts';

export interface Moved<S extends Source = Source> {
  readonly store: Store;
  readonly staging: Staging<S>;
  query<T>(text: string, values?: unknown[]): Promise<T[]>;
  /** The report's line about a row of the source; `targetId` has its ids in the store. */
  reported(entity: string, id: string | number): EntityRow | undefined;
}

/** The imports of the calling test file, in a folder of their own. */
export function useMoves() {
  const folder = mkdtempSync(join(tmpdir(), 'moved-test-'));
  const opened: Moved[] = [];
  afterAll(async () => {
    for (const { store, staging } of opened) {
      staging[Symbol.dispose]();
      await store.close();
    }
    rmSync(folder, { recursive: true });
  });
  let stagings = 0;
  return {
    dumpPath: (name: string): string => join(folder, name),
    /** Imports a shop into a new store (see `move`). */
    moved: <S extends Source, C>(importer: Importer<S, C>, path: string, answers: Answers = {}) =>
      move(importer, dumpFile(path), answers, {
        folder: join(folder, String(++stagings)),
        opened: (result) => opened.push(result),
      }),
  };
}

/**
 * Imports a shop into a new store. Fails for a difference without an explanation in the report, and for a wrong derived
 * figure.
 */
async function move<S extends Source, C>(
  importer: Importer<S, C>,
  reader: Reader,
  answers: Answers,
  { folder, opened }: { folder: string; opened: (result: Moved) => unknown },
): Promise<Moved<S>> {
  const staging = await stage(importer.source, reader, { folder });
  const store = await openStore();
  const query = async <T>(text: string, values: unknown[] = []) =>
    (await store.database.query(text, values)).rows as T[];
  const result: Moved<S> = {
    store,
    staging,
    query,
    reported: (entity, id) =>
      staging.database
        .prepare(
          `select entity, id, outcome, target_id as "targetId", reason, detail from entity_row
            where entity = ? and id = ?`,
        )
        .get(entity, String(id)) as unknown as EntityRow | undefined,
  };
  opened(result);
  const preflight = importer.plan(staging, answers);
  expect(preflight.questions).toEqual([]);
  await load(store.database, importer, staging, preflight);
  const comparisons = await verify(store.database, importer, staging, preflight.plan);
  expect(comparisons.filter(({ unexplained }) => unexplained > 0)).toEqual([]);
  await expectIntegrity({ store });
  return result;
}
