import type { SettingsRow } from '../../schema/platform.ts';
import type { ProductRow } from '../product/rules.ts';
import type { Person } from '../user/rules.ts';
import type { Gateway } from '../../providers/payments/gateway.ts';
import { isTransferred } from '../order/gateways.ts';
import { refusedAmount } from './amounts.ts';
import { type Draw, type OtherFigures, uniqueCode } from '../pricing/unique-code.ts';

export interface PaymentState {
  readonly settings: SettingsRow;
  /** The active gateways of providers. */
  readonly redirects: readonly Gateway[];
  readonly figures: OtherFigures;
  readonly draw: Draw;
}

/**
 * Returns the reason why the order can't be paid by a gateway.
 * @param order its price, buyer and, if chosen, way of shipping
 */
export function refusedGateway(
  gateway: string,
  product: ProductRow['product'],
  { amount, option_id, buyer }: PaidOrder,
  { settings, redirects }: Pick<PaymentState, 'settings' | 'redirects'>,
): string | undefined {
  const [id = '', account] = gateway.split(':');
  switch (id) {
    case 'free':
      return 'is for orders that cost nothing';
    case 'cod':
      if (account !== undefined || product.type !== 'physical' || !product.cod.active) {
        return 'cannot be used for this product';
      }
      return !option_id || product.shipping.options.some(({ id, cod }) => id === option_id && cod)
        ? undefined
        : 'cannot be used with this way to ship';
    case 'manual':
      return account === undefined || settings.manual_accounts.some((a) => a.id === account)
        ? undefined
        : 'names an account the store does not have';
    default: {
      const redirect = account === undefined && redirects.find((one) => one.id === id);
      if (!redirect) return 'is not a gateway of this store';
      return refusedAmount(redirect, { ...settings, amount }) ?? missingOf(buyer, redirect);
    }
  }
}

export interface PaidOrder {
  readonly amount: number;
  readonly option_id: string | undefined;
  /** Undefined if still unknown. */
  readonly buyer: Pick<Person, 'email' | 'phone'> | undefined;
}

/** The first detail of the buyer that the provider needs and that is missing. */
function missingOf(buyer: PaidOrder['buyer'], { needs }: Gateway): string | undefined {
  const missing = buyer && needs.find((field) => !buyer[field]);
  return missing && `needs the ${missing} of the buyer`;
}

/** The unique code of the transfer, 0 without one. */
export const transferCode = (
  { settings, figures, draw }: Pick<PaymentState, 'settings' | 'figures' | 'draw'>,
  gateway: string,
  total: number,
): number =>
  isTransferred(gateway) && settings.unique_code_enabled
    ? uniqueCode(total, figures, settings, draw)
    : 0;
