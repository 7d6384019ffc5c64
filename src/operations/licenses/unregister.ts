import { apiKey } from '../../kernel/auth/access.ts';
import { endpointByQueryOrBody } from '../../kernel/endpoint/query-or-body.ts';
import {
  LicenseRelease,
  LicenseUnregister,
  LicenseUnregisterQuery,
} from '../../domain/license/schemas.ts';
import { unregistering } from '../../actions/licenses/commands.ts';

export const [unregisterLicense, unregisterLicenseByQuery] = endpointByQueryOrBody({
  id: 'licenses.unregister',
  path: '/licenses/unregister',
  summary: 'Unregister a string from a licence',
  description: 'Frees its seat. Does not count as a reset.',
  access: apiKey('licenses:write'),
  effect: 'write',
  everyday: true,
  query: LicenseUnregisterQuery,
  body: LicenseUnregister,
  reply: [200, LicenseRelease],
  errors: ['rest_not_found'],
}).handle(async ({ input, db, ifMatch, now }) => db.change(unregistering(input, { ifMatch, now })));
