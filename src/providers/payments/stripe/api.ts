import * as z from 'zod';
import type { Outbound } from '../../../kernel/events/outbound.ts';
import { type ProviderAnswer, ProviderError, ask, kindOf } from '../../http.ts';
import { ErrorAnswer, Named } from './answers.ts';

/** The version of the answers: accounts may be set to any version, and Stripe keeps old ones. */
const version = '2026-07-29.dahlia';

/** The largest page of a list. */
const pageSize = 100;

const Listed = z.object({ data: z.array(z.unknown()), has_more: z.boolean() });

export class StripeApi {
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(origin: string, key: string) {
    this.#origin = origin;
    this.#headers = { authorization: `Bearer ${key}`, 'stripe-version': version };
  }

  /** @param path below `/v1/`, with its query */
  get(http: Outbound, path: string): Promise<ProviderAnswer> {
    const url = `${this.#origin}/v1/${path}`;
    return ask(http, { method: 'GET', url, headers: this.#headers });
  }

  /**
   * @param fields sent as a form, without undefined values
   * @param key for a day, Stripe answers a repeat with the first answer
   */
  post(
    http: Outbound,
    path: string,
    fields: Readonly<Record<string, string | null>>,
    key?: string,
  ): Promise<ProviderAnswer> {
    const given = Object.entries(fields).filter((field): field is [string, string] => !!field[1]);
    return ask(http, {
      method: 'POST',
      url: `${this.#origin}/v1/${path}`,
      headers: {
        ...this.#headers,
        'content-type': 'application/x-www-form-urlencoded',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: new URLSearchParams(given).toString(),
    });
  }

  /**
   * All list entries about a payment, newest first.
   * @param after the last entry of the page before
   */
  async list<T>(
    http: Outbound,
    what: 'refunds' | 'disputes',
    paymentRef: string,
    Item: z.ZodType<T>,
    after?: string,
  ): Promise<T[]> {
    const query = new URLSearchParams({ payment_intent: paymentRef, limit: String(pageSize) });
    if (after !== undefined) query.set('starting_after', after);
    const page = read(await this.get(http, `${what}?${query.toString()}`), Listed);
    const items = page.data.map((item) => checked(item, Item));
    if (!page.has_more) return items;
    const last = checked(page.data.at(-1), Named).id;
    return [...items, ...(await this.list(http, what, paymentRef, Item, last))];
  }
}

/** @throws ProviderError for a refusal, and for an answer that is not as documented */
export function read<T>({ status, json }: ProviderAnswer, Answer: z.ZodType<T>): T {
  if (status >= 200 && status <= 299) return checked(json, Answer);
  const refusal = ErrorAnswer.safeParse(json).data?.error;
  throw new ProviderError(kindOf(status), refusal?.code ?? refusal?.type ?? String(status));
}

function checked<T>(json: unknown, Answer: z.ZodType<T>): T {
  const answer = Answer.safeParse(json);
  if (!answer.success) throw new ProviderError('unknown', 'malformed_answer');
  return answer.data;
}
