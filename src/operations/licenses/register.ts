import { apiKey, endpoint } from '../../kernel/endpoint/declare.ts';
import { LicenseRegister, LicenseRegistration } from '../../domain/license/schemas.ts';
import { registering } from '../../actions/licenses/commands.ts';

export const registerLicense = endpoint({
  id: 'licenses.register',
  route: ['POST /licenses/register'],
  summary: 'Register a licence for a string',
  description:
    "Takes one of the licence's seats, unless the string is a development host (`localhost`, `*.localhost`, `*.test`, `*.local`, `staging.*`, `dev.*`, and loopback, private and link-local addresses, such as `127.0.0.1`, `192.168.1.10` and `[::1]`). A licence can be registered for 50 of these. Registering the same string again takes no further seat. A licence that may not be used is not registered: `valid` is false and `code` says why.",
  access: apiKey('licenses:write'),
  effect: 'write',
  everyday: true,
  body: LicenseRegister,
  reply: [200, LicenseRegistration],
  errors: ['rest_not_found', 'license_limit_reached', 'license_free_limit_reached'],
}).handle(async ({ body, db, ifMatch, now }) => db.change(registering(body, { ifMatch, now })));
