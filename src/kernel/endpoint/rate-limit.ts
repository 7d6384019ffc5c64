import type { Context } from 'hono';
import { hashToken } from '../auth/secret-token.ts';
import { bearer } from '../auth/principals.ts';
import { kernelError } from '../errors/errors.ts';
import { stateOf } from './request-state.ts';
import type { Deployment } from './services.ts';

/** Cloudflare's rate limit binding: counts a key, and says whether it is within the limit. */
export interface RateLimit {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/**
 * Counts a request to the credential it presents; by a hash of the whole, never its public part. One
 * that writes without any, or opens a link into the console, is counted to its address, but for what others call
 * back with: many of it come from few addresses, and only what is forged counts, as a failure.
 * Who presents nothing is not counted: all of those would share one limit, which anybody could use up.
 * What is carried out for another operation was counted there.
 */
export async function limitCaller(
  c: Context,
  { callers, authority }: Deployment,
  presented = bearer(c.req.header('authorization')) ?? c.req.header('x-svc-key'),
): Promise<void> {
  const state = stateOf(c);
  const { endpoint, via } = state;
  const { access, effect, namespace, rawBody } = endpoint ?? {};
  const isOpen = access?.kind === 'open';
  if (via !== undefined || (isOpen && rawBody !== undefined)) return;
  const byAddress = isOpen && (effect === 'write' || namespace === 'console');
  const credential = byAddress ? c.req.header('cf-connecting-ip') : presented;
  if (!callers || !credential) return;
  const [digest] = await hashToken(credential, authority.peppers);
  state.credential = digest?.hash;
  await count(c, callers, digest?.hash ?? '');
}

/** Counts a failed authentication to the address it came from, where the platform tells it. */
export async function limitFailures(c: Context, { failures }: Deployment): Promise<void> {
  const address = c.req.header('cf-connecting-ip');
  if (failures && address) await count(c, failures, address);
}

/** A limit with what it allows, where that is known, for the headers that say so. */
export interface Limiter {
  readonly binding: RateLimit;
  /** Requests, and the seconds they are counted over. */
  readonly allowed: readonly [quota: number, window: number] | undefined;
}

/** The longest time that a binding counts over, in seconds. */
const longestWindow = 60;

async function count(c: Context, { binding, allowed }: Limiter, key: string): Promise<void> {
  const { success } = await binding.limit({ key });
  if (success) return;
  if (!allowed) throw kernelError('rest_too_many_requests', { retryAfter: longestWindow });
  const [quota, window] = allowed;
  c.header('RateLimit-Policy', `"default";q=${quota};w=${window}`);
  c.header('RateLimit', `"default";r=0;t=${window}`);
  throw kernelError('rest_too_many_requests', { retryAfter: window });
}
