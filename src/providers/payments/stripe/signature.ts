import { hmacSha256, isSameSecret } from '../../signatures.ts';

/** Seconds that a callback may be old. */
const tolerance = 300;

/**
 * Checks a `Stripe-Signature` of the form `t=…,v1=…` and its age. During a rotation there are several `v1`, one of
 * which must match.
 */
export async function isSigned(
  text: string,
  signature: string,
  secret: string,
  now: Date,
): Promise<boolean> {
  const parts = signature.split(',').map((part) => part.split('=', 2));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  const isRecent = Math.abs(now.getTime() / 1000 - Number(time)) <= tolerance;
  if (!isRecent) return false;
  const expected = await hmacSha256(secret, `${time}.${text}`);
  return parts.some(([name, given = '']) => name === 'v1' && isSameSecret(given, expected));
}
