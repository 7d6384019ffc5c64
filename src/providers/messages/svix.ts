import { signedHeaders } from '../../kernel/events/signing.ts';
import type { Callback } from '../callback.ts';
import { isSameSecret } from '../signatures.ts';

/** Seconds that a callback's clock may be off from ours. */
const tolerance = 300;

/**
 * Checks the signature of Svix: Standard Webhooks with other header names. While a secret is rolled there are several
 * signatures, one of which has to match.
 */
export async function isSvixSigned(
  callback: Callback,
  secret: string,
  now: Date,
): Promise<boolean> {
  const time = callback.header('svix-timestamp') ?? '';
  const at = new Date(Number(time) * 1000);
  const isRecent = Math.abs(now.getTime() - at.getTime()) <= tolerance * 1000;
  if (!/^\d+$/.test(time) || !isRecent) return false;
  const id = callback.header('svix-id') ?? '';
  const expected = await signedHeaders({ id, at, body: callback.text }, [secret]);
  const signature = expected['webhook-signature'] ?? '';
  const given = (callback.header('svix-signature') ?? '').split(' ');
  return given.some((each) => isSameSecret(each, signature));
}
