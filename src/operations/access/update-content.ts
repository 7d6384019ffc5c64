import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal, unknownReference } from '../../kernel/errors/errors.ts';
import { isSameRecord } from '../../lib/objects.ts';
import { updatedContent } from '../../domain/access/content-rules.ts';
import { Content, ContentUpdate } from '../../domain/access/content-schemas.ts';
import { findContent, saveContent } from '../../queries/access.ts';
import { findPresentProducts } from '../../queries/products.ts';

export const updateContent = endpoint({
  id: 'access.updateContent',
  route: ['PATCH /access/content/:id', 'PUT /access/content/:id', 'POST /access/content/:id'],
  summary: 'Update protected content',
  description: 'Changes only the fields you send.',
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
    decide: ({ found, products }) => {
      const before = current(found, ifMatch);
      if (isRefusal(before)) return before;
      // A deleted product may stay with content that its buyers still see.
      const known = [...products.map(({ id }) => id), ...before.product_ids];
      if (!product_ids.every((id) => known.includes(id))) return unknownReference('product_ids');
      const after = updatedContent(before, body, now);
      if (isSameRecord(before, after)) return { write: [], reply: one(before) };
      return { write: [saveContent(before, after)], before, reply: one(after) };
    },
  });
});
