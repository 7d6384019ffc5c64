import { UnexpectedAnswerError, errorOf, jsonOf } from './errors.ts';
import type { Call } from './operation.ts';

/** An answer, read in whole. */
interface Answer<Body> {
  readonly response: Response;
  readonly body: Body;
}

interface Patience<Body> {
  readonly milliseconds: number;
  readonly signal?: AbortSignal | undefined;
  readonly read: (response: Response) => Promise<Body>;
}

export const textOf = (response: Response): Promise<string> => response.text();

/** A file, or the text of an error. */
export const fileOf = (response: Response): Promise<Blob | string> =>
  response.ok ? response.blob() : response.text();

/**
 * Asks once, and reads the answer in whole.
 * @throws whatever `fetch` does; once the milliseconds are over or the signal was given, that it was ended
 */
export async function exchange<Body>(
  ask: typeof fetch,
  url: string,
  init: RequestInit,
  { milliseconds, signal, read }: Patience<Body>,
): Promise<Answer<Body>> {
  if (signal?.aborted) throw reasonOf(signal);
  const ending = new AbortController();
  const end = () => ending.abort();
  signal?.addEventListener('abort', end);
  const timer = setTimeout(end, milliseconds);
  const whole = async () => {
    const response = await ask(url, { ...init, signal: ending.signal });
    return { response, body: await read(response) };
  };
  try {
    // Not every fetch heeds its signal, or not while a body is read.
    return await unlessEnded(whole(), ending.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** Why a call was ended; older engines keep no reasons. */
export const reasonOf = (signal: AbortSignal | undefined): Error =>
  (signal?.reason as Error | undefined) ?? new Error('The call was ended.');

/**
 * Returns the value of a promise, unless the signal ends it first.
 * @throws the signal's reason
 */
export const unlessEnded = <T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  new Promise((resolve, reject) => {
    const end = () => reject(reasonOf(signal));
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end);
    const settle = () => signal?.removeEventListener('abort', end);
    void promise.then(resolve, reject).finally(settle);
  });

/** Waits, unless the signal is given. @throws the signal's reason */
export const waited = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });

/**
 * Builds the headers of a call's requests.
 * @throws TypeError for a value that no header can carry: engines would quote it, and it may be secret
 */
export function headersOf(
  { operation: { method, traits }, body, options }: Call,
  {
    caller,
    tag,
  }: { readonly caller: Readonly<Record<string, string>>; readonly tag: string | undefined },
): Record<string, string> {
  const headers = {
    ...caller,
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    ...(method !== 'GET' && { 'idempotency-key': options.idempotencyKey }),
    ...(traits.includes('v') &&
      options.ifMatch !== undefined && { 'if-match': String(options.ifMatch) }),
    ...(tag !== undefined && { 'if-none-match': tag }),
  };
  const wrong = Object.entries(headers).find(([, text]) => !/^[\x20-\x7e]*$/.test(text));
  if (wrong) throw new TypeError(`${wrong[0]} has characters that no header can carry.`);
  return headers;
}

/**
 * Reads the body of an answer, and returns the text it was read from.
 * @param kept the text of an earlier answer, in case nothing has changed since
 * @throws ApiError
 * @throws UnexpectedAnswerError
 */
export function valueOf(
  { operation }: Call,
  { response: { status, ok, headers }, body }: Answer<string | Blob>,
  kept: string | undefined,
): { readonly value: unknown; readonly text?: string } {
  if (typeof body !== 'string') return { value: body };
  const isKept = status === 304 && kept !== undefined;
  const type = headers.get('content-type') ?? '';
  const answer = {
    operation: operation.id,
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: secondsOf(headers.get('retry-after') ?? ''),
  };
  if (!ok && !isKept) throw errorOf(body, type, answer);
  const text = isKept ? kept : body;
  const value = jsonOf(text);
  if (value === undefined) {
    // The service's own, broken off, may still show a secret.
    throw new UnexpectedAnswerError(answer, type, type.startsWith('application/json') ? '' : body);
  }
  return { value, text };
}

/** The seconds that a `Retry-After` asks for; it may be a date. */
function secondsOf(header: string): number | undefined {
  if (/^\d+$/.test(header)) return Number(header);
  const seconds = (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
