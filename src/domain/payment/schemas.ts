import * as z from 'zod';
import { Id, Instant, changeFields } from '../../lib/schemas.ts';
import { record } from '../../kernel/schemas/replies.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { queryId } from '../../kernel/schemas/parameters.ts';
import { ownGateways } from '../order/gateways.ts';
import { orderStatuses } from '../../schema/lists.ts';
import {
  disputeStates,
  paymentSessionStatuses,
  unexpectedReasons,
  unexpectedStatuses,
} from '../../schema/payments.ts';

const Account = z
  .object({
    id: z.string(),
    bank: z.string(),
    owner: z.string(),
    account_number: z.string(),
    info: z.string(),
  })
  .meta({
    id: 'BankAccount',
    examples: [
      {
        id: 'BCA',
        bank: 'Bank Central',
        owner: 'Demo Store',
        account_number: '1234567890',
        info: 'Branch Bandung',
      },
    ],
  });

export const Gateway = z
  .object({
    id: z.string().meta({ examples: ['manual'] }),
    title: z.string().meta({ examples: ['Bank transfer'] }),
    type: z.enum([...ownGateways, 'redirect']),
    active: z
      .boolean()
      .describe(
        "True if it is offered. Bank transfer requires an account in the settings; a payment provider has to support the store's currency.",
      )
      .meta({ examples: [true] }),
    fee: z.object({
      type: z.enum(['none', 'product']).describe('`product` = each product sets its own fee.'),
      value: z.int(),
    }),
    limits: z
      .object({ min: z.int().nullable(), max: z.int().nullable() })
      .describe(
        "Lowest and highest total of an order, in the smallest unit of the store's currency; null = no limit.",
      ),
    options: z.array(Account).describe('The accounts to choose from, for bank transfers.'),
  })
  .meta({ id: 'Gateway' });
export type Gateway = z.output<typeof Gateway>;

export const PaymentInstructions = z
  .object({
    order_id: Id,
    number: z.string(),
    status: z.enum(orderStatuses),
    payment_gateway: z.string(),
    currency: z.string(),
    amount_due: z
      .int()
      .describe('In the smallest unit of `currency`; 0 when nothing is due.')
      .meta({ examples: [630_147] }),
    unique_code: z.int(),
    expires_at: Instant.nullable(),
    accounts: z.array(Account),
    redirect_url: z.url().nullable(),
    steps: z.array(z.string()).meta({
      examples: [
        ['Transfer 630147 IDR to one of the accounts.', 'Confirm it here with the receipt.'],
      ],
    }),
  })
  .meta({ id: 'PaymentInstructions' });

const shownStatuses = paymentSessionStatuses.filter((status) => status !== 'opening');

export const GatewaySessionReply = record(
  z
    .object({
      order_id: Id,
      gateway: Gateway,
      session: z
        .object({
          id: z.string().meta({ examples: ['pay_8f1c2d7a'] }),
          status: z.enum(shownStatuses),
          url: z.url().meta({ examples: ['https://pay.example/8f1c2d7a'] }),
          expires_at: Instant,
        })
        .meta({ id: 'PaymentSession' })
        .nullable()
        .describe(
          'The payment session open with the provider; null for gateways without a provider.',
        ),
      reused: z.boolean().describe('True if the session was open already.'),
    })
    .meta({ id: 'GatewaySession' }),
);

export const ProviderPayment = z
  .object({
    id: Id,
    order_id: Id,
    gateway: z.string().meta({ examples: ['stripe'] }),
    reference: z
      .string()
      .describe("The provider's name for the payment.")
      .meta({ examples: ['1024-5f0c2b9e8d714a6f9b3c1e2d4a5b6c7d'] }),
    amount: z
      .int()
      .describe('The requested amount, in the smallest unit of `currency`.')
      .meta({ examples: [350_000] }),
    currency: z.string(),
    status: z.enum(paymentSessionStatuses),
    dispute: z
      .enum(disputeStates)
      .describe(
        '`open` = the buyer had their bank ask for the money · `won` = the store keeps it · `lost` = the bank took it back, and it counts as refunded.',
      ),
    updated_at: Instant,
  })
  .meta({ id: 'ProviderPayment' });

/** Money that pays no order. */
export const UnexpectedPayment = z
  .object({
    id: Id,
    order_id: Id.describe('The order that the payment was opened for.'),
    gateway: z.string().meta({ examples: ['stripe'] }),
    amount: z
      .int()
      .describe(
        "The amount that came, in the smallest unit of `currency`: the store's unit, or the provider's if the currency is not the store's.",
      )
      .meta({ examples: [350_000] }),
    currency: z.string(),
    reason: z
      .enum(unexpectedReasons)
      .describe(
        '`amount`, `currency` = not the amount or currency of the order, which waits in `payment-confirm` · `order_paid`, `order_cancelled`, `order_refunded`, `order_deleted` = the order no longer waited for it · `order_refused` = the order could not be marked paid · `reversed` = the provider took back a payment that it had reported as made.',
      ),
    status: z
      .enum(unexpectedStatuses)
      .describe('`open` = nobody has decided yet · `accepted` · `refunded`.'),
    resolved_at: Instant.nullable(),
    ...changeFields,
  })
  .meta({ id: 'UnexpectedPayment' });
export type UnexpectedPayment = z.output<typeof UnexpectedPayment>;

/** Its order may be deleted. */
export const ListedUnexpectedPayment = UnexpectedPayment.extend({
  refunded_total: z
    .int()
    .describe(
      'How much of `amount` was refunded, here or at the payment provider, pending refunds included.',
    ),
  order: z
    .object({
      id: Id,
      number: z.string().meta({ examples: ['INV-001024'] }),
      deleted_at: Instant.nullable().describe('When the order was deleted.'),
    })
    .meta({ id: 'UnexpectedPaymentOrder' }),
}).meta({ id: 'ListedUnexpectedPayment' });

export const UnexpectedQuery = z.object({
  ...pageParameters,
  order_id: queryId.optional(),
  status: z.enum(unexpectedStatuses).optional(),
});
export type UnexpectedQuery = z.output<typeof UnexpectedQuery>;

export const UnexpectedResolve = z
  .strictObject({
    action: z
      .enum(['refund', 'paid_by_hand', 'accept'])
      .describe(
        '`refund` = give the money back through the provider · `paid_by_hand` = you have given it back yourself · `accept` = keep it: an order that waits for its payment is marked paid, any other stays as it is.',
      ),
  })
  .meta({ id: 'UnexpectedResolve', examples: [{ action: 'refund' }] });
export type UnexpectedResolve = z.output<typeof UnexpectedResolve>;
