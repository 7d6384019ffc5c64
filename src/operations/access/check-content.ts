import { apiKey, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { refuse, unknownReference } from '../../kernel/errors/errors.ts';
import { toVerdict } from '../../domain/access/checks.ts';
import { ContentCheckQuery, Verdict } from '../../domain/access/schemas.ts';
import { answerContent, loadContentCheck } from '../../actions/access/content-check.ts';

export const checkContent = endpoint({
  id: 'access.checkContent',
  route: ['GET /access/content/:id/check'],
  summary: 'Check whether a user may see protected content',
  description:
    'Answers 200 whatever the verdict, and never redirects; `detail.block` holds what to show instead of the content.',
  access: apiKey('access:read'),
  effect: 'read',
  params: IdParams,
  query: ContentCheckQuery,
  reply: [200, Verdict],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db, now }) => {
  const loaded = await db.query(loadContentCheck({ id: params.id, user_id: query.user_id }));
  const [content] = loaded.content;
  if (!content) return refuse('rest_not_found');
  const answer = answerContent(content, loaded, now);
  return answer
    ? toVerdict(answer.question, answer.finding, answer.block)
    : unknownReference('user_id');
});
