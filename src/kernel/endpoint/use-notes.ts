import type { Outcome } from '../auth/outcomes.ts';
import { sql } from 'drizzle-orm';
import { raw } from '../database/statements.ts';

/** Requests of a key to an operation that came to the same. */
export interface Use {
  readonly key: number;
  /** The beginning of a quarter of an hour, which lies within one day in every time zone. */
  readonly at: string;
  readonly operation: string;
  readonly outcome: Outcome;
  readonly n: number;
}

/** A request of a key that came to an error. */
export interface KeyRefusal {
  readonly key: number;
  readonly at: string;
  readonly operation: string;
  readonly status: number;
  readonly code: string;
  readonly request_id: string;
}

/** Notes what API keys were used for. @param key that was used just now */
export const noteKeyUse = (
  uses: readonly Use[],
  refusals: readonly KeyRefusal[],
  key: number | undefined,
  now: Date,
) =>
  raw(sql`select svc_note_key_use(${JSON.stringify(uses)}, ${JSON.stringify(refusals)},
    ${key ?? null}, ${now.toISOString()})`);

/** Notes that a session of the console was used just now. */
export function noteSessionUse(id: number, now: Date) {
  const at = now.toISOString();
  return raw(sql`update console_sessions set seen_at = ${at}
    where id = ${id} and seen_at < ${at}`);
}
