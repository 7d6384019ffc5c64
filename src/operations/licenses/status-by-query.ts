import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { LicenseCheckQuery } from '../../domain/license/schemas.ts';
import { status, checked } from './validation.ts';

export const getLicenseStatusByQuery = endpoint({
  ...status,
  id: 'licenses.statusByQuery',
  route: ['GET /licenses/status'],
  query: LicenseCheckQuery,
}).handle(async ({ query, db, now }) => checked(query, db, now));
