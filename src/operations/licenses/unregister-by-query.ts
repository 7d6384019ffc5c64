import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { LicenseUnregisterQuery } from '../../domain/license/schemas.ts';
import { unregister, unregistration } from './seats.ts';

export const unregisterLicenseByQuery = endpoint({
  ...unregister,
  id: 'licenses.unregisterByQuery',
  route: ['GET /licenses/unregister'],
  query: LicenseUnregisterQuery,
}).handle(async ({ query, db, ifMatch, now }) => db.change(unregistration(query, ifMatch, now)));
