import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { Calculation, CartInput as CartBody } from '../../domain/checkout/schemas.ts';
import { errors, priced } from '../../actions/checkout/priced-cart.ts';

export const calculateCheckout = endpoint({
  id: 'checkout.calculate',
  route: ['POST /checkout/calculate'],
  summary: 'Price a cart',
  description:
    'Prices the cart line by line, as an order would be. A coupon that does not apply is not an error: `coupon.valid` is false, and `coupon.reason` says why.',
  access: apiKey('checkout:read'),
  effect: 'read',
  body: CartBody,
  reply: [200, record(Calculation)],
  errors,
}).handle(async ({ body, ...request }) => {
  const calculation = await priced(body, request);
  return isRefusal(calculation) ? calculation : one(calculation);
});
