import type * as z from 'zod';
import type { Outbound } from '../../../kernel/events/outbound.ts';
import { understood } from '../../answers.ts';
import {
  type ProviderAnswer,
  type ProviderRequest,
  ProviderError,
  ask,
  kindOf,
} from '../../http.ts';
import { Dispute, Disputes, Failure, Owned, Refund, Refunds } from './answers.ts';

/** The version of the endpoints under /v3. */
const version = '2024-11-11';

/** Refusals with a permanent status that may be retried. */
const passing = ['REFUND_IN_PROGRESS', 'TEMPORARILY_UNAVAILABLE', 'INSUFFICIENT_BALANCE'];

/** The largest number of pages of a payment's refunds, with a hundred each. */
const mostPages = 10;

export const pathOf = (kind: string, id: string) => `/${kind}/${encodeURIComponent(id)}`;

/**
 * Requests to Xendit; the result is the body of a success.
 * @throws ProviderError for everything else
 */
export interface Api {
  get(http: Outbound, path: string): Promise<unknown>;
  /** Like `get`, but undefined if nothing is there. */
  find(http: Outbound, path: string): Promise<unknown>;
  post(
    http: Outbound,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<unknown>;
  refunds(http: Outbound, payment_request_id: string): Promise<Refund[]>;
  /** The disputes of a payment that the key may see. */
  disputes(http: Outbound, payment_id: string): Promise<Dispute[]>;
}

export function apiOf(key: string, origin: string): Api {
  const authorization = `Basic ${btoa(`${key}:`)}`;
  const send = (http: Outbound, path: string, rest: Partial<ProviderRequest> = {}) =>
    ask(http, {
      method: 'GET',
      ...rest,
      url: `${origin}${path}`,
      headers: { authorization, 'api-version': version, ...rest.headers },
    });
  const api: Api = {
    get: async (http, path) => granted(await send(http, path)),

    async find(http, path) {
      const answer = await send(http, path);
      return answer.status === 404 ? undefined : granted(answer);
    },

    post: async (http, path, body = {}, headers = {}) =>
      granted(
        await send(http, path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        }),
      ),

    // Not in today's documentation, but in all SDKs (xendit-node's docs/Refund.md: `data`, `has_more`). The filter may
    // not work, so the members are filtered again.
    async refunds(http, payment_request_id) {
      const found = new Map<string, Refund>();
      let after = '';
      for (let page = 0; page < mostPages; page++) {
        const query = new URLSearchParams({ payment_request_id, limit: '100' });
        if (after !== '') query.set('after_id', after);
        const json = await api.find(http, `/refunds?${query.toString()}`);
        if (json === undefined) break;
        const { data, has_more } = understood(Refunds, json);
        for (const refund of ofPayment(data, { payment_request_id }, Refund)) {
          found.set(refund.id, refund);
        }
        after = Owned.safeParse(data.at(-1)).data?.id ?? '';
        if (!has_more || after === '') break;
      }
      return [...found.values()];
    },

    async disputes(http, payment_id) {
      const query = new URLSearchParams({ payment_id, limit: '100' });
      const answer = await send(http, `/v1/disputes?${query.toString()}`);
      if (answer.status === 403 || answer.status === 404) return [];
      return ofPayment(understood(Disputes, granted(answer)).data, { payment_id }, Dispute);
    },
  };
  return api;
}

/**
 * Members of a list that belong to a payment.
 * @throws ProviderError if one of them is unreadable
 */
const ofPayment = <T>(
  list: readonly unknown[],
  payment: Pick<z.output<typeof Owned>, 'payment_request_id' | 'payment_id'>,
  Member: z.ZodType<T>,
): T[] =>
  list
    .filter((member) => {
      const owner = Owned.safeParse(member).data;
      return Object.entries(payment).every(([name, id]) => owner?.[name as 'payment_id'] === id);
    })
    .map((member) => understood(Member, member));

function granted({ status, json }: ProviderAnswer): unknown {
  if (status >= 200 && status < 300) return json;
  const code = Failure.safeParse(json).data?.error_code ?? String(status);
  throw new ProviderError(passing.includes(code) ? 'temporary' : kindOf(status), code);
}
