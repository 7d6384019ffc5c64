import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import { HTTPException } from 'hono/http-exception';
import type * as z from 'zod';
import type { Config } from './config.ts';
import {
  AnswerTooLarge,
  Collision,
  DatabaseRefusal,
  DatabaseUnavailable,
  LockTimeout,
  StaleHint,
} from './kernel/database/errors.ts';
import type { Endpoint } from './kernel/endpoint/endpoint.ts';
import { ApiError, type ErrorCode, methodNotAllowed, kernelError } from './kernel/errors/errors.ts';
import { KeyUse } from './kernel/endpoint/key-use.ts';
import { serveConsolePage } from './kernel/endpoint/console-page.ts';
import { serveMissingPage } from './kernel/endpoint/docs-page.ts';
import { noteConsoleUse } from './kernel/endpoint/console-use.ts';
import { type Log, commonHeaders, finish } from './kernel/endpoint/finish.ts';
import { limitFailures } from './kernel/endpoint/rate-limit.ts';
import { mount } from './kernel/endpoint/mount.ts';
import { RequestState, hasState, keepState, stateOf } from './kernel/endpoint/request-state.ts';
import { entriesOf } from './kernel/endpoint/entries.ts';
import { PlaceFinder } from './kernel/endpoint/place-finder.ts';
import { consolePlacesOf, exportPlacesOf, placesOf } from './kernel/endpoint/routes.ts';
import type { Domain } from './kernel/command/domain.ts';
import { type Deployment, servicesOf } from './kernel/deployment/services.ts';
import { table } from './table.ts';

/**
 * The service as one Hono app: request state, the endpoint table, and an error body for everything
 * that goes wrong.
 */
export function createApp(deployment: Deployment, log: Log): Hono {
  const app = new Hono();
  const keyUse = new KeyUse();
  app.use(async (c, next) => {
    const id = c.req.header('cf-ray') ?? crypto.randomUUID();
    if (!hasState(c.req.raw)) {
      const services = servicesOf(deployment);
      keepState(c.req.raw, new RequestState(id, services.clock.now(), services));
    }
    await next();
    finish(c, log, deployment.config);
    keyUse.note(c);
    noteConsoleUse(c);
  });
  allowOrigins(app, deployment.config);
  const finder = finderOf(deployment.config);
  mount(app, finder, deployment);
  serveConsolePage(app, deployment);
  serveMissingPage(app, deployment);
  app.notFound((c) => errorResponse(c, noRoute(c.req.path, finder)));
  app.onError(async (error, c) => {
    const shown = await authenticationFirst(error, c);
    if (shown instanceof DatabaseRefusal) stateOf(c).refusedKey = shown.key;
    const answer = await countedFailure(
      apiError(shown, stateOf(c).endpoint, deployment.domain),
      c,
      deployment,
    );
    if (answer.status >= 500) stateOf(c).failure = shown;
    if (shown instanceof DatabaseUnavailable)
      c.executionCtx.waitUntil(deployment.contacts.keep(false));
    return errorResponse(c, answer);
  });
  return app;
}

export function finderOf(config: Config): PlaceFinder {
  const served = entriesOf(table, config);
  const listed = [...placesOf(served, config.REST_ROOT), ...consolePlacesOf(served)];
  return new PlaceFinder([...listed, ...exportPlacesOf(listed, ({ pages }) => pages === true)]);
}

/** Lets pages of the configured origins call the service from a browser; none by default. */
function allowOrigins(app: Hono, { CORS_ORIGINS, REST_ROOT }: Config): void {
  if (CORS_ORIGINS.length === 0) return;
  app.use(
    `${REST_ROOT}/*`,
    cors({
      origin: CORS_ORIGINS.includes('*') ? '*' : [...CORS_ORIGINS],
      allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowHeaders: [
        'Authorization',
        'X-Svc-Key',
        'Content-Type',
        'Idempotency-Key',
        'If-Match',
        'If-None-Match',
      ],
      exposeHeaders: [
        'Content-Disposition',
        'ETag',
        'Retry-After',
        'RateLimit',
        'RateLimit-Policy',
        'Idempotency-Replayed',
        'WWW-Authenticate',
        'X-Request-Id',
        'Server-Timing',
      ],
      maxAge: 86_400,
    }),
  );
}

