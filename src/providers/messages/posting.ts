import type { Outbound } from '../../kernel/events/outbound.ts';
import { type ProviderAnswer, ask } from '../http.ts';
import { SendError, type SendErrorKind } from './sender.ts';

interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Posts a message to a sender's API.
 * @throws SendError `unknown` if no complete answer comes in time
 */
export async function post(http: Outbound, posted: PostRequest): Promise<ProviderAnswer> {
  try {
    return await ask(http, { method: 'POST', ...posted });
  } catch (cause) {
    throw new SendError('unknown', 'no_answer', { cause });
  }
}

export const isSuccess = ({ status }: ProviderAnswer) => status >= 200 && status <= 299;

/** Statuses of failures after which the message may still be sent, and of proxies without an answer. */
const unanswered = [408, 500, 502, 504, 520, 524];

/** Statuses of refusals that apply to every message: the key, the address or the account is wrong. */
const misconfigured = [401, 402, 403, 404, 405, 407];

const passing = [409, 425, 429];

/** Classifies an HTTP status, unless the provider's documents say otherwise. */
export function kindOf(status: number): SendErrorKind {
  if (status < 300 || unanswered.includes(status)) return 'unknown';
  if (status < 400 || misconfigured.includes(status)) return 'setup';
  return status >= 500 || passing.includes(status) ? 'temporary' : 'permanent';
}

/**
 * Turns an answer into its error.
 * @param code the provider's own code
 */
export function refusal(
  { status, headers }: ProviderAnswer,
  now: Date,
  { kind = kindOf(status), code = String(status) }: { kind?: SendErrorKind; code?: string } = {},
): SendError {
  const retryAfter = secondsUntil(headers.get('retry-after') ?? '', now);
  return new SendError(kind, code, { retryAfter });
}

/** Reads a `Retry-After`: seconds or a date; undefined for anything else. */
function secondsUntil(text: string, now: Date): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = text.endsWith('GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}
