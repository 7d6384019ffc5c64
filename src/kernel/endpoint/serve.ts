import type { Context } from 'hono';
import { authenticateConsole } from '../auth/console-session.ts';
import { Anyone, authenticate } from '../auth/principals.ts';
import { fromConsole, sessionCookie } from './console-requests.ts';
import type { Endpoint, Operations } from './endpoint.ts';
import { handle } from './handle.ts';
import { limitCaller } from './rate-limit.ts';
import { type RequestState, stateOf } from './request-state.ts';
import type { Place } from './routes.ts';
import type { Deployment } from '../deployment/services.ts';
import { validators } from './validate.ts';

export type Server = (c: Context) => Promise<Response>;

/** A check that a request must pass; otherwise it ends with an error. */
type Step = (c: Context, next: () => Promise<void>) => Promise<unknown>;

const onwards = async () => {};

/** Makes the steps that answer requests to a place: credentials, input, handler. */
export function serverOf(
  place: Place,
  deployment: Deployment,
  operations: (c: Context) => Operations,
): Server {
  const { endpoint, ofConsole } = place;
  const steps: Step[] = [
    ...(ofConsole
      ? [fromConsole(endpoint, deployment.config), consoleGuard(endpoint, deployment)]
      : [guard(endpoint, deployment)]),
    ...validators(endpoint),
  ];
  return async (c) => {
    for (const step of steps) await step(c, onwards);
    return handle(place, c, operations(c));
  };
}

/** Checks the credentials as far as possible without a trip, and opens the unit of work. */
function guard(endpoint: Endpoint, deployment: Deployment): Step {
  return async (c) => {
    const state: RequestState = stateOf(c);
    state.endpoint = endpoint;
    const { access } = endpoint;
    if (access.kind === 'console') throw new Error('The operation is for the console alone.');
    const credentials = {
      authorization: c.req.header('authorization'),
      apiKey: c.req.header('x-svc-key'),
      ip: c.req.header('cf-connecting-ip'),
    };
    await limitCaller(c, deployment);
    state.open(await authenticate(access, credentials, deployment.authority, state.now));
  };
}

const takesFresh = ({ fresh = [] }: Endpoint, c: Context): boolean =>
  fresh === true ||
  (fresh !== 'decided' &&
    fresh.some((field) => Object.hasOwn(c.req.valid('json' as never) ?? {}, field)));

/** Like `guard`, for the console, where a request has only its cookie and its rights depend on roles. */
function consoleGuard(endpoint: Endpoint, deployment: Deployment): Step {
  return async (c) => {
    const state: RequestState = stateOf(c);
    state.endpoint = endpoint;
    const cookie = sessionCookie(c.req.header('cookie'), deployment.config);
    await limitCaller(c, deployment, cookie);
    const { access } = endpoint;
    const fresh = () => takesFresh(endpoint, c);
    if (access.kind === 'session' || (access.kind === 'admin' && !access.console))
      throw new Error('The operation takes a session token.');
    const authentication =
      access.kind === 'open'
        ? { principal: new Anyone(), authorising: undefined }
        : await authenticateConsole(access, cookie, deployment.authority, {
            now: state.now,
            fresh,
          });
    state.open(authentication);
  };
}
