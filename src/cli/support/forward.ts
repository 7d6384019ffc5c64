import { cut } from '../../lib/text.ts';
import { signedHeaders } from '../../kernel/events/signing.ts';

export interface ForwardResult {
  /** The status with the first part of the answer, or the reason why there was none. */
  readonly answer: string;
  readonly milliseconds: number;
}

/** The longest time that a receiver may take, in milliseconds: the limit of deliveries. */
const timeout = 15_000;

export async function forward(
  url: string,
  event: { readonly id: string },
  secret: string,
): Promise<ForwardResult> {
  const started = performance.now();
  const body = JSON.stringify(event);
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'sales-api webhooks',
      ...(await signedHeaders({ id: event.id, at: new Date(), body }, [secret])),
    },
    body,
  }).then(
    async (response) => `${response.status} ${beginningOf(await response.text())}`.trim(),
    ({ cause, message }: Error) => `no answer: ${cause instanceof Error ? cause.message : message}`,
  );
  return { answer, milliseconds: Math.round(performance.now() - started) };
}

const beginningOf = (text: string) => cut(text.replaceAll(/\s+/g, ' '), 60);
