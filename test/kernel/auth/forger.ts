import { base64url, generateKeyPair } from 'jose';
import {
  type SessionClaims,
  type SessionKeys,
  signSession,
} from '../../../src/kernel/auth/session-token.ts';

export type Parts = Record<string, unknown>;
export type Forger = Awaited<ReturnType<typeof forger>>;

export async function forger(keys: SessionKeys, claims: SessionClaims) {
  const good = await signSession(claims, keys);
  const [header = '', payload = '', signature = ''] = good.split('.');
  const signedParts = async (header: string, payload: string, key = keys.signing.privateKey) => {
    const input = `${header}.${payload}`;
    const signed = await crypto.subtle.sign('Ed25519', key, new TextEncoder().encode(input));
    return `${input}.${base64url.encode(new Uint8Array(signed))}`;
  };
  const decoded = (part: string) => new TextDecoder().decode(base64url.decode(part));
  const goodHeader = JSON.parse(decoded(header)) as Parts;
  const goodClaims = JSON.parse(decoded(payload)) as Parts;
  const forge = {
    keys,
    claims,
    good: {
      token: good,
      header: goodHeader,
      claims: goodClaims,
      parts: [header, payload, signature],
    },
    foreign: await generateKeyPair('EdDSA', { extractable: true }),
    signedParts,
    headerText: (text: string) => signedParts(base64url.encode(text), payload),
    header: (changes: Parts) => forge.headerText(JSON.stringify({ ...goodHeader, ...changes })),
    payload: (content: string | Uint8Array) => signedParts(header, base64url.encode(content)),
    claim: (changes: Parts) => forge.payload(JSON.stringify({ ...goodClaims, ...changes })),
  };
  if ((await forge.header({})) !== good || (await forge.claim({})) !== good) {
    throw new Error('The forger cannot even copy a good token.');
  }
  return forge;
}

/** Returns a base64url text with an unused bit of its last character set. */
export const withStrayBits = (text: string) => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(text.slice(-1));
  return text.slice(0, -1) + alphabet.charAt(last + 1);
};

/** The signature with the order of the curve's group added to its second half. */
export function malleated(signature: Uint8Array): Uint8Array {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const bigEndian = signature.slice(32).toReversed();
  const s = bigEndian.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) + order;
  return Uint8Array.from(signature, (byte, index) =>
    index < 32 ? byte : Number((s >> BigInt(8 * (index - 32))) & 255n),
  );
}
