import * as z from 'zod';
import { open } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { html } from '../../kernel/schemas/replies.ts';
import { withoutUndefined } from '../../lib/objects.ts';
import { textUpTo } from '../../lib/schemas.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { senderNamed } from '../../providers/messages/index.ts';
import { SenderParams } from './callback.ts';

export const answerMessageChallenge = endpoint({
  id: 'messages.challenge',
  route: ['GET /messages/:sender/callback'],
  summary: "Answer a sender's challenge",
  description:
    "Called by a sender (WhatsApp) when the address for its receipts is set up, to verify that it is the store's.",
  access: open('the sender proves its identity by the token that both know'),
  effect: 'read',
  params: SenderParams,
  query: z.object({
    'hub.mode': textUpTo(64)
      .optional()
      .meta({ examples: ['subscribe'] }),
    'hub.verify_token': textUpTo(255).optional().describe('The value of `WHATSAPP_VERIFY_TOKEN`.'),
    'hub.challenge': textUpTo(64)
      .optional()
      .describe('Digits to answer with.')
      .meta({ examples: ['1158201444'] }),
  }),
  reply: [200, html],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, config }) => {
  const answer = senderNamed(config, params.sender)?.challenge?.(withoutUndefined(query));
  return answer ?? refuse('rest_not_found');
});
