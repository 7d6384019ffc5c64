import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/endpoint/envelope.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { Calculation, CartInput as CartBody } from '../../domain/checkout/schemas.ts';
import { errors, priced } from './priced-cart.ts';

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
