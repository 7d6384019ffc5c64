import * as z from 'zod';
import { pageParameters } from '../../kernel/lists/query.ts';
import { PathId, dateOrInstant, dateParameters } from '../../kernel/schemas/parameters.ts';
import { Id, Instant, changeFields, payable, requiredUpTo } from '../../lib/schemas.ts';
import {
  payoutIssues,
  payoutLineStatuses,
  payoutResults,
  payoutRunStatuses,
} from '../../schema/lists.ts';
import { PayeeAccount } from '../user/schemas.ts';
import { formNames } from './forms/index.ts';

/** The most lines in one reply. */
export const shownLines = 1000;

export const PayoutLine = z
  .object({
    id: Id.describe('Also the id of the payout that it becomes.'),
    run_id: Id,
    affiliate_id: Id,
    affiliate: z.object({ id: Id, display_name: z.string() }),
    status: z
      .enum(payoutLineStatuses)
      .describe(
        '`left-out`: it had an obstacle when the run was confirmed, so its commissions are free again. `confirmed`: the result of the transfer is not known yet.',
      ),
    amount: z
      .int()
      .describe('The sum of its commissions.')
      .meta({ examples: [126_000] }),
    commissions: z
      .int()
      .describe('Number of its commissions.')
      .meta({ examples: [1] }),
    carried_over: z
      .int()
      .describe('The part of the amount that corrects earlier payouts; usually negative.')
      .meta({ examples: [0] }),
    payable: z.boolean().describe('True if it has no obstacle.'),
    issues: z
      .array(z.enum(payoutIssues))
      .describe(
        'Obstacles: `no-account`, `blocked` and `erased` (the affiliate), `nothing-due` (the amount is 0 or less), `below-minimum`. Warnings: `account-changed` within 14 days, `account-as-text` (its parts are unknown), `open-risk`.',
      )
      .meta({ examples: [[]] }),
    account: PayeeAccount.nullable().describe(
      'The account by its parts: the present one in a draft; after the confirmation, the copy made then, until the line has a result.',
    ),
    account_text: z
      .string()
      .nullable()
      .meta({ examples: ['BCA 5501234700 a.n. Citra Wijaya'] }),
    reference: z
      .string()
      .nullable()
      .meta({ examples: ['TRX-2026-03-0042'] }),
    reason: z
      .string()
      .nullable()
      .describe('The reason why the money was returned.')
      .meta({ examples: [null] }),
    result_at: Instant.nullable().meta({ examples: [null] }),
  })
  .meta({ id: 'PayoutLine', description: "An affiliate's part of a payout run." });
export type PayoutLine = z.output<typeof PayoutLine>;

const Totals = z
  .object({
    lines: z.int(),
    payable: z
      .int()
      .describe('Number of lines without an obstacle; after the confirmation, of payouts.'),
    amount: z.int().describe('The sum of these lines.'),
    commissions: z.int().describe('Number of commissions in these lines.'),
    paid: z.int().describe('Number of lines whose result is `paid`.'),
    returned: z.int().describe('Number of lines whose result is `returned`.'),
    returned_amount: z.int().describe('The sum of the returned lines, which `amount` includes.'),
  })
  .meta({
    id: 'PayoutRunTotals',
    examples: [
      {
        lines: 2,
        payable: 1,
        amount: 126_000,
        commissions: 1,
        paid: 0,
        returned: 0,
        returned_amount: 0,
      },
    ],
  });

export const PayoutRun = z
  .object({
    id: Id,
    status: z.enum(payoutRunStatuses),
    currency: z.string(),
    until: z
      .string()
      .nullable()
      .describe(
        'Includes only commissions created up to then, with all adjustments of these and of commissions paid before; null = all.',
      ),
    minimum: z
      .int()
      .describe('Lines with a smaller amount are left out.')
      .meta({ examples: [50_000] }),
    left_over: z
      .int()
      .describe('Number of payable commissions beyond the 100,000 that fit into a run.')
      .meta({ examples: [0] }),
    totals: Totals,
    confirmed_at: Instant.nullable().meta({ examples: [null] }),
    discarded_at: Instant.nullable().meta({ examples: [null] }),
    ...changeFields,
  })
  .meta({ id: 'PayoutRun', description: 'Amounts are in the smallest unit of `currency`.' });
export type PayoutRun = z.output<typeof PayoutRun>;

export const PayoutRunWithLines = PayoutRun.extend({
  lines: z.array(PayoutLine).describe(`The first ${shownLines} lines.`),
}).meta({ id: 'PayoutRunWithLines' });
export type PayoutRunWithLines = z.output<typeof PayoutRunWithLines>;

const some = z.array(Id).max(1000);

export const PayoutRunCreate = z
  .strictObject({
    until: dateOrInstant
      .optional()
      .describe(
        "Take only commissions created up to the end of this day in the store's time zone, or up to this instant. Adjustments of these, and of commissions that were paid before, always count.",
      ),
    minimum: payable
      .optional()
      .describe('The smallest amount of a line that is paid; 0 by default.'),
    affiliates: some.min(1).optional().describe('Only these affiliates; by default all.'),
    exclude: some.optional().describe('Leaves out these affiliates.'),
  })
  .meta({ id: 'PayoutRunCreate', examples: [{ minimum: 50_000 }] });
export type PayoutRunCreate = z.output<typeof PayoutRunCreate>;

export const PayoutRunQuery = z.object({
  ...pageParameters,
  status: z.enum(payoutRunStatuses).optional(),
  ...dateParameters,
});
export type PayoutRunQuery = z.output<typeof PayoutRunQuery>;

export const PayoutLineQuery = z.object({
  ...pageParameters,
  status: z.enum(payoutLineStatuses).optional(),
});
export type PayoutLineQuery = z.output<typeof PayoutLineQuery>;

export const LineParams = z.object({ id: PathId, line: PathId });

export const LineResult = z
  .object({
    result: z
      .enum(payoutResults)
      .describe('`returned` makes the commissions payable again and cancels the payout.'),
    reference: requiredUpTo(500).optional().describe('Reference of the transfer.'),
    reason: requiredUpTo(500).optional().describe('The reason why the money was returned.'),
  })
  .meta({ id: 'PayoutLineResult', examples: [{ result: 'paid', reference: 'TRX-2026-03-0042' }] });
export type LineResult = z.output<typeof LineResult>;

export const LineResults = z
  .object({
    results: z
      .array(LineResult.extend({ id: Id.describe('Id of the line.') }))
      .min(1)
      .max(shownLines)
      .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'each line once'),
  })
  .meta({ id: 'PayoutLineResults', examples: [{ results: [{ id: 1, result: 'paid' }] }] });

export const FileQuery = z.object({
  form: z
    .enum(formNames)
    .default('general')
    .describe(
      '`general` has every payable line. Each other form has the columns of a bank, and the lines without a result whose account is known by its parts, with a number of digits.',
    ),
});
