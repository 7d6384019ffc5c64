import { apiKey } from '../../kernel/auth/access.ts';
import { endpointByQueryOrBody } from '../../kernel/endpoint/query-or-body.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { askedCode, askedString, release } from '../../domain/license/answers.ts';
import { licenseEvent } from '../../domain/license/events.ts';
import { toLicense, withoutActivations } from '../../domain/license/rules.ts';
import {
  LicenseRelease,
  LicenseUnregister,
  LicenseUnregisterQuery,
} from '../../domain/license/schemas.ts';
import { isClaimed } from '../../domain/license/verdicts.ts';
import { deleteActivation, findActivation } from '../../queries/license-activations.ts';
import { findLicenseByCode } from '../../queries/licenses.ts';

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
}).handle(async ({ input, db, ifMatch, now }) =>
  db.change({
    load: {
      found: findLicenseByCode(askedCode(input)),
      known: findActivation(askedCode(input), askedString(input)),
    },
    decide: ({ found, known: [known] }) => {
      if (!known) return refuse('rest_not_found');
      const claimed = found.filter((row) => isClaimed(row, input));
      const before = current(claimed, ifMatch, 'license');
      if (isRefusal(before)) return before;
      const after = withoutActivations(before, known);
      const license = toLicense(after, now);
      return {
        write: deleteActivation(before.license, known),
        events: [licenseEvent('license.deactivated', { ...license, released: known.string })],
        reply: release(after, 1, now),
      };
    },
  }),
);
