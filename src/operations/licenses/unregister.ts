import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { LicenseUnregister } from '../../domain/license/schemas.ts';
import { unregister, unregistration } from './seats.ts';

export const unregisterLicense = endpoint({
  ...unregister,
  id: 'licenses.unregister',
  route: ['POST /licenses/unregister'],
  body: LicenseUnregister,
}).handle(async ({ body, db, ifMatch, now }) => db.change(unregistration(body, ifMatch, now)));
