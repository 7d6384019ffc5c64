import { apiKey } from '../../kernel/auth/access.ts';
import { endpointByQueryOrBody } from '../../kernel/endpoint/query-or-body.ts';
import { LicenseCheck, LicenseCheckQuery, LicenseVerdict } from '../../domain/license/schemas.ts';
import { validating } from '../../actions/licenses/commands.ts';

export const [validateLicense, validateLicenseByQuery] = endpointByQueryOrBody({
  id: 'licenses.validate',
  path: '/licenses/validate',
  summary: 'Validate a licence and record its use',
  description:
    "Says whether the licence may be used and, if a string is given, whether it may be used there. Answers 200 whatever the verdict, which is in `code`; a code that no licence has is answered with 404. Sets `last_seen_at` of the string's activation to the current time.",
  access: apiKey('licenses:write'),
  effect: 'write',
  everyday: true,
  query: LicenseCheckQuery,
  body: LicenseCheck,
  reply: [200, LicenseVerdict],
  errors: ['rest_not_found'],
}).handle(async ({ input, db, ifMatch, now }) => db.change(validating(input, { ifMatch, now })));
