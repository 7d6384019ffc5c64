import type { Outbound } from '../kernel/events/outbound.ts';

/** Longest a provider may take to answer, in milliseconds. */
export const patience = 8000;

/** Most characters of an answer. */
const mostText = 1_000_000;

/**
 * Why a provider didn't do what it was asked.
 * `temporary`: it said no, and may say yes later · `permanent`: it will say no again ·
 * `unknown`: it didn't answer, and may have done it.
 */
type Kind = 'temporary' | 'permanent' | 'unknown';

/** Code of a request that wasn't answered. */
const noAnswer = 'no_answer';

/** A provider's refusal, without anything a buyer or the shop is to keep to itself. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: Kind;
  /** The provider's own word for it, or its HTTP status: letters, digits, `_`, `.` and `-`. */
  readonly code: string;

  constructor(kind: Kind, code: string, options?: ErrorOptions) {
    super(`The provider's answer: ${kind}, ${plainCode(code)}.`, options);
    this.kind = kind;
    this.code = plainCode(code);
  }

  /** True where the provider answered, and not as it documents. */
  get isUnread(): boolean {
    return this.kind === 'unknown' && this.code !== noAnswer;
  }
}

/** A provider's word as it may be kept and shown. */
export const plainCode = (code: string) => code.replaceAll(/[^\w.-]+/g, '_').slice(0, 64);

/**
 * Waits for the outcome of another request's call to a provider.
 * @throws ProviderError `unknown` if it doesn't come in time
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

/** A request to a provider; a body is sent as it is. */
export interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A provider's answer of any status. */
export interface ProviderAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body, where it is JSON. */
  readonly json: unknown;
}

/**
 * Asks a provider.
 * @throws ProviderError `unknown` where it doesn't answer in time, or not in whole
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

/** Statuses of refusals that pass: the key's too, which the shop can set right. */
const passing = [401, 403, 408, 409, 429];

/** Classifies an HTTP status that isn't a success, unless the provider's documents say otherwise. */
export const kindOf = (status: number): Kind =>
  status < 400 || status >= 500 || passing.includes(status) ? 'temporary' : 'permanent';
