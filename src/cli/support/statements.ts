import type { SQLWrapper } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Client } from 'pg';
import type { Guard, Statement } from '../../kernel/database/statements.ts';

const dialect = new PgDialect();

export function send<S extends Statement>(client: Client, statement: S): Promise<S['_']['result']> {
  const { sql, params } = dialect.sqlToQuery((statement as unknown as SQLWrapper).getSQL());
  return client.query(sql, params);
}

/** Sends statements in one transaction. */
export async function sendTogether(
  client: Client,
  statements: readonly (Statement | Guard)[],
): Promise<boolean> {
  try {
    return await inTransaction(client, async () => {
      for (const item of statements)
        await send(client, 'statement' in item ? item.statement : item);
      return true;
    });
  } catch (error) {
    if ((error as { code?: string }).code === 'SV002') return false;
    throw error;
  }
}

export async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // A broken connection has nothing left to roll back.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
