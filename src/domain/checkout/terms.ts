import { crc32 } from '../../lib/crc32.ts';
import type { ProductRow } from '../product/rules.ts';
import type { AgreedPlan } from '../../schema/orders.ts';
import type { SubscriptionColumns } from '../../schema/subscriptions.ts';
import type { Offer } from './offer.ts';

/** Makes a short digest of what a page said. Its form places an order only while the digest is the same. */
const digestOf = (said: unknown): string => crc32(JSON.stringify(said)).toString(36);

/** Digests what the checkout says of an offer. The choices in the form count only by what they cost. */
export function checkoutTerms({ row: { product }, price, further }: Offer): string {
  const { title, variants, shipping } = product;
  const { currency, lines, subscription } = price ?? {};
  return digestOf({
    ...{ title, currency, subscription, further },
    lines: lines?.map(({ kind, amount }) => [kind, amount]),
    variants: variants.map(({ label, options }) => [
      label,
      options.map(({ id, label: name, extra_price }) => [id, name, extra_price]),
    ]),
    shipping: shipping.options.map((option) => [
      ...[option.id, option.label, option.etd_days_min, option.etd_days_max],
    ]),
  });
}

interface RenewedTerm {
  readonly plan: AgreedPlan | null;
  readonly product: Pick<ProductRow['product'], 'subscription'>;
}

/** The length of a renewal's term. */
export function termLength({ plan, product }: RenewedTerm) {
  const { duration, period } = plan ?? product.subscription.regular;
  return { duration, period };
}

interface RenewedSubscription {
  readonly subscription: Pick<SubscriptionColumns, 'end_date'>;
  readonly agreed: Pick<RenewedTerm, 'plan'>;
  readonly product: Pick<ProductRow['product'], 'title' | 'subscription'>;
}

/** Digests what the account says of the next term, besides its price for each way to pay. */
export function renewalTerms(
  { subscription: { end_date }, agreed: { plan }, product }: RenewedSubscription,
  currency: string | null,
): string {
  return digestOf([product.title, currency, end_date, termLength({ plan, product }), plan]);
}
