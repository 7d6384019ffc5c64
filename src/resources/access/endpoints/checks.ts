import { apiKey } from '../../../auth/access.ts';
import { endpoint } from '../../../http/endpoint.ts';
import { refuse, unknownReference } from '../../../http/errors.ts';
import { IdParams } from '../../../http/parameters.ts';
import { findSettings } from '../../platform/queries.ts';
import { findAccess, toVerdict } from '../checks.ts';
import { findAccessProduct, findAccessUser, findGrants } from '../queries.ts';
import { AccessCheckQuery, ContentCheckQuery, Verdict } from '../schemas.ts';
import { answerContent, loadContentCheck } from '../content-check.ts';

export const checkAccess = endpoint({
  id: 'access.check',
  route: ['GET /access/check'],
  summary: 'Check whether a user has access to a product',
  description: 'Answers 200 for both verdicts and never redirects.',
  access: apiKey('access:read'),
  effect: 'read',
  query: AccessCheckQuery,
  reply: [200, Verdict],
  errors: ['rest_not_found'],
}).handle(async ({ query, db, now }) => {
  const { user_id, product_id } = query;
  const loaded = await db.query({
    user: findAccessUser(user_id),
    product: findAccessProduct(product_id),
    grants: findGrants(user_id, product_id),
    settings: findSettings(),
  });
  const [user] = loaded.user;
  if (!user) return unknownReference('user_id');
  if (loaded.product.length === 0) return unknownReference('product_id');
  const question = {
    user,
    product_ids: [product_id] as const,
    grants: loaded.grants,
    now: now.toISOString(),
    timezone: loaded.settings[0]?.timezone ?? 'UTC',
  };
  return toVerdict(question, findAccess(question), null);
});

export const checkContent = endpoint({
  id: 'access.checkContent',
  route: ['GET /access/content/:id/check'],
  summary: 'Check whether a user may see a content',
  description:
    'Answers 200 for both verdicts and never redirects; `detail.block` says what to show instead.',
  access: apiKey('access:read'),
  effect: 'read',
  params: IdParams,
  query: ContentCheckQuery,
  reply: [200, Verdict],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db, config, now }) => {
  const loaded = await db.query(loadContentCheck(params.id, query.user_id));
  const [content] = loaded.content;
  if (!content) return refuse('rest_not_found');
  const answer = answerContent(content, loaded, { now, baseUrl: config.BASE_URL });
  return answer
    ? toVerdict(answer.question, answer.finding, answer.block)
    : unknownReference('user_id');
});
