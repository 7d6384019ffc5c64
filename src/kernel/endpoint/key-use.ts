import { sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { raw } from '../database/statements.ts';
import { stateOf } from './request-state.ts';

/** A key's last use is noted at most this often, in milliseconds. */
const interval = 60_000;

/**
 * Notes when an API key was last used, after the answer and outside the request's transaction: within
 * it all callers of one key would wait for each other.
 */
export function noteKeyUse(c: Context): void {
  const state = stateOf(c);
  if (!state.opened || !state.unit.authorised) return;
  const { principal, unit, now } = state;
  if (principal.kind !== 'key') return;
  const { id, last_used_at } = principal.row;
  if (last_used_at !== null && now.getTime() - Date.parse(last_used_at) < interval) return;
  const at = now.toISOString();
  const due = new Date(now.getTime() - interval).toISOString();
  const note = raw(sql`update api_keys set last_used_at = ${at}
    where id = ${id} and (last_used_at is null or last_used_at <= ${due})`);
  // A note that fails is made by the key's next request.
  c.executionCtx.waitUntil(unit.write([note]).catch(() => undefined));
}
