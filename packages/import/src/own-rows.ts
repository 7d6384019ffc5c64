import type { Client } from 'pg';
import { findWritten, readTables } from '../../../src/exports/store.ts';

/** Tables whose rows an import brings with their ids. Rows of other tables, such as settings and keys, may exist. */
const imported = [
  'users',
  'user_groups',
  'products',
  'coupons',
  'orders',
  'licenses',
  'files',
  'access_content',
  'reminder_templates',
];

/** @throws Error if the store has rows with which those of an import would collide */
export async function refuseOwnRows(client: Client): Promise<void> {
  const written = await findWritten(client, await readTables(client, imported));
  if (written === undefined) return;
  throw new Error(
    `The store in DATABASE_URL has ${written.replaceAll('_', ' ')} that this import did not bring. Import a shop into a new database.`,
  );
}
