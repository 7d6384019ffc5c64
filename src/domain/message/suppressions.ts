import * as z from 'zod';
import { pageParameters } from '../../kernel/lists/query.ts';
import { Id, Instant, trimmedUpTo } from '../../lib/schemas.ts';
import { messageMedia, suppressionReasons } from '../../schema/lists.ts';

export const Suppression = z
  .object({
    id: Id,
    medium: z.enum(messageMedia),
    address: z.string().meta({ examples: ['dewi.kartika@demo.example'] }),
    reason: z
      .enum(suppressionReasons)
      .describe(
        '`bounced` = a message could never be delivered there · `complained` = its owner reported one as spam · `unsubscribed` = its owner gets only transactional messages.',
      ),
    message_id: Id.nullable().describe('The message that led to it.'),
    created_at: Instant,
  })
  .meta({ id: 'MessageSuppression' });

export const SuppressionQuery = z.object({
  ...pageParameters,
  medium: z.enum(messageMedia).optional(),
  address: trimmedUpTo(254).toLowerCase().optional(),
  reason: z.enum(suppressionReasons).optional(),
});
export type SuppressionQuery = z.output<typeof SuppressionQuery>;
