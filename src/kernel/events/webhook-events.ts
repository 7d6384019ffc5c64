import * as z from 'zod';
import { Id, Instant } from '../../lib/schemas.ts';
import { pauseReasons } from './lists.ts';
import { defineEvents } from './define.ts';

/** The events of the deliveries themselves. */
export const webhookEvent = defineEvents('webhooks:read', {
  ping: {
    summary: 'A test of this webhook, asked for by its owner.',
    payload: z.object({ id: Id.describe('The webhook.'), name: z.string(), url: z.string() }),
  },
  'webhook.paused': {
    summary: 'A webhook is paused: its events wait until it is active again.',
    payload: z.object({
      id: Id.describe('The webhook that was paused.'),
      name: z.string(),
      url: z.string(),
      status: z.literal('paused'),
      paused_reason: z
        .enum(pauseReasons)
        .describe('`gone`: it answered 410; `failing`: five days without a success; `manual`.'),
      last_success_at: Instant.nullable(),
    }),
  },
});
