import type { Context, Hono, MiddlewareHandler } from 'hono';
import { authenticateConsole } from '../auth/console-session.ts';
import { Anyone, authenticate } from '../auth/principals.ts';
import { fromConsole, sessionCookie } from './console-requests.ts';
import { type Endpoint, answersHead } from './endpoint.ts';
import { handle } from './handle.ts';
import { operationsOf } from './operations.ts';
import { limitCaller } from './rate-limit.ts';
import { type RequestState, stateOf } from './request-state.ts';
import { type Place, pattern } from './routes.ts';
import type { Deployment } from '../deployment/services.ts';
import { validators } from './validate.ts';

/** Routes every place of the table: credentials, then input, then the handler. */
export function mount(app: Hono, places: readonly Place[], deployment: Deployment): void {
  const operations = operationsOf(app, places);
  for (const place of places) {
    const { endpoint, method } = place;
    const path = pattern(
      place,
      (name, expression) => `:${name}${expression ? `{${expression}}` : ''}`,
    );
    const steps: MiddlewareHandler[] = [
      refuseHead(endpoint),
      ...(place.ofConsole
        ? [fromConsole(endpoint, deployment.config), consoleGuard(endpoint, deployment)]
        : [guard(endpoint, deployment)]),
      ...validators(endpoint),
      (c) => handle(place, c, operations(c)),
    ];
    app.on([method], [path], ...steps.map((step) => onlyWith(place.only, step)));
  }
}

/** A step of a route that is for requests with certain query parameters: others pass it by. */
function onlyWith(only: Place['only'], step: MiddlewareHandler): MiddlewareHandler {
  const asked = Object.entries(only);
  if (asked.length === 0) return step;
  return (c, next) =>
    asked.every(([name, value]) => c.req.queries(name)?.join() === value) ? step(c, next) : next();
}

/** HEAD must not change anything: a GET that writes takes none, but where it knows how to. */
const refuseHead =
  (endpoint: Endpoint): MiddlewareHandler =>
  async (c, next) => {
    if (c.req.raw.method === 'HEAD' && !answersHead(endpoint)) return c.notFound();
    return next();
  };

/** Checks the credentials as far as that goes without a trip, and opens the unit of work. */
function guard(endpoint: Endpoint, deployment: Deployment): MiddlewareHandler {
  return async (c, next) => {
    const state: RequestState = stateOf(c);
    state.endpoint = endpoint;
    const { access } = endpoint;
    if (access.kind === 'console') throw new Error('It is for the console alone.');
    const credentials = {
      authorization: c.req.header('authorization'),
      apiKey: c.req.header('x-svc-key'),
      ip: c.req.header('cf-connecting-ip'),
    };
    await limitCaller(c, deployment);
    state.open(await authenticate(access, credentials, deployment.authority, state.now));
    await next();
  };
}

/** Whether a request, its input validated by now, takes a session of the console that was signed in just now. */
const takesFresh = ({ fresh = [] }: Endpoint, c: Context): boolean =>
  fresh === true ||
  (fresh !== 'decided' &&
    fresh.some((field) => Object.hasOwn(c.req.valid('json' as never) ?? {}, field)));

/** The same for what the console asks: it has nothing but its cookie, and what it may depends on roles. */
function consoleGuard(endpoint: Endpoint, deployment: Deployment): MiddlewareHandler {
  return async (c, next) => {
    const state: RequestState = stateOf(c);
    state.endpoint = endpoint;
    const cookie = sessionCookie(c.req.header('cookie'), deployment.config);
    await limitCaller(c, deployment, cookie);
    const { access } = endpoint;
    const fresh = () => takesFresh(endpoint, c);
    if (access.kind === 'session' || access.kind === 'admin') throw new Error('It takes a token.');
    const authentication =
      access.kind === 'open'
        ? { principal: new Anyone(), authorising: undefined }
        : await authenticateConsole(access, cookie, deployment.authority, {
            now: state.now,
            fresh,
          });
    state.open(authentication);
    await next();
  };
}
