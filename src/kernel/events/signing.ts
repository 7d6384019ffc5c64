import { decodeBase64, encodeBase64 } from '../../lib/bytes.ts';

const prefix = 'whsec_';
const secretBytes = 32;

/** A new random webhook secret, `whsec_` and the base64 of its bytes. */
export const newSecret = (): string =>
  prefix + encodeBase64(crypto.getRandomValues(new Uint8Array(secretBytes)));

export interface SignedContent {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/** Makes the headers of Standard Webhooks, with a signature for each secret that a receiver may have. */
export async function signedHeaders({ id, at, body }: SignedContent, secrets: readonly string[]) {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signatures = await Promise.all(secrets.map((secret) => sign(secret, content)));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  };
}

async function sign(secret: string, content: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = decodeBase64(secret.slice(prefix.length));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
  return encodeBase64(new Uint8Array(await crypto.subtle.sign('HMAC', key, content)));
}
