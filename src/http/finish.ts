import type { Context } from 'hono';
import type { Principal } from '../auth/principals.ts';
import { stateOf } from './request-state.ts';

/** Takes one structured line a request. */
export type Log = (line: Record<string, unknown>) => void;

const securityHeaders = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

/** Completes every answer with its headers and writes its log line. */
export function finish(c: Context, log: Log): void {
  const state = stateOf(c);
  const { trips, milliseconds } = state.cost();
  const { headers } = c.res;
  for (const [name, value] of Object.entries(securityHeaders)) {
    if (!headers.has(name)) headers.set(name, value);
  }
  headers.set('x-request-id', state.id);
  if (trips > 0) {
    const noun = trips === 1 ? 'trip' : 'trips';
    headers.set('server-timing', `db;dur=${milliseconds};desc="${trips} ${noun}"`);
  }
  log({
    level: state.failure ? 'error' : 'info',
    request_id: state.id,
    method: c.req.method,
    operation: state.endpoint?.id ?? null,
    ...(state.opened && callerOf(state.principal, state.unit.authorised)),
    status: c.res.status,
    trips,
    db_ms: milliseconds,
    // Names and stacks are ours; a driver's message can quote data and is left out.
    ...(state.failure && { error: state.failure.name, stack: stackOf(state.failure) }),
  });
}

function callerOf(principal: Principal, authorised: boolean): Record<string, unknown> {
  if (!authorised) return {};
  switch (principal.kind) {
    case 'key':
      return { api_key_id: principal.row.id };
    case 'session':
      return { user_id: principal.userId, actor_user_id: principal.actorId };
    case 'anyone':
      return {};
  }
}

/** Where an error came from, without its message. */
const stackOf = (error: Error) =>
  (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
