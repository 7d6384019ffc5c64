import type { Context } from 'hono';
import { stateOf } from './request-state.ts';

/** Milliseconds between two records of a session's last use. */
const interval = 60_000;

/** Records the use of a console session after the answer, because unused sessions end. */
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
  // After a failure, the session's next request records its use.
  c.executionCtx.waitUntil(note().catch(() => undefined));
}
