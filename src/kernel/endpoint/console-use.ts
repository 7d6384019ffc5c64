import type { Context } from 'hono';
import { stateOf } from './request-state.ts';

/** The last use of a session is noted at most this often, in milliseconds. */
const interval = 60_000;

/** Notes after the answer when a session of the console was last used: one that nobody uses ends. */
export function noteConsoleUse(c: Context): void {
  const state = stateOf(c);
  if (!state.opened || !state.unit.authorised) return;
  const { principal, unit, now } = state;
  if (principal.kind !== 'console') return;
  const { id, seen_at } = principal.row;
  if (now.getTime() - Date.parse(seen_at) < interval) return;
  const note = async () => {
    const { noteSessionUse } = await import('./use-notes.ts');
    await unit.write([noteSessionUse(id, now)]);
  };
  // A note that fails is made by the session's next request.
  c.executionCtx.waitUntil(note().catch(() => undefined));
}
