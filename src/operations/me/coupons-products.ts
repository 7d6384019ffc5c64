import * as z from 'zod';
import { admin, endpoint, ownPage } from '../../kernel/endpoint/declare.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { pageOf } from '../../kernel/lists/reply.ts';
import { readPage } from '../../kernel/lists/read.ts';
import { Id } from '../../lib/schemas.ts';
import { findTemplates } from '../../queries/coupons.ts';
import { appliesTo, isLiveTemplate } from '../../domain/coupon/rules.ts';
import { Coupon } from '../../domain/coupon/schemas.ts';
import { countProducts, listProducts } from '../../queries/products.ts';
import { Product, ProductQuery } from '../../domain/product/schemas.ts';
import { asOwn } from '../../actions/me/rules.ts';

const CouponProduct = z
  .object({
    product_id: Id,
    title: Product.shape.title,
    price: Product.shape.price,
    templates: z
      .array(
        z.object({
          coupon_id: Id,
          code: Coupon.shape.code.meta({ examples: ['LEBARAN15'] }),
          discount: Coupon.shape.discount,
        }),
      )
      .describe('Templates that apply to the product and that affiliates may copy now.'),
  })
  .meta({ id: 'CouponProduct' });

export const listCouponProducts = endpoint({
  id: 'me.coupons.products',
  route: ['GET /me/coupon-products'],
  summary: 'List products with their coupon templates',
  description:
    'Every product that matches the filters of `GET /products`, including those without a template.',
  access: admin(),
  effect: 'read',
  query: ProductQuery.omit({ updated_since: true }).extend({ sort: pageParameters.sort }),
  reply: [200, ownPage(CouponProduct)],
}).handle(async ({ principal, query, db, now }) => {
  const { rows, total, templates } = await readPage(
    db,
    query,
    (window) => listProducts(query, window),
    () => countProducts(query),
    { templates: findTemplates() },
  );
  const live = templates.filter((row) => isLiveTemplate(row, now)).map(({ coupon }) => coupon);
  const products = rows.map(({ product }) => product);
  const { data, meta } = pageOf(query, products, total);
  return asOwn(principal, {
    meta,
    data: data.map(({ id, title, price }) => ({
      product_id: id,
      title,
      price,
      templates: live
        .filter(({ rule }) => appliesTo(id, rule))
        .map((coupon) => ({
          coupon_id: coupon.id,
          code: coupon.code,
          discount: coupon.discount,
        })),
    })),
  });
});