/** Returns an authentication error if there is one: callers who fail authentication see no other error. */
async function authenticationFirst(error: Error, c: Context): Promise<Error> {
  const state = stateOf(c);
  if (!(error instanceof ApiError || error instanceof HTTPException)) return error;
  if (!state.opened || state.unit.authorised) return error;
  try {
    await state.unit.authorise();
    return error;
  } catch (refusal) {
    // Authentication checks the hint last, so the caller passed everything else.
    return refusal instanceof StaleHint ? error : (refusal as Error);
  }
}

/** Returns the error, or the refusal of an address with too many failed authentications. */
async function countedFailure(
  error: ApiError,
  c: Context,
  deployment: Deployment,
): Promise<ApiError> {
  if (error.status !== 401) return error;
  return limitFailures(c, deployment).then(
    () => error,
    (tooMany: ApiError) => tooMany,
  );
}

/** Explains why no route matches: another method, or a trailing slash. */
function noRoute(path: string, finder: PlaceFinder): ApiError {
  const methods = finder.methodsAt(path);
  if (methods.length > 0) return methodNotAllowed(methods);
  const message = 'There is no such address; try it without the trailing slash.';
  const isNear = path.endsWith('/') && finder.methodsAt(path.slice(0, -1)).length > 0;
  return kernelError('rest_no_route', isNear ? { message } : {});
}

function apiError(error: Error, endpoint: Endpoint | undefined, { errors }: Domain): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof AnswerTooLarge) return tooLarge(endpoint);
  if (error instanceof DatabaseRefusal) {
    const { code, message, status } = error;
    const usual = errors[code]?.[1] ?? '';
    return new ApiError(code as ErrorCode, [status, message || usual]);
  }
  const unavailable = [DatabaseUnavailable, LockTimeout, Collision];
  if (unavailable.some((kind) => error instanceof kind)) {
    return kernelError('rest_unavailable', { retryAfter: 1 });
  }
  return kernelError('rest_internal_error');
}

/** The error of a list whose page is too large for an answer of the database. */
function tooLarge(endpoint: Endpoint | undefined): ApiError {
  const { shape = {} } = (endpoint?.query ?? {}) as Partial<z.ZodObject>;
  const param = ['per_page', 'limit'].find((name) => name in shape);
  if (param === undefined) return kernelError('rest_internal_error');
  return kernelError('rest_invalid_param', {
    message: `The answer is too large. Ask for fewer records with ${param}.`,
    params: { [param]: 'must be smaller for records of this size' },
  });
}

/** Names the credentials to send, and says if the ones sent are wrong. */
const challenge = (c: Context): string => {
  const sent = c.req.header('authorization') || c.req.header('x-svc-key');
  return `Bearer realm="sales-api"${sent ? ', error="invalid_token"' : ''}`;
};

async function errorResponse(c: Context, error: ApiError): Promise<Response> {
  const state = stateOf(c);
  const page = await state.endpoint?.errorPage?.(error, c.req.header('accept-language') ?? '');
  const body = error.body();
  state.code = error.code;
  if (error.status === 500) body.data['request_id'] = state.id;
  const { retryAfter, allow } = error.detail;
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter));
  if (allow) c.header('Allow', allow.join(', '));
  if (error.status === 401) c.header('WWW-Authenticate', challenge(c));
  return c.body(page?.text ?? JSON.stringify(body), error.status as 400, {
    ...commonHeaders(state),
    'content-type': 'application/json; charset=UTF-8',
    ...page?.headers,
  });
}
