import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type * as z from 'zod';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { declaredErrors } from '../../src/kernel/endpoint/declared-errors.ts';
import { errorTable } from '../../src/domain/service/errors.ts';
import { type ErrorCode } from '../../src/kernel/errors/errors.ts';
import { itemOf } from '../../src/kernel/endpoint/exports.ts';
import { PathId } from '../../src/kernel/schemas/parameters.ts';
import { prefixes } from '../../src/config.ts';
import { consolePlacesOf, exportPlacesOf, placesOf } from '../../src/kernel/endpoint/routes.ts';
import { endpoints } from '../../src/endpoints.ts';

export interface Options {
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Reply {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  body: any;
  /** Round trips to the database, from Server-Timing. */
  trips: number;
}

const prefix = prefixes('/api');

/**
 * The headers of a request from the console's pages.
 * @param cookie of its session
 */
export const fromConsole = (cookie = ''): Record<string, string> => ({
  'sec-fetch-site': 'same-origin',
  'x-console': '1',
  ...(cookie && { cookie }),
});

const places = [...placesOf(endpoints, '/api'), ...consolePlacesOf(endpoints)];

/** Every route with a regular expression for its addresses. */
const patterns = [
  ...places,
  ...exportPlacesOf(places, (endpoint) => itemOf(endpoint) !== undefined),
].map(({ endpoint, ofConsole, method, path, only }) => {
  const shape = (endpoint.params as z.ZodObject | undefined)?.shape ?? {};
  const address = path.replace(/:(\w+)/g, (_, name: string) =>
    shape[name] === PathId ? '[0-9]{1,15}' : '[^/]+',
  );
  return {
    endpoint,
    ofConsole,
    method,
    address: new RegExp(`^${address}$`),
    only: Object.entries(only),
  };
});

/** Fields and files as a form; objects are JSON, and undefined fields are left out. */
export function formOf(fields: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.append(name, value);
    else if (typeof value === 'object') form.append(name, JSON.stringify(value));
    else if (value !== undefined) form.append(name, String(value));
  }
  return form;
}

type Address = Pick<URL, 'pathname' | 'searchParams'>;

const placeOf = (method: string, { pathname, searchParams }: Address) =>
  patterns.find(
    (route) =>
      route.method === method &&
      route.address.test(pathname) &&
      route.only.every(([name, value]) => searchParams.getAll(name).join() === value),
  );

/** Finds the declaration of a request in the endpoint table. */
export const declarationOf = (method: string, address: Address): Endpoint | undefined =>
  placeOf(method, address)?.endpoint;

/** Calls the service, and fails for any undeclared status, body or error code. */
export class ApiClient {
  readonly #fetch: (request: Request) => Promise<Response>;
  readonly #headers: Record<string, string>;

  constructor(send: (request: Request) => Promise<Response>, headers: Record<string, string> = {}) {
    this.#fetch = send;
    this.#headers = headers;
  }

  with(headers: Record<string, string>): ApiClient {
    return new ApiClient(this.#fetch, { ...this.#headers, ...headers });
  }

  through(send: (request: Request) => Promise<Response>): ApiClient {
    return new ApiClient(send, this.#headers);
  }

  get = (path: string, options?: Options) => this.request('GET', path, options);
  post = (path: string, body?: unknown, options?: Options) =>
    this.request('POST', path, { body, ...options });
  put = (path: string, body?: unknown, options?: Options) =>
    this.request('PUT', path, { body, ...options });
  patch = (path: string, body?: unknown, options?: Options) =>
    this.request('PATCH', path, { body, ...options });
  delete = (path: string, options?: Options) => this.request('DELETE', path, options);

  /** `path` is relative to the API's namespace, or starts with `//` for one outside it. */
  async request(method: string, path: string, { body, headers }: Options = {}): Promise<Reply> {
    const address = path.startsWith('//') ? path.slice(1) : prefix.api + path;
    const url = new URL(address, 'https://shop.example');
    // As bytes: Node's stream of a form fails if its reader stops early.
    const form = body instanceof FormData ? new Response(body) : undefined;
    const response = await this.#fetch(
      new Request(url, {
        method,
        headers: {
          ...(body !== undefined && {
            'content-type': form?.headers.get('content-type') ?? 'application/json',
          }),
          ...this.#headers,
          ...headers,
        },
        ...(body !== undefined && {
          body: form
            ? await form.arrayBuffer()
            : typeof body === 'string'
              ? body
              : JSON.stringify(body),
        }),
      }),
    );
    const text = await response.text();
    const reply: Reply = {
      status: response.status,
      headers: response.headers,
      body: isJson(response) && text !== '' ? JSON.parse(text) : text || undefined,
      trips: Number(
        /desc="(\d+) trips?"/.exec(response.headers.get('server-timing') ?? '')?.[1] ?? 0,
      ),
    };
    check(placeOf(method, url), reply);
    return reply;
  }
}

const isJson = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('application/json');

/** Media types of lists besides JSON. */
const fileTypes = /^(text\/csv|application\/x-ndjson); charset=UTF-8$/;

function checkFile(endpoint: Endpoint, { body, headers }: Reply): void {
  const item = itemOf(endpoint) as z.ZodType;
  expect(item, `${endpoint.id} answered a file`).toBeDefined();
  if (headers.get('content-type')?.startsWith('text/csv')) return;
  const rows = ((body ?? '') as string).split('\n').filter((line) => line !== '');
  for (const row of rows.map((line) => JSON.parse(line))) expect(item.parse(row)).toEqual(row);
}

/** True for the shop's page at the address of the service. */
export const isShopPage = ({ id }: Endpoint, { headers }: Reply): boolean =>
  id === 'platform.about' && headers.get('content-type')?.startsWith('text/html') === true;

function check(place: ReturnType<typeof placeOf>, reply: Reply): void {
  const { status, headers, body } = reply;
  if (!place) {
    expect([404, 405]).toContain(status);
    expect(body?.code).toBe(status === 404 ? 'rest_no_route' : 'rest_method_not_allowed');
    return;
  }
  const { endpoint, ofConsole } = place;
  if (isShopPage(endpoint, reply)) return;
  if (status === 200 && fileTypes.test(headers.get('content-type') ?? '')) {
    checkFile(endpoint, reply);
    return;
  }
  if (status === endpoint.reply[0]) {
    const parsed = endpoint.reply[1].parse(body);
    // Equality is faster to compute than a difference.
    if (!isDeepStrictEqual(parsed, body)) expect(parsed).toEqual(body);
    return;
  }
  if (status === 304) {
    expect(endpoint.etag, `${endpoint.id} answered 304`).toBe(true);
    expect(body).toBeUndefined();
    return;
  }
  // Endpoints that read bodies themselves may report errors in another protocol.
  if (endpoint.rawBody !== undefined && endpoint.reply[1].safeParse(body).success) return;
  const declared = declaredErrors(endpoint, errorTable, ofConsole);
  const code = body?.code as ErrorCode;
  expect(body, `${endpoint.id} answered ${status}`).toMatchObject({
    code: expect.any(String),
    message: expect.any(String),
    data: { status },
  });
  expect(
    declared.some((error) => error.code === code && error.status === status),
    `${endpoint.id} answered ${status} ${code}, which it does not declare`,
  ).toBe(true);
}
