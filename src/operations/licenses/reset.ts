import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { LicenseCheck } from '../../domain/license/schemas.ts';
import { reset, resetting } from './seats.ts';

export const resetLicense = endpoint({
  ...reset,
  id: 'licenses.reset',
  route: ['POST /licenses/reset'],
  body: LicenseCheck,
}).handle(async ({ body, db, ifMatch, now }) => db.change(resetting(body, ifMatch, now)));
