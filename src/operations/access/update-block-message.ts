import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { isSame } from '../../lib/objects.ts';
import { toBlockMessage, withMessages } from '../../domain/access/blocks.ts';
import { BlockMessage, BlockMessageUpdate } from '../../domain/access/content-schemas.ts';
import { findContent, saveContent } from '../../queries/access.ts';

export const updateBlockMessage = endpoint({
  id: 'access.updateBlockMessage',
  route: ['POST /access/content/:id/block-message'],
  summary: 'Set the block messages of protected content',
  description: 'Changes only the fields you send. Unsafe HTML is removed.',
  access: apiKey('access:write'),
  effect: 'write',
  params: IdParams,
  body: BlockMessageUpdate,
  reply: [200, record(BlockMessage)],
  errors: ['rest_not_found'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: { found: findContent(params.id) },
    decide: ({ found }) => {
      const before = current(found, ifMatch);
      if (isRefusal(before)) return before;
      const after = withMessages(before, body, now);
      const shown = toBlockMessage(before);
      // A service text that is sent back unchanged stays the service's own.
      if (isSame(shown, toBlockMessage({ ...after, version: before.version }))) {
        return { write: [], reply: one(shown) };
      }
      return {
        write: [saveContent(before, after)],
        before: shown,
        reply: one(toBlockMessage(after)),
      };
    },
  }),
);
