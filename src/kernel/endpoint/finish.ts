import type { Context } from 'hono';
import type { Config } from '../../config.ts';
import type { Principal } from '../auth/principals.ts';
import { failureOf } from '../errors/tell.ts';
import { type RequestState, stateOf } from './request-state.ts';

/** Receives one structured line for each request. */
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

/** Headers of every answer, unless it has its own. */
export function commonHeaders(state: RequestState): Record<string, string> {
  const { trips, milliseconds } = state.cost();
  const noun = trips === 1 ? 'trip' : 'trips';
  return {
    ...securityHeaders,
    'x-request-id': state.id,
    ...(trips > 0 && { 'server-timing': `db;dur=${milliseconds};desc="${trips} ${noun}"` }),
  };
}

/**
 * Adds the common headers to responses of middleware, and logs the request once the response is sent. A delegated
 * request is logged by the operation it was delegated to.
 */
export function finish(c: Context, log: Log, { ENVIRONMENT }: Pick<Config, 'ENVIRONMENT'>): void {
  const state = stateOf(c);
  const { headers } = c.res;
  if (!headers.has('x-request-id')) {
    for (const [name, value] of Object.entries(commonHeaders(state))) headers.set(name, value);
  }
  const line = () => logRequest(c, log, ENVIRONMENT);
  if (state.sent) void state.sent.then(line);
  else line();
}

function logRequest(c: Context, log: Log, environment: Config['ENVIRONMENT']): void {
  const state = stateOf(c);
  const { trips, milliseconds } = state.cost();
  const trouble = state.failure ?? state.unscheduled;
  if (state.delegated && !trouble) return;
  log({
    level: trouble ? 'error' : 'info',
    request_id: state.id,
    method: c.req.method,
    operation: state.endpoint?.id ?? null,
    ...(state.via !== undefined && { via: state.via }),
    // A mistyped address can contain anything, so only development logs it.
    ...(!state.endpoint && environment === 'development' && { path: c.req.path }),
    ...(state.opened && callerOf(state.principal, state.unit.authorised)),
    status: c.res.status,
    trips,
    db_ms: milliseconds,
    ...(trouble && failureOf(trouble)),
  });
}

function callerOf(principal: Principal, authorised: boolean): Record<string, unknown> {
  if (!authorised) return {};
  switch (principal.kind) {
    case 'key':
      return { api_key_id: principal.row.id };
    case 'console':
      return { user_id: principal.row.user_id, console_session_id: principal.row.id };
    case 'session':
      return { user_id: principal.userId, actor_user_id: principal.actorId };
    case 'anyone':
      return {};
  }
}
