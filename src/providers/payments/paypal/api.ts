import type { Outbound } from '../../../kernel/events/outbound.ts';
import { understood } from '../../answers.ts';
import { type ProviderAnswer, ProviderError, ask, kindOf, patience, within } from '../../http.ts';
import { Failure, Token } from './answers.ts';

/** Seconds before its end from which a token isn't used any more. */
const margin = 60;

/** Refusals with a permanent status that may be retried. */
const passing = [
  'ORDER_COMPLETION_IN_PROGRESS',
  'PREVIOUS_REQUEST_IN_PROGRESS',
  'PENDING_CAPTURE',
  'REFUND_FAILED_INSUFFICIENT_FUNDS',
];

interface Options {
  /** The body of a POST: JSON, or raw text. A request without a body is a GET. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that mean that nothing was found: the result is undefined. */
  readonly nothing?: readonly number[];
}

/**
 * Calls PayPal with a valid token.
 * @returns the body of a success
 * @throws ProviderError for everything else
 */
export type Api = (path: string, options?: Options) => Promise<unknown>;

export const pathOf = (kind: string, id: string, verb = '') =>
  `/${kind}/${encodeURIComponent(id)}${verb}`;

/** An account's API: all requests share its token until shortly before its end. */
export function apiOf(client: string, secret: string, origin: string) {
  const credentials = `Basic ${btoa(`${client}:${secret}`)}`;
  let token: { readonly value: string; readonly until: number } | undefined;
  let pending: { readonly value: Promise<string>; readonly until: number } | undefined;

  async function bearer(http: Outbound, now: Date): Promise<string> {
    const at = now.getTime();
    if (token && at < token.until) return token.value;
    // If the request that asked for the token was cut off, its promise never settles: so nobody waits for it longer
    // than for an answer.
    if (pending && at < pending.until) return within(pending.value);
    const value = requestToken(http, now).finally(() => {
      if (pending?.value === value) pending = undefined;
    });
    pending = { value, until: at + patience };
    return value;
  }

  async function requestToken(http: Outbound, now: Date): Promise<string> {
    const answer = await ask(http, {
      method: 'POST',
      url: `${origin}/v1/oauth2/token`,
      headers: {
        authorization: credentials,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    const { access_token, expires_in } = understood(Token, granted(answer));
    token = { value: access_token, until: now.getTime() + (expires_in - margin) * 1000 };
    return access_token;
  }

  return (http: Outbound, now: Date): Api =>
    async (path, { body, headers, nothing = [] } = {}) => {
      const send = (value: string) =>
        ask(http, {
          method: body === undefined ? 'GET' : 'POST',
          url: `${origin}${path}`,
          headers: {
            authorization: `Bearer ${value}`,
            'content-type': 'application/json',
            ...headers,
          },
          ...(body !== undefined && {
            body: typeof body === 'string' ? body : JSON.stringify(body),
          }),
        });
      const value = await bearer(http, now);
      let answer = await send(value);
      if (answer.status === 401) {
        // The token was revoked early. Another request may have replaced it already.
        if (token?.value === value) token = undefined;
        answer = await send(await bearer(http, now));
      }
      return nothing.includes(answer.status) ? undefined : granted(answer);
    };
}

/** @throws ProviderError for anything but a success */
function granted({ status, json }: ProviderAnswer): unknown {
  if (status >= 200 && status < 300) return json;
  const { details, name, error } = Failure.safeParse(json).data ?? {};
  const code = details?.[0]?.issue ?? name ?? error ?? String(status);
  throw new ProviderError(passing.includes(code) ? 'temporary' : kindOf(status), code);
}
