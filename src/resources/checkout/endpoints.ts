import type * as z from 'zod';
import { apiKey } from '../../auth/access.ts';
import type { KeyPrincipal } from '../../auth/principals.ts';
import { type ReadAccess, endpoint } from '../../http/endpoint.ts';
import { one, record } from '../../http/envelope.ts';
import { isRefusal } from '../../http/errors.ts';
import { addSeconds } from '../../lib/instant.ts';
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
async function priced(db: ReadAccess, cart: CartInput, principal: KeyPrincipal, now: Date) {
  const loaded = await db.query(loadPurchase(cart));
  return calculate(cartState(loaded), cart, principal, now);
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
}).handle(async ({ body, db, principal, now }) => {
  const calculation = await priced(db, body, principal, now);
  return isRefusal(calculation) ? calculation : one(calculation);
});

export const quoteCheckout = endpoint({
  id: 'checkout.quote',
  route: ['GET /checkout/quote'],
  summary: 'Price a cart and hold the price',
  description:
    'The same as `POST /checkout/calculate`, with a signed `quote_token`. `POST /orders` with it gets this total within 15 minutes, or says that something changed.',
  access: apiKey('checkout:read'),
  effect: 'read',
  query: CartQuery,
  reply: [200, record(Quote)],
  errors,
}).handle(async ({ query, db, principal, authority, now }) => {
  const calculation = await priced(db, query, principal, now);
  if (isRefusal(calculation)) return calculation;
  const quote_token = await signQuote(query, calculation.grand_total, authority, now);
  const expires_at = addSeconds(now.toISOString(), quoteLifetime);
  const quote: z.input<typeof Quote> = { ...calculation, quote_token, expires_at };
  return one(quote);
});
