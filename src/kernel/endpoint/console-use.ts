import type { Context } from 'hono';
import { stateOf } from './request-state.ts';

/** The shortest time between two notes of a session's last use, in milliseconds. */
const interval = 60_000;

/** Notes the last use of a console session after the answer: unused sessions end. */
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
  // If a note fails, the session's next request makes it.
  c.executionCtx.waitUntil(note().catch(() => undefined));
}
