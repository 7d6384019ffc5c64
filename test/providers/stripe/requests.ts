import type { Asked } from '../provider.ts';
import type { Answered } from '../server.ts';
import { Refused, refusal } from './refusals.ts';

export const secretKey = 'sk_test_51QxTestOfSalesApi';

/** Stores the answers of executed requests under their idempotency key, refusals as well. */
export function executed(execute: () => object): Answered {
  try {
    return { status: 200, body: execute() };
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    throw error;
  }
}

export function kindOf({ method, path }: Asked) {
  if (method === 'GET') return path.startsWith('/v1/checkout/sessions/') ? 'look' : undefined;
  if (path.endsWith('/expire')) return 'cancel';
  return path === '/v1/refunds' ? 'refund' : 'open';
}

export function checkCaller({ headers }: Asked): void {
  const key = headers['authorization'];
  if (key === undefined) throw new Refused('You did not provide an API key.', {}, 401);
  if (key !== `Bearer ${secretKey}`) throw new Refused('Invalid API Key provided', {}, 401);
  // Older versions answer with other fields and amounts.
  if (headers['stripe-version'] !== '2026-07-29.dahlia') {
    throw new Refused('Invalid Stripe API version');
  }
}

export const unknownUrl = (path: string) => refusal(404, `Unrecognized request URL (${path}).`);

/** docs.stripe.com/api/pagination: ten by default, at most a hundred. */
export function pageOf(items: readonly { id: string }[], query: URLSearchParams, url: string) {
  const limit = Number(query.get('limit') ?? 10);
  if (!(limit >= 1 && limit <= 100)) throw new Refused('Invalid limit', { param: 'limit' });
  const after = query.get('starting_after');
  const from = after === null ? 0 : items.findIndex(({ id }) => id === after) + 1;
  const data = items.slice(from, from + limit);
  return { object: 'list', data, has_more: from + limit < items.length, url };
}
