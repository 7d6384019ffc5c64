import type * as z from 'zod';
import { formatMoney } from '../../lib/money.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import { isPaidOnDelivery } from '../order/gateways.ts';
import { isUnpaid, statusWhenPaid } from '../order/transitions.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import type { Config } from '../../config.ts';
import type { OrderRow } from '../order/rules.ts';
import { takesAmountsOf } from './gateways/index.ts';
import type { NewPayment, ProviderEvent, RedirectGateway } from './gateways/gateway.ts';
import type { SessionRow } from '../../schema/payments.ts';
import type { Gateway, PaymentInstructions } from './schemas.ts';

const accountsOf = ({ manual_accounts }: SettingsRow) =>
  manual_accounts.map((account) => ({ ...account, info: account.info ?? '' }));

/** The ways to pay at this store. */
export const gatewaysOf = (
  settings: SettingsRow,
  redirects: readonly RedirectGateway[],
): Gateway[] => [
  {
    id: 'manual',
    title: 'Bank transfer',
    type: 'manual',
    active: settings.manual_accounts.length > 0,
    fee: { type: 'none', value: 0 },
    options: accountsOf(settings),
  },
  {
    id: 'cod',
    title: 'Cash on delivery',
    type: 'cod',
    active: true,
    // What it costs, and whether it is offered, stands with each product.
    fee: { type: 'product', value: 0 },
    options: [],
  },
  {
    id: 'free',
    title: 'Nothing to pay',
    type: 'free',
    active: true,
    fee: { type: 'none', value: 0 },
    options: [],
  },
  ...redirects.map((gateway) => ({
    id: gateway.id,
    title: gateway.title,
    type: 'redirect' as const,
    active: takesAmountsOf(gateway, settings),
    fee: { type: 'none' as const, value: 0 },
    options: [],
  })),
];

/** The gateway of an order; `manual:BCA` is `manual` with that account alone. */
export function gatewayOf(
  order: OrderColumns,
  settings: SettingsRow,
  redirects: readonly RedirectGateway[],
): Gateway | undefined {
  const [id, account] = order.payment_gateway.split(':');
  const gateway = gatewaysOf(settings, redirects).find((candidate) => candidate.id === id);
  if (!gateway || account === undefined) return gateway;
  return { ...gateway, options: gateway.options.filter((option) => option.id === account) };
}

/** What is left to pay on an order at this moment. */
export const amountDue = ({ status, paid_at, payment_gateway, grand_total }: OrderColumns) =>
  isUnpaid(status) ||
  (isPaidOnDelivery(payment_gateway) && paid_at === null && status !== 'cancelled')
    ? grand_total
    : 0;

/** What the buyer has to do, step by step. */
export function paymentInstructions(
  order: OrderColumns,
  settings: SettingsRow,
  redirects: readonly RedirectGateway[],
  session: SessionRow | undefined,
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
    redirect_url: amount_due > 0 ? (session?.url ?? null) : null,
    steps: amount_due > 0 ? stepsOf(gateway?.type, order, settings) : [],
  };
}

function stepsOf(
  type: Gateway['type'] | undefined,
  order: OrderColumns,
  settings: SettingsRow,
): string[] {
  const amount = formatMoney(order.grand_total, settings.currency, settings.currency_exponent);
  switch (type) {
    case 'redirect':
      return [`Pay ${amount} on the page of the provider.`];
    case 'cod':
      return [`Pay ${amount} in cash when the parcel arrives.`];
    case 'manual':
    case 'free':
    case undefined:
      return [
        `Transfer exactly ${amount} to one of the accounts.`,
        `Give ${order.number} as the reference.`,
        'Confirm the payment once it is sent.',
      ];
  }
}

/** The payment that is open at the provider for what the order costs now. */
export const openSession = (
  sessions: readonly SessionRow[],
  { payment_gateway, grand_total }: OrderColumns,
  now: Date,
): SessionRow | undefined =>
  sessions.find(
    ({ status, gateway, amount, expires_at }) =>
      (status === 'created' || status === 'pending') &&
      gateway === payment_gateway &&
      amount === grand_total &&
      expires_at > now.toISOString(),
  );

export const toSession = ({ session_id, status, url, expires_at }: SessionRow) => ({
  id: session_id,
  status,
  url,
  expires_at,
});

/** A payment to be opened; a repeat of the request stands for the same one. */
export const newPayment = (
  { id, currency, grand_total }: OrderColumns,
  title: string,
  earlier: number,
  { site_url }: SettingsRow,
  { BASE_URL }: Config,
): NewPayment => ({
  order_id: id,
  title,
  amount: grand_total,
  currency,
  idempotencyKey: `order-${id}-${grand_total}-${earlier}`,
  returnUrl: site_url || BASE_URL,
});

/** Where a payment takes its order; one of another amount waits for somebody to look at it. */
export function paidStatus({ amount, currency }: ProviderEvent, { order, product }: OrderRow) {
  if (amount !== order.grand_total || currency !== order.currency) return 'payment-confirm';
  return statusWhenPaid(product.type);
}
