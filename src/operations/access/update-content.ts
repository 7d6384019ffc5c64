import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/endpoint/envelope.ts';
import { isStale, refuse, unknownReference } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/endpoint/parameters.ts';
import { isSameRecord } from '../../lib/objects.ts';
import { updatedContent } from '../../domain/access/content-rules.ts';
import { Content, ContentUpdate } from '../../domain/access/content-schemas.ts';
import { findContent, saveContent } from '../../queries/access.ts';
import { findPresentProducts } from '../../queries/products.ts';

export const updateContent = endpoint({
  id: 'access.updateContent',
  route: ['PATCH /access/content/:id', 'PUT /access/content/:id', 'POST /access/content/:id'],
  summary: 'Update protected content',
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
