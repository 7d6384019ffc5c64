/** Events as PayPal signs and verifies them: developer.paypal.com/api/rest/webhooks. */
import { createSign, createVerify, generateKeyPairSync, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Fields, text } from './checks.ts';

export const webhookId = '1JE4291016473214C';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const certificate = 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594';

const signedText = (id: string, time: string, webhook: string, body: string) =>
  `${id}|${time}|${webhook}|${crc32(body)}`;

/** An event as text, in a spelling that no JSON library produces. */
export const written = (event: object) =>
  JSON.stringify(event).replaceAll('/', '\\/').replaceAll('":', '": ');

export type Proof = Readonly<Record<string, string>>;

export function signed(body: string, now: Date, webhook = webhookId): Proof {
  const id = randomUUID();
  const time = now.toISOString().replace(/\.\d+Z$/, 'Z');
  const sign = createSign('RSA-SHA256').update(signedText(id, time, webhook, body));
  return {
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': certificate,
    'paypal-transmission-id': id,
    'paypal-transmission-sig': sign.sign(privateKey, 'base64'),
    'paypal-transmission-time': time,
  };
}

/** `verify-webhook-signature` of notifications_webhooks_v1; a request with a malformed field is refused. */
export function verification(fields: Fields, body: string): 'SUCCESS' | 'FAILURE' {
  const proof = /^(?!\d+$)\w+\S+/;
  const algorithm = text(fields, 'auth_algo', 100, /^[a-zA-Z0-9]+$/);
  const url = text(fields, 'cert_url', 500, /^https:\/\/\S+$/);
  const id = text(fields, 'transmission_id', 50, proof);
  const signature = text(fields, 'transmission_sig', 500, proof);
  const time = text(fields, 'transmission_time', 100, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const webhook = text(fields, 'webhook_id', 50, /^[a-zA-Z0-9]+$/);
  const event = rawMember(body, 'webhook_event');
  const verify = createVerify('RSA-SHA256').update(signedText(id, time, webhook, event));
  const isKnown = algorithm === 'SHA256withRSA' && url === certificate && webhook === webhookId;
  return isKnown && verify.verify(publicKey, signature, 'base64') ? 'SUCCESS' : 'FAILURE';
}

/** The value of a member of a JSON object in its original spelling. */
function rawMember(json: string, name: string): string {
  let depth = 0;
  let from: number | undefined;
  let key = '';
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    if (depth === 1 && (token === ',' || token === '}') && from !== undefined) {
      if (key === JSON.stringify(name)) return json.slice(from, index).trim();
      from = undefined;
    } else if (depth === 1 && token === ':') {
      from = index + 1;
    } else if (depth === 1 && from === undefined) {
      key = token;
    }
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
  }
  return '';
}
