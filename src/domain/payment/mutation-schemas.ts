import * as z from 'zod';
import { Id, Instant, changeFields } from '../../lib/schemas.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { queryId } from '../../kernel/schemas/parameters.ts';
import { mutationDirections, mutationStatuses } from '../../schema/bank-mutations.ts';

/** A line of a bank statement of the store. */
export const BankMutation = z
  .object({
    id: Id,
    source: z
      .string()
      .describe('The service that reads the account.')
      .meta({ examples: ['moota'] }),
    mutation_id: z
      .string()
      .describe('Id of the mutation at the source.')
      .meta({ examples: ['3ykVJxnwYkN'] }),
    account_number: z
      .string()
      .describe("The store's account.")
      .meta({ examples: ['1234567890'] }),
    amount: z
      .int()
      .nullable()
      .describe(
        "In the store's unit of `currency`, or in the source's unit if `currency` is not the store's. Null if it could not be read.",
      )
      .meta({ examples: [350_147] }),
    currency: z.string(),
    occurred_at: Instant.describe(
      'Time of the transfer. If the bank gives only the day: the time at which the source noted it on that day, or the end of the day. If the date could not be read: the time at which the mutation was received.',
    ),
    direction: z
      .enum(mutationDirections)
      .describe('`credit` = incoming money · `debit` = outgoing money.'),
    description: z
      .string()
      .describe('The description on the bank statement, including the message of the sender.')
      .meta({ examples: ['TRSF E-BANKING CR 1003/FTSCY'] }),
    unread: z
      .string()
      .nullable()
      .describe(
        "The source's text, if the store could not read it: compare it with the bank's statement. Null for every other mutation.",
      )
      .meta({ examples: [null] }),
    status: z
      .enum(mutationStatuses)
      .describe(
        '`matched` = it paid `order_id` · `open` = somebody has to decide on it · `ignored` = it pays no order.',
      ),
    order_id: Id.nullable(),
    ...changeFields,
  })
  .meta({ id: 'BankMutation' });
export type BankMutation = z.output<typeof BankMutation>;

export const MutationQuery = z.object({
  ...pageParameters,
  status: z.enum(mutationStatuses).optional(),
  order_id: queryId.optional(),
});
export type MutationQuery = z.output<typeof MutationQuery>;

export const MutationResolve = z
  .object({
    action: z
      .enum(['assign', 'ignore'])
      .describe('`assign` = it pays the order `order_id` · `ignore` = it pays none.'),
    order_id: Id.optional().describe('Required to assign it.'),
  })
  .meta({ id: 'MutationResolve', examples: [{ action: 'assign', order_id: 1024 }] });
