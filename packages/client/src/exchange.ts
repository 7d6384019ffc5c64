import { UnexpectedAnswerError, errorOf, jsonOf } from './errors.ts';
import type { Call } from './operation.ts';

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
 * Sends one request, and reads the complete answer.
 * @throws the error of `fetch`; the reason of the timeout or the signal
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
    // Some implementations of fetch ignore the signal, at least while reading a body.
    return await unlessEnded(whole(), ending.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** The reason why a call was aborted; older engines keep none. */
export const reasonOf = (signal: AbortSignal | undefined): Error =>
  (signal?.reason as Error | undefined) ?? new Error('The call was aborted.');

/**
 * Returns the value of a promise, unless the signal aborts first.
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

/**
 * Waits, unless the signal aborts.
 * @throws the signal's reason
 */
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

/** @throws TypeError for an invalid header value: engines would quote it, and it may be secret */
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
 * Parses the body of an answer, and returns it with its text.
 * @param kept the text of an earlier answer, for a 304
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
    // A broken-off answer of the service may still contain a secret.
    throw new UnexpectedAnswerError(answer, type, type.startsWith('application/json') ? '' : body);
  }
  return { value, text };
}

/** The seconds of a `Retry-After`, which may be a date. */
function secondsOf(header: string): number | undefined {
  if (/^\d+$/.test(header)) return Number(header);
  const seconds = (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
