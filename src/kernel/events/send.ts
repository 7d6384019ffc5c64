import type { Config } from '../../config.ts';
import type { Clock } from '../../lib/instant.ts';
import type { Delivery } from './claims.ts';
import type { Outbound } from './outbound.ts';
import { isOwnSink, refusedAddress } from './safe-url.ts';
import { retryAfterSeconds } from './schedule.ts';
import { signedHeaders } from './signing.ts';

/** Milliseconds that a receiver may take to answer. */
const timeout = 15_000;

/** Limits on reading an answer's body: stored bytes, and milliseconds to wait. */
const answerLimit = 2048;
const answerTime = 1000;

export interface Sender {
  readonly config: Config;
  readonly outbound: Outbound;
  readonly clock: Clock;
}

export interface Attempt {
  readonly status: 'success' | 'failed';
  /** The answer's HTTP status; 0 without an answer. */
  readonly code: number;
  readonly milliseconds: number;
  /** The reason why there was no answer, or why the answer doesn't count. */
  readonly error: string | null;
  /** The first part of the answer, as text. */
  readonly answer: string;
  /** The sent `webhook-timestamp` and `webhook-signature`; null if nothing was sent. */
  readonly sent_at: number | null;
  readonly signature: string | null;
  /** Seconds that the receiver asks to wait. */
  readonly retryAfter: number | undefined;
}

/** Values of an attempt that sent nothing. */
const unsigned = { sent_at: null, signature: null };

/** An event's type in the feed and in deliveries: `order-created`. */
export const typeOf = (event: string): string => event.replaceAll('.', '-');

/** The `webhook-id` of an event: the same for every attempt. */
export const webhookId = (event_id: string): string => `evt_${event_id}`;

/** Makes one attempt to deliver. Never throws: every failure is an outcome of the attempt. */
export async function send(delivery: Delivery, sender: Sender): Promise<Attempt> {
  const started = Date.now();
  const refused = refusedAddress(delivery.webhook.url, sender.config);
  const outcome = refused
    ? { ...failed(`The address ${refused}.`), ...unsigned }
    : await request(delivery, sender);
  const success = outcome.code >= 200 && outcome.code < 300;
  return {
    ...outcome,
    status: success ? 'success' : 'failed',
    milliseconds: Date.now() - started,
  };
}

const failed = (error: string) => ({ code: 0, answer: '', error, retryAfter: undefined });

/** A worker can't rely on reaching itself, so its own sink's answer is made here. */
const swallowed = { code: 200, answer: '{"ok":true}', error: null, retryAfter: undefined };

async function request(delivery: Delivery, { config, outbound, clock }: Sender) {
  const { url, secrets } = delivery.webhook;
  if (isOwnSink(url, config)) return { ...swallowed, ...unsigned };
  let sent: Pick<Attempt, 'sent_at' | 'signature'> = unsigned;
  try {
    const id = webhookId(delivery.event_id);
    const body = bodyOf(delivery);
    const signed = await signedHeaders({ id, at: clock.now(), body }, secrets);
    sent = {
      sent_at: Number(signed['webhook-timestamp']),
      signature: signed['webhook-signature'],
    };
    const response = await outbound(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
      headers: { ...plainHeaders, ...signed },
      body,
    });
    const redirected = response.status >= 300 && response.status < 400;
    return {
      code: response.status,
      answer: await beginningOf(response),
      error: redirected ? 'Redirects are not followed.' : null,
      retryAfter: retryAfterSeconds(response.headers.get('retry-after'), clock.now()),
      ...sent,
    };
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError';
    return {
      ...failed(
        late ? `No answer within ${timeout / 1000} seconds.` : 'The receiver could not be reached.',
      ),
      ...sent,
    };
  }
}

const plainHeaders = { 'content-type': 'application/json', 'user-agent': 'sales-api webhooks' };

export const deliveredHeaders = (
  event_id: string,
  { sent_at, signature }: Pick<Attempt, 'sent_at' | 'signature'>,
): Record<string, string> => ({
  ...plainHeaders,
  'webhook-id': webhookId(event_id),
  ...(sent_at !== null && { 'webhook-timestamp': String(sent_at) }),
  ...(signature !== null && { 'webhook-signature': signature }),
});

/** The body of a delivery: the same for every attempt. */
export const bodyOf = ({
  event_id,
  event,
  object_id,
  created_at,
  data,
}: Pick<Delivery, 'event_id' | 'event' | 'object_id' | 'created_at' | 'data'>) =>
  JSON.stringify({
    id: webhookId(event_id),
    type: typeOf(event),
    event,
    object_id,
    created_at: new Date(created_at).toISOString(),
    data,
  });

/**
 * Reads the first bytes of an answer as text that a database can store. If the body breaks off or does not end, the
 * bytes so far suffice: the status decides.
 */
async function beginningOf({ body }: Response): Promise<string> {
  if (!body) return '';
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  const cancel = () => void reader.cancel().catch(() => undefined);
  const overdue = setTimeout(cancel, answerTime);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  try {
    for (let size = 0; size < answerLimit;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      size += value.byteLength;
    }
  } catch {
    // The connection broke, which doesn't matter.
  } finally {
    clearTimeout(overdue);
    cancel();
  }
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
  return new TextDecoder().decode(bytes.subarray(0, answerLimit)).replaceAll('\0', '');
}
