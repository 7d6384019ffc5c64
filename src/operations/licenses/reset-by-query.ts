import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { LicenseCheckQuery } from '../../domain/license/schemas.ts';
import { reset, resetting } from './seats.ts';

export const resetLicenseByQuery = endpoint({
  ...reset,
  id: 'licenses.resetByQuery',
  route: ['GET /licenses/reset'],
  query: LicenseCheckQuery,
}).handle(async ({ query, db, ifMatch, now }) => db.change(resetting(query, ifMatch, now)));
