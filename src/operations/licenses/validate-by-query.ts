import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { LicenseCheckQuery } from '../../domain/license/schemas.ts';
import { validate, validation } from './validation.ts';

export const validateLicenseByQuery = endpoint({
  ...validate,
  id: 'licenses.validateByQuery',
  route: ['GET /licenses/validate'],
  query: LicenseCheckQuery,
}).handle(async ({ query, db, ifMatch, now }) => db.change(validation(query, ifMatch, now)));
