import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const mostWebhooks = 50;

export const webhookErrors = {
  webhook_limit: [
    409,
    `A store has at most ${mostWebhooks} webhooks. Delete one that is no longer used.`,
  ],
  webhook_not_active: [409, 'This webhook is not active: nothing is sent to it.'],
} as const satisfies ErrorTable;
