import * as z from 'zod';
import { Id, Instant } from '../../lib/schemas.ts';
import { pauseReasons } from './lists.ts';
import { defineEvents } from './define.ts';

/** The events about deliveries themselves. */
export const webhookEvent = defineEvents('webhooks:read', {
  ping: {
    summary: 'A test event, sent on request.',
    payload: z.object({
      id: Id.describe('The webhook.'),
      name: z.string().meta({ examples: ['Bookkeeping'] }),
      url: z.string(),
    }),
  },
  'webhook.paused': {
    summary: 'A webhook was paused: its events wait until it is active again.',
    payload: z.object({
      id: Id.describe('The webhook that was paused.'),
      name: z.string().meta({ examples: ['Bookkeeping'] }),
      url: z.string(),
      status: z.literal('paused'),
      paused_reason: z
        .enum(pauseReasons)
        .describe(
          '`gone` = it answered 410; `failing` = five days without a success; `manual` = a caller paused it.',
        ),
      last_success_at: Instant.nullable(),
    }),
  },
});
