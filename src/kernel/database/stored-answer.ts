import { type SQL, sql } from 'drizzle-orm';
import { raw } from './statements.ts';

/** The scope of an Idempotency-Key: one operation of the authorised caller. */
export interface KeyedRequest<T = string> {
  readonly operation: T;
  readonly key: T;
}

export type StoredAnswer = Readonly<Record<'fingerprint' | 'body', string>> & {
  readonly status: number;
};

export const findStoredAnswer = ({ operation, key }: KeyedRequest<string | SQL>) =>
  raw<StoredAnswer>(sql`select fingerprint, status, body from idempotency_keys
    where caller = current_setting('svc.caller') and operation = ${operation} and key = ${key}`);
