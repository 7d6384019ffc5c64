import { withDatabase } from '../../../../src/exports/database.ts';
import { type BegunImport, findBegun } from '../begun.ts';
import { refuseOwnRows } from '../own-rows.ts';

/**
 * Returns the imports that have begun in a database, by fingerprint.
 * @throws Error if none has, and the store has rows with which those of an import would collide
 */
export async function importsBegunIn(url: string): Promise<ReadonlyMap<string, BegunImport>> {
  return withDatabase(url, async (client) => {
    const { rows: tables } = await client.query(`select where to_regclass('imports') is not null`);
    const begun = tables[0] ? await findBegun(client) : new Map<string, BegunImport>();
    if (begun.size === 0) await refuseOwnRows(client);
    return begun;
  });
}
