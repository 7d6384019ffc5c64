import type { Context, Hono } from 'hono';
import type { Entry } from './endpoint.ts';
import { operationsOf } from './operations.ts';
import { stateOf } from './request-state.ts';
import { type Place } from './routes.ts';
import type { Deployment } from '../deployment/services.ts';
import type { PlaceFinder } from './place-finder.ts';
import type { Server } from './serve.ts';

/** Routes requests to their endpoints. An endpoint is loaded for the first request to one of its routes. */
export function mount(app: Hono, finder: PlaceFinder, deployment: Deployment): void {
  const operations = operationsOf(app, finder);
  const servers = new Map<Place<Entry>, Promise<Server>>();
  const serverAt = async (place: Place<Entry>): Promise<Server> => {
    const [{ serverOf }, endpoint] = await Promise.all([
      import('./serve.ts'),
      place.endpoint.load(),
    ]);
    return serverOf({ ...place, endpoint }, deployment, operations);
  };
  app.all('*', async (c, next) => {
    const query = (name: string) => c.req.queries(name) ?? [];
    const found = finder.find(methodOf(c), c.req.path, query, c.req.header('accept'));
    if (!found) return next();
    const { place, params, varies } = found;
    // HEAD must not change anything, so a GET that writes refuses it unless it declares `head`.
    if (c.req.method === 'HEAD' && !place.endpoint.head) return c.notFound();
    stateOf(c).params = params;
    let server = servers.get(place);
    if (!server) servers.set(place, (server = serverAt(place)));
    const response = await (await server)(c);
    if (varies) response.headers.append('vary', 'Accept');
    return response;
  });
}

const methodOf = (c: Context) => (c.req.method === 'HEAD' ? 'GET' : c.req.method);
