import type * as z from 'zod';
import { formatMoney } from '../../lib/money.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import { isPaidOnDelivery } from '../order/gateways.ts';
import { isUnpaid } from '../order/transitions.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import type { Gateway as ProviderGateway } from '../../providers/payments/gateway.ts';
import type { SessionRow } from '../../schema/payments.ts';
import { limitsOf } from './amounts.ts';
import type { Gateway, PaymentInstructions } from './schemas.ts';

const accountsOf = ({ manual_accounts }: SettingsRow) =>
  manual_accounts.map((account) => ({ ...account, info: account.info ?? '' }));

const noLimits = { min: null, max: null };

export const offeredGateways = (
  settings: SettingsRow,
  redirects: readonly ProviderGateway[],
): Gateway[] => [
  {
    id: 'manual',
    title: 'Bank transfer',
    type: 'manual',
    active: settings.manual_accounts.length > 0,
    fee: { type: 'none', value: 0 },
    limits: noLimits,
    options: accountsOf(settings),
  },
  {
    id: 'cod',
    title: 'Cash on delivery',
    type: 'cod',
    active: true,
    // Each product sets its own fee and switches this gateway on or off.
    fee: { type: 'product', value: 0 },
    limits: noLimits,
    options: [],
  },
  {
    id: 'free',
    title: 'Nothing to pay',
    type: 'free',
    active: true,
    fee: { type: 'none', value: 0 },
    limits: noLimits,
    options: [],
  },
  ...redirects.map((gateway) => ({
    id: gateway.id,
    title: gateway.title,
    type: 'redirect' as const,
    active: gateway.unitOf(settings.currency ?? '') !== undefined,
    fee: { type: 'none' as const, value: 0 },
    limits: limitsOf(gateway, settings),
    options: [],
  })),
];

/**
 * Returns true if a payment provider accepts the store's currency. Without one, orders that no gateway accepts wait for a
 * manual payment.
 */
export const hasProvider = (
  settings: SettingsRow,
  redirects: readonly ProviderGateway[],
): boolean =>
  offeredGateways(settings, redirects).some(({ type, active }) => type === 'redirect' && active);

/** `manual:BCA` is `manual` with only that account. */
export function gatewayOf(
  order: OrderColumns,
  settings: SettingsRow,
  redirects: readonly ProviderGateway[],
): Gateway | undefined {
  const [id, account] = order.payment_gateway.split(':');
  const gateway = offeredGateways(settings, redirects).find((candidate) => candidate.id === id);
  if (!gateway || account === undefined) return gateway;
  return { ...gateway, options: gateway.options.filter((option) => option.id === account) };
}

export const amountDue = ({ status, paid_at, payment_gateway, grand_total }: OrderColumns) =>
  isUnpaid(status) ||
  (isPaidOnDelivery(payment_gateway) && paid_at === null && status !== 'cancelled')
    ? grand_total
    : 0;

export function paymentInstructions(
  order: OrderColumns,
  settings: SettingsRow,
  redirects: readonly ProviderGateway[],
  page: string | null,
): z.output<typeof PaymentInstructions> {
  const { id, number, status, payment_gateway, currency, unique_code, expires_at } = order;
  const amount_due = amountDue(order);
  const gateway = gatewayOf(order, settings, redirects);
  return {
    order_id: id,
    number,
    status,
    payment_gateway,
    currency,
    amount_due,
    unique_code,
    expires_at,
    accounts: amount_due > 0 ? (gateway?.options ?? []) : [],
    redirect_url: amount_due > 0 ? page : null,
    steps: amount_due > 0 ? stepsOf(gateway?.type, order, settings) : [],
  };
}

function stepsOf(
  type: Gateway['type'] | undefined,
  order: OrderColumns,
  settings: SettingsRow,
): string[] {
  const amount = formatMoney(order.grand_total, order.currency, settings.currency_exponent);
  switch (type) {
    case 'redirect':
      return [`Pay ${amount} on the page of the provider.`];
    case 'cod':
      return [`Pay ${amount} in cash when the parcel arrives.`];
    case 'manual':
    case 'free':
      return [
        `Transfer exactly ${amount} to one of the accounts.`,
        `Give ${order.number} as the reference.`,
        'Confirm the payment once it is sent.',
      ];
    // The provider of the order was switched off.
    case undefined:
      return [];
  }
}

/** For the person who opens the payment. */
export const toSession = ({ id, provider_id, status, url, expires_at }: SessionRow) => ({
  id: provider_id ?? String(id),
  status: status === 'opening' ? ('created' as const) : status,
  url: url ?? '',
  expires_at,
});
