import type * as z from 'zod';
import { apiKey } from '../../auth/access.ts';
import type { Config } from '../../config.ts';
import type { KeyPrincipal } from '../../auth/principals.ts';
import { type ReadAccess, endpoint } from '../../http/endpoint.ts';
import { one, record } from '../../http/envelope.ts';
import { isRefusal } from '../../http/errors.ts';
import { addSeconds } from '../../lib/instant.ts';
import { redirectGateways } from '../payments/gateways/index.ts';
import { calculate, cartState } from './calculation.ts';
import { loadPurchase } from './queries.ts';
import { quoteLifetime, signQuote } from './quote.ts';
import { Calculation, type CartInput, CartInput as CartBody, CartQuery, Quote } from './schemas.ts';

const errors = [
  'rest_not_found',
  'rest_invalid_param',
  'product_closed',
  'variant_required',
  'tryout_used',
  'subscription_not_renewable',
] as const;

/** Prices a cart in one trip. */
async function priced(
  cart: CartInput,
  {
    db,
    config,
    principal,
    now,
  }: { db: ReadAccess; config: Config; principal: KeyPrincipal; now: Date },
) {
  const loaded = await db.query(loadPurchase(cart, now));
  // Whether a transfer code is left counts here, not which one.
  const state = { ...cartState(loaded), redirects: redirectGateways(config), chance: 0 };
  return calculate(state, cart, principal, now);
}

export const calculateCheckout = endpoint({
  id: 'checkout.calculate',
  route: ['POST /checkout/calculate'],
  summary: 'Price a cart',
  description:
    'As an order of it would be priced, line by line. A coupon that does not apply does not fail the call: `coupon.valid` is false, with the reason.',
  access: apiKey('checkout:read'),
  effect: 'read',
  body: CartBody,
  reply: [200, record(Calculation)],
  errors,
}).handle(async ({ body, ...request }) => {
  const calculation = await priced(body, request);
  return isRefusal(calculation) ? calculation : one(calculation);
});

export const quoteCheckout = endpoint({
  id: 'checkout.quote',
  route: ['GET /checkout/quote'],
  summary: 'Price a cart and hold the price',
  description:
    'The same as `POST /checkout/calculate`, with a signed `quote_token`. `POST /orders` with it gets this total within 15 minutes, or says that something changed. A cart that is not `valid` gets none: `messages` say why.',
  access: apiKey('checkout:read'),
  effect: 'read',
  query: CartQuery,
  reply: [200, record(Quote)],
  errors,
}).handle(async ({ query, authority, now, ...request }) => {
  const calculation = await priced(query, { ...request, now });
  if (isRefusal(calculation)) return calculation;
  if (!calculation.valid) return one({ ...calculation, quote_token: null, expires_at: null });
  // A token can be read by whoever has it.
  const { access_code: _, ...cart } = query;
  const quote_token = await signQuote(cart, calculation.grand_total, authority, now);
  const expires_at = addSeconds(now.toISOString(), quoteLifetime);
  const quote: z.input<typeof Quote> = { ...calculation, quote_token, expires_at };
  return one(quote);
});
