import { signedHeaders } from '../../kernel/events/signing.ts';
import type { Callback } from '../callback.ts';
import { isSameSecret } from '../signatures.ts';

/** Seconds that a callback's clock may be off from ours. */
const tolerance = 300;

/**
 * Whether a callback is signed by Svix: like Standard Webhooks, under names of its own. There are several
 * signatures while a secret is being rolled, of which one has to match.
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
