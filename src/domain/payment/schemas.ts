import * as z from 'zod';
import { Id, Instant } from '../../lib/schemas.ts';
import { ownGateways } from '../order/gateways.ts';
import { orderStatuses } from '../../schema/lists.ts';

/** A bank account that buyers transfer to. */
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

/** A way to pay. */
export const Gateway = z
  .object({
    id: z.string().meta({ examples: ['manual'] }),
    title: z.string().meta({ examples: ['Bank transfer'] }),
    type: z.enum([...ownGateways, 'redirect']),
    active: z
      .boolean()
      .describe(
        'Whether it is offered. Bank transfer requires an account in the settings; a redirect gateway must count the currency in the same smallest unit as the store.',
      )
      .meta({ examples: [true] }),
    fee: z.object({
      type: z.enum(['none', 'product']).describe('`product` = each product sets its own fee.'),
      value: z.int(),
    }),
    options: z.array(Account).describe('The accounts to choose from, for bank transfers.'),
  })
  .meta({ id: 'Gateway' });
export type Gateway = z.output<typeof Gateway>;

/** What a buyer has to do to pay an order. */
export const PaymentInstructions = z.object({
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
});

/** How an order is paid through its gateway. */
export const GatewaySession = z.object({
  order_id: Id,
  gateway: Gateway,
  session: z
    .object({
      id: z.string().meta({ examples: ['pay_8f1c2d7a'] }),
      status: z.enum(['created', 'pending', 'paid', 'failed', 'expired']),
      url: z.url().meta({ examples: ['https://pay.example/8f1c2d7a'] }),
      expires_at: Instant,
    })
    .nullable()
    .describe('The payment session open with the provider; null for gateways without a provider.'),
  reused: z.boolean().describe('Whether the session was open already.'),
});
