import { apiKey } from '../../../auth/access.ts';
import { drawId, nextId } from '../../../db/statements.ts';
import { endpoint } from '../../../http/endpoint.ts';
import { Deleted, one, page, record } from '../../../http/envelope.ts';
import { isStale, refuse, unknownReference } from '../../../http/errors.ts';
import { pageOf, readPage } from '../../../http/pagination.ts';
import { IdParams } from '../../../http/parameters.ts';
import { isSame, isSameRecord } from '../../../lib/objects.ts';
import { toBlockMessage, withMessages } from '../blocks.ts';
import { answerContent, loadContentCheck } from '../content-check.ts';
import { newContent, updatedContent } from '../content-rules.ts';
import {
  BlockMessage,
  BlockMessageQuery,
  BlockMessageUpdate,
  Content,
  ContentCreate,
  ContentQuery,
  ContentUpdate,
} from '../content-schemas.ts';
import {
  countContent,
  deleteContent,
  findContent,
  findPresentProducts,
  insertContent,
  listContent,
  saveContent,
} from '../queries.ts';

export const listContentEndpoint = endpoint({
  id: 'access.listContent',
  route: ['GET /access/content'],
  summary: 'List protected content',
  access: apiKey('access:read'),
  effect: 'read',
  query: ContentQuery,
  reply: [200, page(Content)],
}).handle(async ({ query, db }) => {
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listContent(query, window),
    () => countContent(query),
  );
  return pageOf(query, rows, total);
});

export const getContent = endpoint({
  id: 'access.getContent',
  route: ['GET /access/content/:id'],
  summary: 'Read a protected content',
  access: apiKey('access:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(Content)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findContent(params.id) });
  return found[0] ? one(found[0]) : refuse('rest_not_found');
});

export const createContent = endpoint({
  id: 'access.createContent',
  route: ['POST /access/content'],
  summary: 'Protect a content',
  description: 'Only `title` and `product_ids` are required.',
  access: apiKey('access:write'),
  effect: 'write',
  body: ContentCreate,
  reply: [201, record(Content)],
  errors: ['rest_not_found'],
}).handle(async ({ body, db, now }) =>
  db.change({
    load: { id: drawId('access_content'), products: findPresentProducts(body.product_ids) },
    decide: ({ id, products }) => {
      if (products.length < body.product_ids.length) return unknownReference('product_ids');
      const content = newContent(body, nextId(id), now);
      return { write: [insertContent(content)], reply: one(content) };
    },
  }),
);

export const updateContent = endpoint({
  id: 'access.updateContent',
  route: ['PATCH /access/content/:id', 'PUT /access/content/:id', 'POST /access/content/:id'],
  summary: 'Update a protected content',
  description: 'A partial update under each of the three methods.',
  access: apiKey('access:write'),
  effect: 'write',
  params: IdParams,
  body: ContentUpdate,
  reply: [200, record(Content)],
  errors: ['rest_not_found'],
}).handle(async ({ params, body, db, ifMatch, now }) => {
  const { product_ids = [] } = body;
  return db.change({
    load: { found: findContent(params.id), products: findPresentProducts(product_ids) },
    decide: ({ found: [before], products }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before)) return refuse('rest_conflict');
      // A product that was deleted may stay with what its buyers still see.
      const known = [...products.map(({ id }) => id), ...before.product_ids];
      if (!product_ids.every((id) => known.includes(id))) return unknownReference('product_ids');
      const after = updatedContent(before, body, now);
      if (isSameRecord(before, after)) return { write: [], reply: one(before) };
      return { write: [saveContent(after)], reply: one(after) };
    },
  });
});

export const deleteContentEndpoint = endpoint({
  id: 'access.deleteContent',
  route: ['DELETE /access/content/:id'],
  summary: 'Delete a protected content',
  access: apiKey('access:delete'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, ifMatch }) =>
  db.change({
    load: { found: findContent(params.id) },
    decide: ({ found: [before] }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before)) return refuse('rest_conflict');
      return {
        write: [deleteContent(before)],
        reply: one({ id: params.id, deleted: true as const }),
      };
    },
  }),
);

export const getBlockMessage = endpoint({
  id: 'access.getBlockMessage',
  route: ['GET /access/content/:id/block-message'],
  summary: 'Read what is shown in place of a content',
  description: 'With `user_id` also as that user would be shown it.',
  access: apiKey('access:read'),
  effect: 'read',
  params: IdParams,
  query: BlockMessageQuery,
  reply: [200, record(BlockMessage)],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db, config, now }) => {
  const loaded = await db.query(loadContentCheck(params.id, query.user_id));
  const [content] = loaded.content;
  if (!content) return refuse('rest_not_found');
  if (query.user_id === undefined) return one(toBlockMessage(content));
  const answer = answerContent(content, loaded, { now, baseUrl: config.BASE_URL });
  if (!answer) return unknownReference('user_id');
  const { title = '', message = '' } = answer.block ?? {};
  return one({
    ...toBlockMessage(content),
    rendered: { reason: answer.finding.reason, title, message },
  });
});

export const updateBlockMessage = endpoint({
  id: 'access.updateBlockMessage',
  route: ['POST /access/content/:id/block-message'],
  summary: 'Set what is shown in place of a content',
  description: 'A partial update. HTML is kept as far as it is harmless.',
  access: apiKey('access:write'),
  effect: 'write',
  params: IdParams,
  body: BlockMessageUpdate,
  reply: [200, record(BlockMessage)],
  errors: ['rest_not_found'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: { found: findContent(params.id) },
    decide: ({ found: [before] }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before)) return refuse('rest_conflict');
      const after = withMessages(before, body, now);
      const shown = toBlockMessage(before);
      // Words of the service's own that are sent back stay the service's own.
      if (isSame(shown, toBlockMessage({ ...after, version: before.version }))) {
        return { write: [], reply: one(shown) };
      }
      return { write: [saveContent(after)], reply: one(toBlockMessage(after)) };
    },
  }),
);
