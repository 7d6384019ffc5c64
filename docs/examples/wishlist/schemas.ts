import * as z from 'zod';
import { Id, Instant } from '../../../src/lib/schemas.ts';
import { Product } from '../../../src/domain/product/schemas.ts';

const { title, price, image_url } = Product.shape;

/** A product that a member wishes for. */
export const Wish = z
  .object({
    id: Id,
    product_id: Id,
    title,
    price,
    image_url,
    created_at: Instant,
  })
  .meta({ id: 'Wish' });
export type Wish = z.output<typeof Wish>;

export const WishCreate = z
  .object({ product_id: Id })
  .meta({ id: 'WishCreate', examples: [{ product_id: 1 }] });

/** The number of members who wish for a product. */
export const WishedProduct = z
  .object({ product_id: Id, title, wishes: z.int().meta({ examples: [17] }) })
  .meta({ id: 'WishedProduct' });
