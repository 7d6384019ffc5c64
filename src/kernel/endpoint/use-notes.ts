import { sql } from 'drizzle-orm';
import { raw } from '../database/statements.ts';
import type { KeyRefusal, Use } from './key-use.ts';

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
