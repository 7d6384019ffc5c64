import type { Outcome } from '../auth/outcomes.ts';
import { sql } from 'drizzle-orm';
import { raw } from '../database/statements.ts';

/** The number of a key's requests to an operation with the same outcome. */
export interface Use {
  readonly key: number;
  /** The start of a quarter of an hour, which is within one day in every time zone. */
  readonly at: string;
  readonly operation: string;
  readonly outcome: Outcome;
  readonly n: number;
}

export interface KeyRefusal {
  readonly key: number;
  readonly at: string;
  readonly operation: string;
  readonly status: number;
  readonly code: string;
  readonly request_id: string;
}

/**
 * Records the use of API keys.
 * @param key the key that was used just now
 */
export const noteKeyUse = (
  uses: readonly Use[],
  refusals: readonly KeyRefusal[],
  key: number | undefined,
  now: Date,
) =>
  raw(sql`select svc_note_key_use(${JSON.stringify(uses)}, ${JSON.stringify(refusals)},
    ${key ?? null}, ${now.toISOString()})`);

export function noteSessionUse(id: number, now: Date) {
  const at = now.toISOString();
  return raw(sql`update console_sessions set seen_at = ${at}
    where id = ${id} and seen_at < ${at}`);
}
