import type { ErrorTable } from '../../kernel/errors/errors.ts';

/** What webhooks refuse with. */
export const webhookErrors = {
  webhook_not_active: [409, 'This webhook is not active: nothing is sent to it.'],
} as const satisfies ErrorTable;
