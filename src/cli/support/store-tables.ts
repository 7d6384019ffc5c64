import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import * as schema from '../../schema/index.ts';

/** The store's tables. Its database may hold others, such as a sample of its host or those of an extension. */
export const storeTables: readonly PgTable[] = Object.values(schema).filter((each) =>
  is(each, PgTable),
);

export const storeTableNames: readonly string[] = storeTables.map(getTableName);
