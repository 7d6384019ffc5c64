import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { unknownReference } from '../../kernel/errors/errors.ts';
import { newContent } from '../../domain/access/content-rules.ts';
import { Content, ContentCreate } from '../../domain/access/content-schemas.ts';
import { insertContent } from '../../queries/access.ts';
import { findPresentProducts } from '../../queries/products.ts';

export const createContent = endpoint({
  id: 'access.createContent',
  route: ['POST /access/content'],
  summary: 'Protect content',
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
