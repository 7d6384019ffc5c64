import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { refuse, unknownReference } from '../../kernel/errors/errors.ts';
import { findProduct } from '../../queries/products.ts';
import { findUserId } from '../../queries/users.ts';
import { newCode } from '../../domain/license/codes.ts';
import { licenseEvent } from '../../domain/license/events.ts';
import { insertLicenses } from '../../queries/licenses.ts';
import { licenseByHand, toLicense } from '../../domain/license/rules.ts';
import { License, LicenseCreate } from '../../domain/license/schemas.ts';
import { findPayingOrder } from '../../queries/orders.ts';

export const createLicense = endpoint({
  id: 'licenses.create',
  route: ['POST /licenses'],
  summary: 'Create a licence',
  description: 'Orders issue their licences when they are completed; this one needs no order.',
  access: apiKey('licenses:write'),
  effect: 'write',
  body: LicenseCreate,
  reply: [201, record(License)],
  errors: ['rest_not_found', 'rest_invalid_param'],
}).handle(async ({ body, db, now }) =>
  db.change({
    load: {
      id: drawId('licenses'),
      product: findProduct(body.product_id),
      user: findUserId(body.user_id),
      order: findPayingOrder(body.order_id),
    },
    decide: ({ id, product: [product], user: [user], order: [order] }) => {
      const { product_id, user_id, order_id = null } = body;
      if (!product) return unknownReference('product_id');
      if (!user) return unknownReference('user_id');
      if (order_id !== null && !order) return unknownReference('order_id');
      if (order && (order.product_id !== product_id || order.user_id !== user_id)) {
        return refuse('rest_invalid_param', {
          params: { order_id: 'must be an order of this user for this product' },
        });
      }
      const row = licenseByHand(body, {
        id: nextId(id),
        code: newCode(),
        product: product.product,
        user_id,
        order_id: order?.first ?? null,
        now,
      });
      const license = toLicense(row, now);
      return {
        write: insertLicenses([row]),
        events: [licenseEvent('license.created', license)],
        reply: one(license),
      };
    },
  }),
);
