import type { MiddlewareHandler } from 'hono';
import { parse } from 'hono/utils/cookie';
import type { Config } from '../../config.ts';
import { kernelError } from '../errors/errors.ts';
import type { Endpoint } from './endpoint.ts';

type Address = Pick<Config, 'BASE_URL'>;

const isSecure = ({ BASE_URL }: Address): boolean => BASE_URL.startsWith('https:');

/**
 * The prefix makes a browser accept the cookie only from this host, for all paths, over TLS. Over plain HTTP, as in
 * development, no browser accepts the prefix.
 */
const cookieName = (config: Address) => (isSecure(config) ? '__Host-console' : 'console');

/**
 * Returns the session in a request.
 * @param cookies the header `Cookie`
 */
export function sessionCookie(cookies: string | undefined, config: Address): string {
  return cookieNamed(cookieName(config), cookies);
}

/** Returns the cookie with a name; empty without one. */
export const cookieNamed = (name: string, cookies: string | undefined): string =>
  parse(cookies ?? '', name)[name] ?? '';

/** Makes a `Set-Cookie` header that keeps a session for some seconds, or deletes it if the session is empty. */
export const cookieHeader = (session: string, seconds: number, config: Address): string =>
  [
    `${cookieName(config)}=${session}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${seconds}`,
    ...(isSecure(config) ? ['Secure'] : []),
  ].join('; ');

/**
 * Refuses requests of other pages, with which a browser also sends the cookie; `SameSite=Strict` allows other hosts of
 * the site. Operations that write also need a header, even a GET: the page shows other people's links, and these could
 * lead back here.
 */
export function fromConsole({ effect }: Endpoint, { BASE_URL }: Address): MiddlewareHandler {
  const { origin } = new URL(BASE_URL);
  return async (c, next) => {
    const site = c.req.header('sec-fetch-site');
    const isOwn = site === undefined ? c.req.header('origin') === origin : site === 'same-origin';
    const reads = effect === 'read' && (c.req.method === 'GET' || c.req.method === 'HEAD');
    if (isOwn && (reads || c.req.header('x-console') === '1')) return next();
    throw kernelError('rest_forbidden', {
      message:
        'Only the pages of the console may call this. For other programs there are API keys.',
    });
  };
}
