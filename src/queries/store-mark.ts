import { sql } from 'drizzle-orm';
import { raw } from '../kernel/database/statements.ts';

/** Finds whose the database is: a row once a command has marked it. */
export const findStoreId = () => raw<{ store_id: string }>(sql`select store_id from store_mark`);
