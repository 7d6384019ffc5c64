import { withDatabase } from '../../../../src/exports/database.ts';
import { refuseOwnRows } from '../own-rows.ts';

/**
 * Returns the fingerprints of the imports that have begun in a database.
 * @throws Error if none has, and the store has rows with which those of an import would collide
 */
export async function importsBegunIn(url: string): Promise<ReadonlySet<string>> {
  return withDatabase(url, async (client) => {
    const { rows: tables } = await client.query(`select where to_regclass('imports') is not null`);
    const { rows: begun } = tables[0]
      ? await client.query<{ fingerprint: string }>('select distinct fingerprint from imports')
      : { rows: [] };
    if (begun.length === 0) await refuseOwnRows(client);
    return new Set(begun.map(({ fingerprint }) => fingerprint));
  });
}
