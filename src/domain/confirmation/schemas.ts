import * as z from 'zod';
import { record } from '../../kernel/schemas/replies.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { dateParameters, queryId } from '../../kernel/schemas/parameters.ts';
import * as schemas from '../../lib/schemas.ts';
import { mutationStatuses } from '../../schema/bank-mutations.ts';
import { confirmationStatuses, orderStatuses } from '../../schema/lists.ts';
import { OrderProduct, OrderUser } from '../order/schemas.ts';

export const Confirmation = z
  .object({
    id: schemas.Id,
    order_id: schemas.Id,
    product_id: schemas.Id,
    user_id: schemas.Id,
    status: z
      .enum(confirmationStatuses)
      .describe('`superseded` = replaced by a newer one, or its order was settled in another way.'),
    detail: z
      .object({
        sender: z.string().meta({ examples: ['Dewi Kartika'] }),
        account_number: z.string().meta({ examples: ['5501234700'] }),
        total: z
          .int()
          .nullable()
          .describe(
            "The amount the buyer says was sent, in the smallest unit of the order's currency.",
          )
          .meta({ examples: [630_147] }),
        bank_sender: z.string().meta({ examples: ['BNI'] }),
        bank_recipient: z.string().meta({ examples: ['BCA'] }),
        proof: z
          .string()
          .describe('URL of a picture of the receipt.')
          .meta({ examples: ['https://demo.example/proofs/8f1c2d7a.jpg'] }),
        note: z.string().meta({ examples: [''] }),
      })
      .meta({ id: 'ConfirmationDetail' }),
    transferred_at: schemas.Instant.nullable().meta({ examples: ['2026-03-10T09:30:00.000Z'] }),
    amount_expected: z
      .int()
      .describe("The order's total. It follows the order while the confirmation is pending.")
      .meta({ examples: [630_147] }),
    amount_matches: z
      .boolean()
      .describe('True if `detail.total` equals `amount_expected`.')
      .meta({ examples: [true] }),
    duplicate_of: schemas.Id.nullable().describe(
      'An earlier confirmation with the same proof; null if there is none.',
    ),
    reviewed_by: schemas.Id.nullable().describe(
      'The user who reviewed it; null if an API key did.',
    ),
    reviewed_at: schemas.Instant.nullable(),
    reject_reason: z.string().nullable(),
    ...schemas.changeFields,
  })
  .meta({ id: 'Confirmation' });
export type Confirmation = z.output<typeof Confirmation>;

export const similarities = ['proof', 'transfer'] as const;

export const ConfirmationWithOrder = Confirmation.extend({
  order: z
    .object({
      id: schemas.Id,
      number: z.string(),
      status: z.enum(orderStatuses),
      currency: z.string(),
      grand_total: z.int(),
      payment_gateway: z.string(),
      created_at: schemas.Instant,
      product: OrderProduct,
      user: OrderUser,
    })
    .meta({ id: 'ConfirmationOrder' })
    .nullable()
    .describe('Null unless the key has `orders:read`.'),
  similar: z
    .array(
      z
        .object({
          id: schemas.Id,
          order_id: schemas.Id,
          order_number: z
            .string()
            .nullable()
            .describe('Null unless the key has `orders:read`.')
            .meta({ examples: ['INV-000041'] }),
          status: z.enum(confirmationStatuses),
          same: z
            .array(z.enum(similarities))
            .describe(
              '`proof` = the same address of the proof · `transfer` = the same sender and amount.',
            )
            .meta({ examples: [['proof']] }),
        })
        .meta({ id: 'SimilarConfirmation' }),
    )
    .describe(
      'Confirmations of other orders with the same proof or transfer, newest first, 10 at most.',
    )
    .meta({ examples: [[]] }),
  mutations: z
    .array(
      z
        .object({
          id: schemas.Id,
          status: z.enum(mutationStatuses),
          account_number: z.string().meta({ examples: ['1234567890'] }),
          amount: z.int().meta({ examples: [630_147] }),
          occurred_at: schemas.Instant.meta({ examples: ['2026-03-10T09:35:00.000Z'] }),
        })
        .meta({ id: 'ConfirmationMutation' }),
    )
    .nullable()
    .describe(
      "Entries of the store's accounts: those that paid the order and, while the confirmation is pending, open ones of the amount that is expected or stated; 5 of each at most. Null unless the key has `payments:read`.",
    ),
}).meta({ id: 'ConfirmationWithOrder' });
export type ConfirmationWithOrder = z.output<typeof ConfirmationWithOrder>;

const detail = {
  sender: schemas.shortText,
  account_number: schemas.textUpTo(64),
  total: schemas.unsigned
    .nullable()
    .describe("The amount sent, in the smallest unit of the order's currency."),
  bank_sender: schemas.shortText,
  bank_recipient: schemas.shortText,
  proof: schemas
    .webLinkUpTo(2000)
    .describe('URL of a picture of the receipt: an http(s) URL, a path, or empty.'),
  note: schemas.textUpTo(2000),
};

const said = {
  sender: 'Dewi Kartika',
  bank_sender: 'BNI',
  bank_recipient: 'BCA',
  total: 630_147,
  transferred_at: '2026-03-10T09:30:00.000Z',
};

/** The fields of `detail` are accepted at the top level too. */
export const ConfirmationInput = z
  .object({
    ...detail,
    detail: z.object(detail).partial().meta({ id: 'ConfirmationDetailInput' }),
    transferred_at: schemas.InstantInput.nullable(),
  })
  .partial()
  .meta({ id: 'ConfirmationInput', examples: [said] });
export type ConfirmationInput = z.output<typeof ConfirmationInput>;

export const ConfirmationCreate = ConfirmationInput.extend({ order_id: schemas.Id }).meta({
  id: 'ConfirmationCreate',
  examples: [{ order_id: 1, ...said }],
});

export const ConfirmationReview = z
  .object({
    status: z.enum(['approved', 'rejected']),
    reject_reason: schemas.shortText.optional(),
  })
  .meta({ id: 'ConfirmationReview', examples: [{ status: 'approved' }] });
export type ConfirmationReview = z.output<typeof ConfirmationReview>;

export const ConfirmationQuery = z.object({
  ...pageParameters,
  order_id: queryId.optional(),
  user_id: queryId.optional().describe('Only confirmations of this buyer.'),
  status: z.enum(confirmationStatuses).optional(),
  ...dateParameters,
});
export type ConfirmationQuery = z.output<typeof ConfirmationQuery>;

export const ConfirmationReply = record(Confirmation);
