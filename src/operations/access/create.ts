import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { unknownReference } from '../../kernel/errors/errors.ts';
import { findSettings } from '../../queries/settings.ts';
import { accessEvents } from '../../domain/access/events.ts';
import { addGrant, findGrants } from '../../queries/access.ts';
import { endRefusal, newGrant, toAccess } from '../../domain/access/rules.ts';
import { Access, AccessCreate } from '../../domain/access/schemas.ts';
import { findAccessUser } from '../../queries/users.ts';
import { findPresentProducts } from '../../queries/products.ts';

export const createAccess = endpoint({
  id: 'access.create',
  route: ['POST /access'],
  summary: 'Grant access',
  access: apiKey('access:write'),
  effect: 'write',
  body: AccessCreate,
  reply: [201, record(Access)],
  errors: ['rest_not_found', 'rest_invalid_param'],
}).handle(async ({ body, db, now }) =>
  db.change({
    load: {
      id: drawId('access_grants'),
      user: findAccessUser(body.user_id),
      product: findPresentProducts([body.product_id]),
      others: findGrants(body.user_id, body.product_id),
      settings: findSettings(),
    },
    decide: ({ id, user, product: [product], others, settings: [settings] }) => {
      if (user.length === 0) return unknownReference('user_id');
      if (!product) return unknownReference('product_id');
      const grant = newGrant(body, nextId(id), now);
      const row = { grant, product, timezone: settings?.timezone ?? 'UTC' };
      const at = now.toISOString();
      return (
        endRefusal(grant) ?? {
          write: addGrant(grant),
          events: accessEvents(undefined, row, others, at),
          reply: one(toAccess(row, at)),
        }
      );
    },
  }),
);
