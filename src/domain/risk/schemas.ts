import * as z from 'zod';
import { actorTypes } from '../../kernel/auth/actor.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { queryId } from '../../kernel/schemas/parameters.ts';
import { Id, Instant, changeFields, noteText } from '../../lib/schemas.ts';
import { riskKinds, riskStatuses } from '../../schema/lists.ts';

export const FoundRisk = z
  .object({
    id: Id,
    kind: z
      .enum(riskKinds)
      .describe(
        "`self-email`, `self-phone`, `same-bank`: the buyer has the affiliate's mailbox, phone or bank account · `shared-bank`: another affiliate has the same bank account · `other-account`: another affiliate has the same mailbox or phone · `velocity`: the buyer orders unusually often through the affiliate.",
      )
      .meta({ examples: ['same-bank'] }),
    status: z
      .enum(riskStatuses)
      .describe('`void`: its order was refunded, cancelled or given to another affiliate.')
      .meta({ examples: ['open'] }),
    affiliate_id: Id.meta({ examples: [3] }),
    other_id: Id.describe('The buyer, or the other affiliate.').meta({ examples: [4] }),
    order_id: Id.nullable().describe(
      'The order that it was found with. There is at most one `shared-bank` and one `other-account` risk for each pair of affiliates. While one is open, the commissions of new orders are held as well.',
    ),
    tier: z
      .int()
      .describe(
        'The tier at which the affiliate earns from that order. A risk at tier 1 holds all commissions of the order, any other only those of its own tier.',
      )
      .meta({ examples: [1] }),
    trusted: z
      .boolean()
      .describe('True if it was cleared for later orders, too.')
      .meta({ examples: [false] }),
    note: z.string().nullable(),
    decided_at: Instant.nullable().meta({ examples: [null] }),
    decided_by_type: z
      .enum(actorTypes)
      .nullable()
      .meta({ examples: [null] }),
    decided_by: Id.nullable().meta({ examples: [null] }),
    ...changeFields,
  })
  .meta({ id: 'FoundRisk' });

const Suspected = z
  .object({
    id: Id.meta({ examples: [3] }),
    display_name: z.string(),
    email: z.string(),
    phone: z.string(),
    bank_info: z.string(),
  })
  .meta({
    id: 'SuspectedPerson',
    examples: [
      {
        id: 3,
        display_name: 'Sari Dewi',
        email: 'sari@mail.example',
        phone: '+62 812 5550 101',
        bank_info: 'BCA 1234567890',
      },
    ],
  });

export const Risk = FoundRisk.extend({
  evidence: z
    .object({
      affiliate: Suspected,
      other: Suspected,
      orders: z
        .array(Id)
        .describe('The latest orders that it is about, at most 20.')
        .meta({ examples: [[7]] }),
      commission: z
        .int()
        .describe(
          'Sum of the commissions of the risk, before refunds, in the smallest unit of the currency.',
        )
        .meta({ examples: [126_000] }),
    })
    .nullable()
    .describe('The two people as they are now; null once either of them was erased.')
    .meta({ id: 'RiskEvidence' }),
}).meta({ id: 'Risk' });
export type Risk = z.output<typeof Risk>;

export const RiskQuery = z.object({
  ...pageParameters,
  status: z.enum(riskStatuses).optional(),
  kind: z.enum(riskKinds).optional(),
  affiliate_id: queryId.optional().describe('Either of the two affiliates of a risk.'),
});
export type RiskQuery = z.output<typeof RiskQuery>;

export const RiskDecision = z
  .object({
    decision: z
      .enum(['clear', 'confirm'])
      .describe(
        '`clear` releases the commissions · `confirm` cancels them; what was paid already is deducted from the next payout, and the order no longer counts for the affiliate. Either can be changed into the other.',
      ),
    trust: z
      .boolean()
      .optional()
      .describe(
        'With `clear`: no more risks are found with these two people by mailbox, phone or bank account; for `velocity` and `shared-bank`, no more with this affiliate.',
      ),
    note: noteText.nullable().optional(),
  })
  .refine(({ decision, trust }) => decision === 'clear' || trust !== true, {
    path: ['trust'],
    message: 'is for clear only',
  })
  .meta({ id: 'RiskDecision', examples: [{ decision: 'clear', trust: true, note: 'Sisters.' }] });
export type RiskDecision = z.output<typeof RiskDecision>;
