import type { ScopedPrincipal } from '../../kernel/auth/principals.ts';
import { type Refusal, isRefusal, refuse, unknownReference } from '../../kernel/errors/errors.ts';
import { type CouponRow, termsOf } from '../coupon/rules.ts';
import { attributePurchase, earnerOf } from '../purchase/attribution.ts';
import { type CreationState, unsoldRefusal } from '../purchase/create.ts';
import { isPaidOnDelivery } from '../order/gateways.ts';
import type { ProductRow } from '../product/rules.ts';
import {
  type Offer,
  type OfferRefusal,
  offerOf,
  offeredProduct,
  planBegun,
  withExtras,
} from '../subscription/offer.ts';
import { type AcceptanceRefusal, acceptanceErrors, acceptance } from '../purchase/acceptance.ts';
import { type CouponedPrice, priceWithCoupon } from '../pricing/price.ts';
import type { Calculation, CartInput } from './schemas.ts';

/** The cart needs no buyer. */
export type CartState = Omit<CreationState, 'id'>;

/** Prices a cart like an order. A coupon that doesn't apply is reported, not refused. */
export function calculate(
  state: CartState,
  input: CartInput,
  principal: Pick<ScopedPrincipal, 'has'>,
  now: Date,
):
  | Calculation
  | OfferRefusal
  | Refusal<
      | 'store_currency_unset'
      | 'rest_not_found'
      | 'product_closed'
      | 'rest_invalid_param'
      | 'variant_required'
    > {
  const { product, buyer, settings } = state;
  const { currency } = settings;
  if (currency === null) return refuse('store_currency_unset');
  if (!product) return unknownReference('product_id');
  if (input.user_id !== undefined && !buyer) return unknownReference('user_id');
  if (input.affiliate_id !== undefined && !state.orderAffiliate)
    return unknownReference('affiliate_id');
  const unsold = unsoldRefusal(state, product, buyer, input, now);
  if (unsold) return unsold;
  const offer = offerOf({ ...state, product: product.product, now }, input);
  if (isRefusal(offer)) return offer;
  const { quantity, optionIds } = offer;
  const offered = offeredProduct(product, offer);
  const renewal = offer.order_parent_id !== null;
  const { shipping_option_id: option_id, country, payment_gateway: gateway = 'manual' } = input;
  const priced = priceWithCoupon(
    {
      product: offered.product,
      signupFee: offer.signup_fee,
      quantity,
      renewal,
      optionIds,
      shipping: option_id === undefined ? undefined : { option_id, country },
      cod: isPaidOnDelivery(gateway),
    },
    input.coupon
      ? {
          row: state.coupon,
          buyer: buyer ?? null,
          renewal,
          isInstalment: offer.plan !== null,
          usedByBuyer: state.usedByBuyer,
          hasOrdered: state.hasOrdered,
          now,
        }
      : undefined,
  );
  if (isRefusal(priced)) return priced;
  const terms = { quantity, renewal, gateway, option_id };
  const cart = { product: offered, ...terms, buyer, priced, isUnpaid: true };
  const { available, refusals } = acceptance(state, cart, now);
  const { id, title, type, image_url } = product.product;
  return {
    valid: refusals.length === 0,
    product: { id, title, type, image_url },
    quantity,
    currency,
    lines: [...priced.price.lines],
    ...priced.price.totals,
    subscription: offer.type === 'regular' ? null : furtherTerms(state, product.product, offer),
    coupon: input.coupon ? couponVerdict(input.coupon, state.coupon, priced, principal) : null,
    affiliate: affiliateOf(state, priced.couponRefusal === undefined && Boolean(input.coupon)),
    stock: { available },
    messages: refusals.map(messageOf),
  };
}

function furtherTerms(
  { parent }: CartState,
  product: ProductRow['product'],
  offer: Offer,
): Calculation['subscription'] {
  const { type, quantity, variants, optionIds, term_price } = offer;
  const plan = parent ? offer.plan : planBegun(product, offer);
  const { duration, period } = plan ?? product.subscription.regular;
  const paid = (parent?.instalments ?? 0) + (type === 'subscription-tryout' ? 0 : 1);
  return {
    ...{ duration, period },
    price: withExtras(term_price, { variants }, optionIds) * quantity,
    payments: plan && plan.payments - paid,
  };
}

/** Explains a refusal, and names the wrong parameter if there is one. */
function messageOf({ refused, detail: { params } }: AcceptanceRefusal): string {
  const [fault] = Object.entries(params ?? {});
  return fault ? `${fault[0]} ${fault[1]}.` : acceptanceErrors[refused][1];
}

function couponVerdict(
  code: string,
  row: CouponRow | undefined,
  { price, couponRefusal }: CouponedPrice,
  principal: Pick<ScopedPrincipal, 'has'>,
): Calculation['coupon'] {
  const valid = couponRefusal === undefined;
  return {
    code: row?.coupon.code ?? code,
    valid,
    reason: couponRefusal ?? null,
    value: valid ? price.totals.discount_total : 0,
    free_shipping: valid && row !== undefined && termsOf(row).discount.free_shipping,
    ...(row &&
      principal.has('coupons:read') && { limit_use: termsOf(row).limit_use, usage: row.usage }),
  };
}

function affiliateOf(state: CartState, withCoupon: boolean): Calculation['affiliate'] {
  if (!state.product) return null;
  const attribution = attributePurchase(state, state.product.product, withCoupon);
  const person = earnerOf(state, attribution);
  return person && attribution
    ? { id: person.id, display_name: person.display_name, source: attribution.source }
    : null;
}
