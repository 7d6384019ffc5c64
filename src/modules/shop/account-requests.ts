import type { Config } from '../../config.ts';
import type { Authority } from '../../kernel/auth/principals.ts';
import { cookieNamed } from '../../kernel/endpoint/console-requests.ts';
import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import { hashedSecret } from '../../actions/account/secrets.ts';
import type { PageRequest } from './answers.ts';

type Address = Pick<Config, 'BASE_URL'>;

const isSecure = ({ BASE_URL }: Address) => BASE_URL.startsWith('https:');

/** Browsers accept this prefix only from this host, over TLS. */
const cookieName = (config: Address) => (isSecure(config) ? '__Host-account' : 'account');

export function sessionOf(request: PageRequest, config: Address, authority: Authority) {
  const token = cookieNamed(cookieName(config), request.header('cookie'));
  return hashedSecret('svcacc', token, authority);
}

/** Keeps a session for some seconds; deletes it if the token is empty. */
export const accountCookie = (session: string, seconds: number, config: Address): string =>
  [
    `${cookieName(config)}=${session}`,
    ...['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${seconds}`],
    ...(isSecure(config) ? ['Secure'] : []),
  ].join('; ');

export function foreignRefusal(
  request: PageRequest,
  { BASE_URL }: Address,
): Refusal<'rest_forbidden'> | undefined {
  const site = request.header('sec-fetch-site');
  const isOwn =
    site === undefined
      ? request.header('origin') === new URL(BASE_URL).origin
      : site === 'same-origin';
  return isOwn ? undefined : refuse('rest_forbidden');
}
