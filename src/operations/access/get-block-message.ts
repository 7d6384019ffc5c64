import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse, unknownReference } from '../../kernel/errors/errors.ts';
import { toBlockMessage } from '../../domain/access/blocks.ts';
import { answerContent, loadContentCheck } from '../../actions/access/content-check.ts';
import { BlockMessage, BlockMessageQuery } from '../../domain/access/content-schemas.ts';

export const getBlockMessage = endpoint({
  id: 'access.getBlockMessage',
  route: ['GET /access/content/:id/block-message'],
  summary: 'Get the block messages of protected content',
  description: 'With `user_id`, also returns what that user would be shown.',
  access: apiKey('access:read'),
  effect: 'read',
  params: IdParams,
  query: BlockMessageQuery,
  reply: [200, record(BlockMessage)],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db, now }) => {
  const loaded = await db.query(loadContentCheck({ id: params.id, user_id: query.user_id }));
  const [content] = loaded.content;
  if (!content) return refuse('rest_not_found');
  if (query.user_id === undefined) return one(toBlockMessage(content));
  const answer = answerContent(content, loaded, now);
  if (!answer) return unknownReference('user_id');
  const { title = '', message = '' } = answer.block ?? {};
  return one({
    ...toBlockMessage(content),
    rendered: { reason: answer.finding.reason, title, message },
  });
});
