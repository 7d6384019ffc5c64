import { type Refusal, kernelErrors, refuse } from '../../kernel/errors/errors.ts';
import { couponErrors } from '../coupon/errors.ts';
import { licenseErrors } from '../license/errors.ts';
import { paymentErrors } from '../payment/errors.ts';
import { productErrors } from '../product/errors.ts';
import { purchaseErrors } from './errors.ts';
import { addSeconds } from '../../lib/instant.ts';
import type { CouponRefusal } from '../coupon/rules.ts';
import { exceedsLicenses } from '../license/lifecycle.ts';
import {
  type PaidOrder,
  type PaymentState,
  refusedGateway,
  transferCode,
} from '../payment/acceptance.ts';
import { type ProductRow, unitsLeft } from '../product/rules.ts';
import type { CouponedPrice, Price } from '../pricing/price.ts';

export interface PricedCart {
  readonly product: ProductRow;
  readonly quantity: number;
  /** A renewal has no limit between purchases. */
  readonly renewal: boolean;
  readonly gateway: string;
  readonly option_id: string | undefined;
  /** Undefined if still unknown. */
  readonly buyer: PaidOrder['buyer'];
  readonly priced: CouponedPrice;
  /** True if it will wait for its payment. Only then does a transfer need a code. */
  readonly isUnpaid: boolean;
}

export interface AcceptanceState extends PaymentState {
  /** The time of the buyer's last order of the product, not counting cancelled ones. */
  readonly lastPurchase: string | undefined;
}

export const acceptanceErrors = {
  ...kernelErrors,
  ...couponErrors,
  ...licenseErrors,
  ...paymentErrors,
  ...productErrors,
  ...purchaseErrors,
};

export type AcceptanceRefusal = Refusal<
  'purchase_too_soon' | CouponRefusal | 'rest_invalid_param' | 'out_of_stock' | 'license_quantity'
>;

export interface Acceptance {
  readonly payment_gateway: string;
  readonly unique_code: number;
  /** Units of the scarcest counter; null if none is counted. */
  readonly available: number | null;
  /** All obstacles. An order is refused with the first. */
  readonly refusals: readonly AcceptanceRefusal[];
}

/** A checkout and an order follow the same rules. */
export function acceptance(
  state: AcceptanceState,
  {
    product: { product, stock },
    quantity,
    renewal,
    gateway,
    option_id,
    buyer,
    priced,
    isUnpaid,
  }: PricedCart,
  now: Date,
): Acceptance {
  const { price, couponRefusal } = priced;
  const { grand_total } = price.totals;
  const free = grand_total === 0;
  const payment_gateway = free ? 'free' : gateway;
  const reason = free
    ? undefined
    : refusedGateway(gateway, product, { amount: grand_total, option_id, buyer }, state);
  const code = isUnpaid ? transferCode(state, payment_gateway, grand_total) : 0;
  const available = leastLeft(stock, price);
  const refusals = [
    !renewal &&
      isTooSoon(product.limit_buy_time, state.lastPurchase, now) &&
      refuse('purchase_too_soon'),
    couponRefusal && refuse(couponRefusal),
    reason && refuse('rest_invalid_param', { params: { payment_gateway: reason } }),
    available !== null && available < quantity && refuse('out_of_stock'),
    exceedsLicenses(product, quantity) && refuse('license_quantity'),
  ];
  return {
    payment_gateway,
    unique_code: code,
    available,
    refusals: refusals.filter((refusal) => typeof refusal === 'object'),
  };
}

/** `limitMinutes` 0 = never. */
const isTooSoon = (limitMinutes: number, last: string | undefined, now: Date) =>
  limitMinutes > 0 &&
  last !== undefined &&
  last > addSeconds(now.toISOString(), -60 * limitMinutes);

function leastLeft(stock: ProductRow['stock'], { variants }: Price): number | null {
  const counters = ['', ...variants.map(({ option_id }) => option_id)];
  const left = counters
    .map((option_id) => unitsLeft(stock, option_id))
    .filter((units) => units !== null);
  return left.length === 0 ? null : Math.min(...left);
}
