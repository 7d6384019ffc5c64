import type { Context } from 'hono';
import { hashToken } from '../auth/secret-token.ts';
import { bearer } from '../auth/principals.ts';
import { type ApiError, kernelError } from '../errors/errors.ts';
import { stateOf } from './request-state.ts';
import type { Deployment, Limiter, RateLimit } from '../deployment/services.ts';

/**
 * Counts a request against a hash of its credential. Writes without credentials and requests that open a console link
 * count against their address. Provider callbacks don't, because many come from few addresses: a forged one counts as a
 * failed authentication, and after too many of these, callbacks from the address are refused at once. Reads without
 * credentials don't count: anybody could use up the common limit. A delegated request was counted already.
 */
export async function limitCaller(
  c: Context,
  { callers, failures, authority }: Deployment,
  presented = bearer(c.req.header('authorization')) ?? c.req.header('x-svc-key'),
): Promise<void> {
  const state = stateOf(c);
  const { endpoint, via } = state;
  const { access, effect, namespace, rawBody } = endpoint ?? {};
  const isOpen = access?.kind === 'open';
  if (via !== undefined) return;
  if (isOpen && rawBody !== undefined) return refuseFailing(c, failures);
  const byAddress = isOpen && (effect === 'write' || namespace === 'console');
  const credential = byAddress ? c.req.header('cf-connecting-ip') : presented;
  if (!callers || !credential) return;
  const [digest] = await hashToken(credential, authority.peppers);
  state.credential = digest?.hash;
  await count(c, callers, digest?.hash ?? '');
}

/** Counts a failed authentication against its address, if the platform tells it. */
export async function limitFailures(c: Context, { failures }: Deployment): Promise<void> {
  const address = c.req.header('cf-connecting-ip');
  if (!failures || !address) return;
  await count(c, failures, address).catch((error: unknown) => {
    failing(failures).set(address, stateOf(c).now.getTime() + windowOf(failures) * 1000);
    throw error;
  });
}

/** Addresses with too many failures, and the end of their refusal in milliseconds. */
type Failing = Map<string, number>;

/** The most addresses that are remembered. */
const mostFailing = 10_000;

const failingBy = new WeakMap<RateLimit, Failing>();

/** The addresses over a limit. The binding can't be asked without counting once more. */
function failing({ binding }: Limiter): Failing {
  const known = failingBy.get(binding);
  if (known && known.size < mostFailing) return known;
  const none: Failing = new Map();
  failingBy.set(binding, none);
  return none;
}

/** Refuses a callback from an address with too many failures, before other work. */
function refuseFailing(c: Context, failures: Limiter | undefined): void {
  const address = c.req.header('cf-connecting-ip');
  if (!failures || !address) return;
  const until = failing(failures).get(address) ?? 0;
  if (stateOf(c).now.getTime() < until) throw tooMany(c, failures);
}

/** The longest window of a binding, in seconds. */
const longestWindow = 60;

const windowOf = ({ allowed }: Limiter): number => allowed?.[1] ?? longestWindow;

async function count(c: Context, limiter: Limiter, key: string): Promise<void> {
  const { success } = await limiter.binding.limit({ key });
  if (!success) throw tooMany(c, limiter);
}

/** Makes the refusal of a request beyond a limit, and sets its headers. */
function tooMany(c: Context, limiter: Limiter): ApiError {
  const window = windowOf(limiter);
  if (limiter.allowed) {
    c.header('RateLimit-Policy', `"default";q=${limiter.allowed[0]};w=${window}`);
    c.header('RateLimit', `"default";r=0;t=${window}`);
  }
  return kernelError('rest_too_many_requests', { retryAfter: window });
}
