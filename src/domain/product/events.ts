import { defineEvents } from '../../kernel/events/define.ts';
import { DeletedRecord } from '../../kernel/schemas/replies.ts';
import { Product } from './schemas.ts';

export const productEvent = defineEvents('products:read', {
  'product.created': { summary: 'A product was created.', payload: Product },
  'product.updated': { summary: 'A product was changed.', payload: Product },
  'product.deleted': { summary: 'A product was deleted.', payload: DeletedRecord },
});
