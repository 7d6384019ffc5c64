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

/** A store that a shop was moved into. */
export interface Moved<S extends Source = Source> {
  readonly store: Store;
  readonly staging: Staging<S>;
  /** Rows of a query on the store. */
  query<T>(text: string, values?: unknown[]): Promise<T[]>;
  /** Returns the report's line on a row; its ids here are in `targetId`. */
  reported(entity: string, id: string | number): EntityRow | undefined;
}

/** The moves of the test file that calls it, in a folder of their own. */
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
    /** A path for a dump of a test's own. */
    dumpPath: (name: string): string => join(folder, name),
    /** Moves a shop into a store of its own, as `move` does. */
    moved: <S extends Source, C>(importer: Importer<S, C>, path: string, answers: Answers = {}) =>
      move(importer, dumpFile(path), answers, {
        folder: join(folder, String(++stagings)),
        opened: (result) => opened.push(result),
      }),
  };
}

/**
 * Moves a shop into a store of its own, and fails where both sides differ in what no reason explains, or where a figure
 * that the store keeps is wrong.
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
  const { plan, questions } = importer.plan(staging, answers);
  expect(questions).toEqual([]);
  await load(store.database, importer, staging, plan);
  const comparisons = await verify(store.database, importer, staging, plan);
  expect(comparisons.filter(({ unexplained }) => unexplained > 0)).toEqual([]);
  await expectIntegrity({ store });
  return result;
}
