import type { AgreedPlan, OrderColumns } from '../../schema/orders.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import { isPaidOnDelivery } from '../order/gateways.ts';
import type { OrderCreate } from '../order/request-schemas.ts';
import { type PaymentState, refusedGateway } from '../payment/acceptance.ts';
import { hasProvider, offeredGateways } from '../payment/rules.ts';
import type { Gateway } from '../payment/schemas.ts';
import type { ProductRow } from '../product/rules.ts';
import { type ChainFacts, hasTermAhead } from '../subscription/chain.ts';
import { offeredProduct, renewedShipping } from '../subscription/offer.ts';
import { type RenewalOrder, type SubscriptionRow, renewTotal } from '../subscription/rules.ts';
import { renewalTerms, termLength } from './terms.ts';

/** A way to pay for the next term. */
export interface RenewalWay extends Pick<Gateway, 'id' | 'title'> {
  readonly total: number;
}

/** The account's offer for the next term. */
export interface RenewalOffer {
  /** A single one if there is nothing to pay; none if it is early. */
  readonly ways: readonly RenewalWay[];
  /** A digest of what the page says of the term. */
  readonly terms: string;
  readonly length: Pick<AgreedPlan, 'duration' | 'period'>;
  /** True if the first order was shipped, and no way to ship is left. */
  readonly isStranded: boolean;
  /** True if the next term costs nothing, and the one before it is still to begin. */
  readonly isEarly: boolean;
}

interface OfferState extends Pick<PaymentState, 'redirects'> {
  readonly settings: SettingsRow;
  readonly now: Date;
}

export function renewalOffer(
  row: SubscriptionRow & ChainFacts & Pick<RenewalOrder, 'signup'>,
  product: ProductRow,
  { shipping }: OrderColumns,
  { settings, redirects, now }: OfferState,
): RenewalOffer {
  const renewal = { ...row, product: product.product, shipping };
  const amount = renewTotal(renewal);
  const { plan } = row.agreed;
  const option = renewedShipping(product.product, shipping, plan);
  const isStranded = option === undefined;
  const length = termLength({ plan, ...row });
  // A free order completes at once, so it is never the open one that keeps a member from the next.
  const isEarly = amount === 0 && hasTermAhead(row, now.toISOString());
  const offer = { terms: renewalTerms(row, settings.currency), length, isStranded, isEarly };
  if (isEarly) return { ...offer, ways: [] };
  if (amount === 0) return { ...offer, ways: [manualWay(0)] };
  const terms = { plan, unit_price: amount, type: row.subscription.type, variants: [] };
  const { product: offered } = offeredProduct(product, terms);
  const order = { amount, option_id: option?.id, buyer: undefined };
  const ways = offeredGateways(settings, redirects)
    .filter(
      ({ id, active }) =>
        active && refusedGateway(id, offered, order, { settings, redirects }) === undefined,
    )
    .map(({ id, title }) => ({
      ...{ id, title },
      total: isPaidOnDelivery(id) ? renewTotal(renewal, offered.cod.fee) : amount,
    }));
  if (ways.length > 0 || hasProvider(settings, redirects)) return { ...offer, ways };
  return { ...offer, ways: [manualWay(amount)] };
}

const manualWay = (total: number): RenewalWay => ({ id: 'manual', title: '', total });

/** The value of a choice in the form, with the total that the member saw. */
export const choiceOf = ({ id, total }: RenewalWay): string => `${id} ${total}`;

/** The order for the next term, with everything that the first order bought. */
export function renewalOf(
  { product }: ProductRow,
  first: OrderColumns,
  payment_gateway: string,
): OrderCreate {
  const { id: order_parent_id, user_id, quantity, shipping, agreed } = first;
  const option = renewedShipping(product, shipping, agreed.plan);
  return {
    ...{ product_id: product.id, user_id, order_parent_id, quantity, payment_gateway },
    ...(shipping && option && { shipping: { ...shipping, option_id: option.id } }),
  };
}
