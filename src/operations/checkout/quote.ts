import type * as z from 'zod';
import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { addSeconds } from '../../lib/instant.ts';
import { quoteLifetime, signQuote } from '../../domain/checkout/quote.ts';
import { CartQuery, Quote } from '../../domain/checkout/schemas.ts';
import { errors, priced } from '../../actions/checkout/priced-cart.ts';

export const quoteCheckout = endpoint({
  id: 'checkout.quote',
  route: ['GET /checkout/quote'],
  summary: 'Quote a cart and hold the price',
  description:
    'Does the same as `POST /checkout/calculate` and adds a signed `quote_token`. For 15 minutes, `POST /orders` with that token either charges this total or answers that something changed. A cart that is not `valid` gets no token; `messages` say why.',
  access: apiKey('checkout:read'),
  effect: 'read',
  query: CartQuery,
  reply: [200, record(Quote)],
  errors,
}).handle(async ({ query, authority, now, ...request }) => {
  const calculation = await priced(query, { ...request, now });
  if (isRefusal(calculation)) return calculation;
  if (!calculation.valid) return one({ ...calculation, quote_token: null, expires_at: null });
  // The claims of a token are readable, so it must hold nothing secret.
  const { access_code: _, ...cart } = query;
  const { grand_total } = calculation;
  const quote_token = await signQuote({ cart, grand_total }, authority, now);
  const expires_at = addSeconds(now.toISOString(), quoteLifetime);
  const quote: z.input<typeof Quote> = { ...calculation, quote_token, expires_at };
  return one(quote);
});
