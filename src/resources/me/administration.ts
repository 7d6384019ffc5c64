import * as z from 'zod';
import { admin } from '../../auth/access.ts';
import { endpoint } from '../../http/endpoint.ts';
import { one, ownPage, record } from '../../http/envelope.ts';
import { refuse } from '../../http/errors.ts';
import { pageOf, readPage } from '../../http/pagination.ts';
import { IdParams } from '../../http/parameters.ts';
import { Id } from '../../lib/schemas.ts';
import { creationErrors, makeCoupon } from '../coupons/creation.ts';
import { readCoupons } from '../coupons/listing.ts';
import { findTemplates } from '../coupons/queries.ts';
import { appliesTo, isLiveTemplate } from '../coupons/rules.ts';
import { Coupon, CouponCreate, CouponQuery } from '../coupons/schemas.ts';
import { readLicenses } from '../licenses/listing.ts';
import { License, LicenseQuery } from '../licenses/schemas.ts';
import { countProducts, listProducts } from '../products/queries.ts';
import { Product, ProductQuery } from '../products/schemas.ts';
import { endSessions, endingErrors } from '../sessions/ending.ts';
import { RevokedSessions } from '../sessions/schemas.ts';
import { changeErrors, changeUser } from '../users/change.ts';
import { readUsers } from '../users/listing.ts';
import { findUser } from '../users/queries.ts';
import { toUser } from '../users/rules.ts';
import { User, UserQuery, UserUpdate } from '../users/schemas.ts';
import { asOwn } from './rules.ts';

// What administrators look after in the members' app: the general lists, by a session.

export const listUsersAsAdmin = endpoint({
  id: 'me.users',
  route: ['GET /me/users'],
  summary: 'List the users of the store',
  description: 'The records and filters of `GET /users`.',
  access: admin(),
  effect: 'read',
  query: UserQuery,
  reply: [200, ownPage(User)],
}).handle(async ({ principal, query, db }) => asOwn(principal, await readUsers(db, query)));

export const getUserAsAdmin = endpoint({
  id: 'me.user',
  route: ['GET /me/users/:id'],
  summary: 'Read a user of the store',
  access: admin(),
  effect: 'read',
  params: IdParams,
  reply: [200, record(User)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findUser(params.id) });
  return found[0] ? one(toUser(found[0])) : refuse('rest_not_found');
});

export const updateUserAsAdmin = endpoint({
  id: 'me.updateUser',
  route: ['PUT /me/users/:id', 'PATCH /me/users/:id', 'POST /me/users/:id'],
  summary: 'Update a user of the store',
  description:
    'As `PATCH /users/{id}`, and the way to make administrators (`roles`), to unmake or block them, and to change what identifies them, which no API key can. The last administrator who is not blocked stays one.',
  access: admin(),
  effect: 'write',
  params: IdParams,
  body: UserUpdate,
  reply: [200, record(User)],
  errors: changeErrors,
}).handle(async ({ params, body, db, ...request }) => changeUser(db, params.id, body, request));

export const endSessionsAsAdmin = endpoint({
  id: 'me.revokeSessions',
  route: ['POST /me/users/:id/sessions/revoke'],
  summary: 'Revoke every session of a user of the store',
  description:
    'As `POST /users/{id}/sessions/revoke`, and for administrators too, oneself included.',
  access: admin(),
  effect: 'write',
  conditional: false,
  params: IdParams,
  reply: [200, RevokedSessions],
  errors: endingErrors,
}).handle(async ({ params, db, principal, now }) => endSessions(db, params.id, principal, now));

export const listCouponsAsAdmin = endpoint({
  id: 'me.coupons',
  route: ['GET /me/coupons'],
  summary: 'List the coupons of the store',
  description: 'The records and filters of `GET /coupons`.',
  access: admin(),
  effect: 'read',
  query: CouponQuery,
  reply: [200, ownPage(Coupon)],
}).handle(async ({ principal, query, db, now }) =>
  asOwn(principal, await readCoupons(db, query, now)),
);

export const createCouponAsAdmin = endpoint({
  id: 'me.createCoupon',
  route: ['POST /me/coupons'],
  summary: 'Create a coupon of the store',
  description:
    'As `POST /coupons`. Without `user_id` it is the store’s own; `rule.use_by_affiliate` makes it a template.',
  access: admin(),
  effect: 'write',
  body: CouponCreate,
  reply: [201, record(Coupon)],
  errors: creationErrors,
}).handle(async ({ body, db, now }) => makeCoupon(db, body, now));

export const listLicensesAsAdmin = endpoint({
  id: 'me.licenses',
  route: ['GET /me/licenses'],
  summary: 'List the licences of the store',
  description: 'The records and filters of `GET /licenses`. Codes are masked unless `reveal=true`.',
  access: admin(),
  effect: 'read',
  query: LicenseQuery,
  reply: [200, ownPage(License)],
}).handle(async ({ principal, query, db, now }) =>
  asOwn(principal, await readLicenses(db, query, now)),
);

/** A product with the templates that affiliates may copy for it. */
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
      .describe('Templates that affiliates may copy now and that apply to the product.'),
  })
  .meta({ id: 'CouponProduct' });

export const listCouponProducts = endpoint({
  id: 'me.couponProducts',
  route: ['GET /me/coupon-products'],
  summary: 'List products with their coupon templates',
  description:
    'Every product that the filters of `GET /products` leave, those without a template too.',
  access: admin(),
  effect: 'read',
  query: ProductQuery,
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
