import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { LicenseCheck } from '../../domain/license/schemas.ts';
import { validate, validation } from './validation.ts';

export const validateLicense = endpoint({
  ...validate,
  id: 'licenses.validate',
  route: ['POST /licenses/validate'],
  body: LicenseCheck,
}).handle(async ({ body, db, ifMatch, now }) => db.change(validation(body, ifMatch, now)));
