import { jsonOf } from './errors.ts';
import type { Events } from './generated.ts';

/** An event of the catalogue, as posted to a webhook. */
export type KnownEvent = Events[keyof Events];

/** An event that this version of the client doesn't know. */
export interface UnknownEvent {
  readonly id: string;
  readonly type: string;
  readonly event: string;
  readonly object_id: number;
  readonly created_at: string;
  readonly data: unknown;
}

/** The content of a webhook's request; `isEvent` tells its type. */
export type WebhookEvent = KnownEvent | UnknownEvent;

/** The reason why a delivery isn't trusted. */
export type VerificationFailure = 'missing_header' | 'too_old' | 'wrong_signature' | 'unreadable';

/** A delivery that isn't the service's, or a repeat of an old one. Answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: VerificationFailure;

  constructor(code: VerificationFailure, message: string) {
    super(message);
    this.code = code;
  }
}

/** Seconds by which a delivery's clock may differ from ours. */
const tolerance = 300;

type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Parses a delivery after checking its Standard Webhooks signature. Unknown events are parsed like all others.
 * @param body the raw body: parsing it first changes it
 * @param headers of the request, as `Headers` or as Node has them
 * @param secrets the webhook's secret, or several during a rotation
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: HeadersLike,
  secrets: string | readonly string[],
): Promise<WebhookEvent> {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) {
    throw new WebhookVerificationError(
      'missing_header',
      'A delivery has webhook-id, webhook-timestamp and webhook-signature.',
    );
  }
  // A timestamp that isn't a number is invalid as well.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= tolerance)) {
    throw new WebhookVerificationError('too_old', `It was sent at ${timestamp}, in seconds.`);
  }
  const content = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const given = signatures.split(' ').flatMap((each) => bytesOf(/^v1,(.*)$/.exec(each)?.[1]));
  if (!(await isSigned(content, given, [secrets].flat()))) {
    throw new WebhookVerificationError(
      'wrong_signature',
      'None of the secrets made the signature of the delivery.',
    );
  }
  const event = jsonOf(text);
  // The signature proves the content.
  if (event) return event as unknown as WebhookEvent;
  throw new WebhookVerificationError(
    'unreadable',
    'The body of the delivery is not a JSON object.',
  );
}

/** Tells if an event, posted to a webhook or read from the feed, has this name. */
export const isEvent = <E extends { readonly event: string }, Name extends keyof Events>(
  event: E,
  name: Name,
): event is E & Pick<Events[Name], 'event' | 'data'> => event.event === name;

function headerOf(headers: HeadersLike, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : undefined;
}

/** Hashes once for each secret, whatever the number of signatures, and compares in constant time. */
async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  secrets: readonly string[],
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const bytes of secrets.flatMap((secret) => bytesOf(secret.replace(/^whsec_/, '')))) {
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
    const right = new Uint8Array(await crypto.subtle.sign('HMAC', key, content));
    if (signatures.some((signature) => isSame(signature, right))) return true;
  }
  return false;
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length &&
  one.reduce((difference, byte, at) => difference | (byte ^ (other[at] ?? 0)), 0) === 0;

/** The bytes of a base64 text, in a list; an empty list for any other text. */
function bytesOf(text: string | undefined): Uint8Array<ArrayBuffer>[] {
  try {
    const bytes = Uint8Array.from(atob(text ?? ''), (letter) => letter.charCodeAt(0));
    return bytes.length > 0 ? [bytes] : [];
  } catch {
    return [];
  }
}
