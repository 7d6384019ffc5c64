import { signedHeaders } from '../../kernel/events/signing.ts';
import type { Callback } from '../callback.ts';
import { isSameSecret } from '../signatures.ts';

/** Seconds by which a callback's clock may differ from ours. */
const tolerance = 300;

/**
 * Checks a Svix signature: Standard Webhooks with other header names. During a rotation there are several signatures,
 * one of which must match.
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
