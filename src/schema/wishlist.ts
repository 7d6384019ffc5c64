import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, reference } from '../kernel/database/columns.ts';
import { products } from './products.ts';
import { users } from './users.ts';

/** Products that users wish for; of the module in docs/examples/wishlist. */
export const wishes = pgTable(
  'wishes',
  {
    id: id(),
    user_id: reference(() => users.id),
    product_id: reference(() => products.id, { onDelete: 'cascade' }),
    created_at: instant().notNull(),
  },
  (t) => [
    uniqueIndex('wishes_once').on(t.user_id, t.product_id),
    index('wishes_user').on(t.user_id, t.id),
    index('wishes_product').on(t.product_id),
  ],
);
