import { withDatabase } from '../../../../src/exports/database.ts';

/**
 * Returns the fingerprints of the imports that have begun in a database.
 * @throws Error if the store has rows that no import wrote
 */
export async function importsBegunIn(url: string): Promise<ReadonlySet<string>> {
  return withDatabase(url, async (client) => {
    const { rows: tables } = await client.query<{ store: boolean; imports: boolean }>(
      `select to_regclass('orders') is not null as store, to_regclass('imports') is not null as imports`,
    );
    const [there] = tables;
    const { rows: begun } = there?.imports
      ? await client.query<{ fingerprint: string }>('select distinct fingerprint from imports')
      : { rows: [] };
    if (begun.length === 0 && there?.store) {
      const { rowCount } = await client.query(
        'select where exists (select from users) or exists (select from orders)',
      );
      if (rowCount)
        throw new Error(
          'The store in DATABASE_URL has users or orders that did not come from an import. Import a shop into a new database.',
        );
    }
    return new Set(begun.map(({ fingerprint }) => fingerprint));
  });
}
