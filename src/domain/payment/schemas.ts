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
    id: z.string(),
    title: z.string(),
    type: z.enum([...ownGateways, 'redirect']),
    active: z
      .boolean()
      .describe(
        'Whether it is offered: bank transfers need an account; a redirect gateway has to count the currency in the same unit as the store.',
      ),
    fee: z.object({ type: z.enum(['none', 'product']), value: z.int() }),
    options: z.array(Account),
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
  amount_due: z.int().describe('0 when nothing is due.'),
  unique_code: z.int(),
  expires_at: Instant.nullable(),
  accounts: z.array(Account),
  redirect_url: z.url().nullable(),
  steps: z.array(z.string()),
});

/** How an order is paid through its gateway. */
export const GatewaySession = z.object({
  order_id: Id,
  gateway: Gateway,
  session: z
    .object({
      id: z.string(),
      status: z.enum(['created', 'pending', 'paid', 'failed', 'expired']),
      url: z.url(),
      expires_at: Instant,
    })
    .nullable()
    .describe('The open payment at a provider; null for gateways that have none.'),
  reused: z.boolean(),
});
