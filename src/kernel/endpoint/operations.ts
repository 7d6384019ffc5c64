import type { Context, Hono } from 'hono';
import { once } from '../../lib/once.ts';
import { kernelError } from '../errors/errors.ts';
import type { Endpoint, Input, Operations } from './endpoint.ts';
import { keepState, stateOf } from './request-state.ts';
import type { PlaceFinder } from './place-finder.ts';
import type { RouteParts } from './routes.ts';

/** Characters that a header can have. */
const printable = /^[\x20-\x7e]*$/;

/** The platform's limit on the address of a request, in characters. */
const longestAddress = 16_384;

/** Headers that identify the caller. */
const credentials = ['authorization', 'x-svc-key', 'cf-connecting-ip', 'user-agent'];

export function operationsOf(app: Hono, finder: PlaceFinder): (c: Context) => Operations {
  const endpoints = once(() => [...new Set(finder.places.map(({ endpoint }) => endpoint))]);
  const mainPlaceOf = ({ id }: Endpoint) =>
    finder.places.find(
      ({ endpoint, only, ofConsole }) =>
        endpoint.id === id && !ofConsole && Object.keys(only).length === 0,
    );
  return (c) => ({
    get endpoints() {
      return endpoints();
    },
    perform: async (endpoint, input) => {
      const place = mainPlaceOf(endpoint);
      if (!place || endpoint.access.kind !== 'key')
        throw new Error('The operation takes no API key.');
      const url = addressOf(place, input, c.req.url);
      if (url.href.length > longestAddress) {
        throw kernelError('rest_invalid_param', {
          message: `The arguments in the address may have ${longestAddress} characters at most.`,
        });
      }
      const { pathname, searchParams } = url;
      const led = finder.find(place.method, pathname, (name) => searchParams.getAll(name));
      if (led?.place.endpoint.id !== endpoint.id) {
        throw invalid(
          { ...input.params, ...input.query },
          "doesn't fit the address of this operation",
        );
      }
      const unprintable = Object.entries(input.headers).filter(([, text]) => !printable.test(text));
      if (unprintable.length > 0) {
        throw invalid(Object.fromEntries(unprintable), 'must be printable ASCII');
      }
      const request = new Request(url, {
        method: place.method,
        headers: { ...passedOn(c), ...input.headers, 'content-type': 'application/json' },
        ...(input.body && { body: JSON.stringify(input.body) }),
      });
      const state = stateOf(c);
      keepState(request, state.forPart());
      state.delegated = true;
      return app.fetch(request, c.env, c.executionCtx);
    },
  });
}

const passedOn = (c: Context): Record<string, string> =>
  Object.fromEntries(
    credentials.flatMap((name) => {
      const value = c.req.header(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** @throws ApiError naming the missing parts of the path */
function addressOf({ path }: RouteParts, { params, query }: Input, base: string): URL {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const missing = names.filter((name) => !params[name]);
  if (missing.length > 0) {
    const reasons = missing.map((name) => [name, 'is required']);
    throw kernelError('rest_missing_callback_param', { params: Object.fromEntries(reasons) });
  }
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent((params[name] ?? '').toWellFormed()),
  );
  const url = new URL(filled, base);
  url.search = new URLSearchParams(query).toString();
  return url;
}

const invalid = (values: object, reason: string) =>
  kernelError('rest_invalid_param', {
    params: Object.fromEntries(Object.keys(values).map((name) => [name, reason])),
  });
