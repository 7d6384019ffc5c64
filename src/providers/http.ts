import type { Outbound } from '../kernel/events/outbound.ts';

/** The longest time that a provider may take to answer, in milliseconds. */
export const patience = 8000;

/** The largest number of characters of an answer. */
const mostText = 1_000_000;

/**
 * The kind of a provider's failure. `temporary`: it refused, and may accept later · `permanent`: it will refuse again ·
 * `unknown`: it did not answer, and may have carried out the request.
 */
type Kind = 'temporary' | 'permanent' | 'unknown';

const noAnswer = 'no_answer';

/** A provider's refusal, without secrets or personal data of the buyer or the shop. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: Kind;
  /** The provider's own code, or its HTTP status: letters, digits, `_`, `.` and `-`. */
  readonly code: string;

  constructor(kind: Kind, code: string, options?: ErrorOptions) {
    super(`The provider's answer: ${kind}, ${plainCode(code)}.`, options);
    this.kind = kind;
    this.code = plainCode(code);
  }

  /** True if the provider's answer is not as documented. */
  get isUnread(): boolean {
    return this.kind === 'unknown' && this.code !== noAnswer;
  }
}

/** Cleans a provider's code for storage and display. */
export const plainCode = (code: string) => code.replaceAll(/[^\w.-]+/g, '_').slice(0, 64);

/**
 * Waits for another request's call to a provider.
 * @throws ProviderError `unknown` if the result does not come in time
 */
export async function within<T>(answer: Promise<T>): Promise<T> {
  const late = AbortSignal.timeout(patience);
  return Promise.race([
    answer,
    new Promise<never>((_, reject) => {
      late.addEventListener('abort', () => reject(new ProviderError('unknown', noAnswer)));
    }),
  ]);
}

export interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ProviderAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body, if it is JSON. */
  readonly json: unknown;
}

/**
 * Sends a request to a provider.
 * @throws ProviderError `unknown` if no complete answer comes in time
 */
export async function ask(
  http: Outbound,
  { url, ...init }: ProviderRequest,
): Promise<ProviderAnswer> {
  try {
    const signal = AbortSignal.timeout(patience);
    const response = await http(url, { ...init, redirect: 'manual', signal });
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, json: text.length > mostText ? undefined : parsed(text) };
  } catch (cause) {
    throw new ProviderError('unknown', noAnswer, { cause });
  }
}

/** Parses JSON; undefined for any other text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Statuses of temporary refusals, including those for a wrong key, which the seller can correct. */
const passing = [401, 403, 408, 409, 429];

/** Classifies an HTTP status that isn't a success, unless the provider's documents say otherwise. */
export const kindOf = (status: number): Kind =>
  status < 400 || status >= 500 || passing.includes(status) ? 'temporary' : 'permanent';
