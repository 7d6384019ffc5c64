import { apiKey, deleted, Deleted, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { accessEvents } from '../../domain/access/events.ts';
import { findGrant, findGrantsBeside, saveGrantBeside } from '../../queries/access.ts';
import { isTaken } from '../../domain/access/order-grant.ts';
import { changedGrant, revokedGrant } from '../../domain/access/rules.ts';

export const deleteAccess = endpoint({
  id: 'access.delete',
  route: ['DELETE /access/:id'],
  summary: 'Revoke an access grant',
  description:
    'From then on checks answer `revoked`, unless the user has another live grant for the product.',
  access: apiKey('access:delete'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, ifMatch, now }) =>
  db.change({
    load: { found: findGrant(params.id), others: findGrantsBeside(params.id) },
    decide: ({ found, others }) => {
      const row = current(found, ifMatch, 'grant');
      if (isRefusal(row)) return row;
      const at = now.toISOString();
      const grant = isTaken(row.grant)
        ? changedGrant(row.grant, { deleted_at: at }, now)
        : { ...revokedGrant(row.grant, 'deleted', now), deleted_at: at };
      return {
        write: saveGrantBeside(grant, others),
        events: accessEvents(row.grant, { ...row, grant }, others, at),
        reply: deleted(params.id),
      };
    },
  }),
);
