import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { LicenseCheck } from '../../domain/license/schemas.ts';
import { status, checked } from './validation.ts';

export const getLicenseStatus = endpoint({
  ...status,
  id: 'licenses.status',
  route: ['POST /licenses/status'],
  body: LicenseCheck,
}).handle(async ({ body, db, now }) => checked(body, db, now));
