import type { Context, Hono, MiddlewareHandler } from 'hono';
import type * as z from 'zod';
import { authenticate } from '../auth/principals.ts';
import { ApiError } from './errors.ts';
import { PathId } from './parameters.ts';
import type { Endpoint, Namespace } from './endpoint.ts';
import { handle } from './handle.ts';
import { limitCaller } from './rate-limit.ts';
import { type RequestState, stateOf } from './request-state.ts';
import type { Services } from './services.ts';
import { validators } from './validate.ts';

/** Where the namespaces of a deployment start. */
export const prefixes = (restRoot: string): Record<Namespace, string> => ({
  api: `${restRoot}/svc/v1`,
  notify: `${restRoot}/svc-notify/v1`,
  root: '',
});

/** A declared path with the places of ids held to 1–15 digits, as the router takes it. */
function routerPath(endpoint: Endpoint, path: string): string {
  const shape = (endpoint.params as z.ZodObject | undefined)?.shape ?? {};
  return path.replace(/:(\w+)/g, (place, name: string) =>
    shape[name] === PathId ? `${place}{[0-9]{1,15}}` : place,
  );
}

/** Routes every endpoint of the table: credentials, then input, then the handler. */
export function mount(app: Hono, endpoints: readonly Endpoint[], services: Services): void {
  const prefix = prefixes(services.config.REST_ROOT);
  for (const endpoint of endpoints) {
    for (const route of endpoint.route) {
      const [method = '', path = ''] = route.split(' ');
      app.on(
        [method],
        [prefix[endpoint.namespace ?? 'api'] + routerPath(endpoint, path)],
        refuseHead(endpoint),
        guard(endpoint, services),
        ...validators(endpoint),
        (c: Context) => handle(endpoint, services, c),
      );
    }
  }
}

/** HEAD must not change anything: a GET that writes has none. */
const refuseHead =
  (endpoint: Endpoint): MiddlewareHandler =>
  async (c, next) => {
    if (c.req.raw.method === 'HEAD' && endpoint.effect === 'write') {
      throw new ApiError('rest_no_route');
    }
    await next();
  };

/** Checks the credentials as far as that goes without a trip, and opens the unit of work. */
function guard(endpoint: Endpoint, services: Services): MiddlewareHandler {
  return async (c, next) => {
    const state: RequestState = stateOf(c);
    state.endpoint = endpoint;
    const credentials = {
      authorization: c.req.header('authorization'),
      apiKey: c.req.header('x-svc-key'),
      ip: c.req.header('cf-connecting-ip'),
    };
    await limitCaller(c, services);
    const { access } = endpoint;
    state.open(
      await authenticate(access, credentials, services.authority, state.now),
      services.connection,
    );
    await next();
  };
}
