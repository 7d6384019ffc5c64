import { apiKey } from '../../kernel/auth/access.ts';
import { endpointByQueryOrBody } from '../../kernel/endpoint/query-or-body.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { askedCode, askedString, release } from '../../domain/license/answers.ts';
import { deactivatedEvent } from '../../domain/license/events.ts';
import * as rules from '../../domain/license/rules.ts';
import { LicenseRelease, LicenseReset, LicenseResetQuery } from '../../domain/license/schemas.ts';
import { isClaimed } from '../../domain/license/verdicts.ts';
import * as activations from '../../queries/license-activations.ts';
import { findLicenseByCode } from '../../queries/licenses.ts';

export const [resetLicense, resetLicenseByQuery] = endpointByQueryOrBody({
  id: 'licenses.reset',
  path: '/licenses/reset',
  summary: 'Free the seats of a licence',
  description:
    'Removes all strings the licence is registered for, or only the one given. A licence can be reset `max_resets` times in 30 days; a reset that removes nothing does not count.',
  access: apiKey('licenses:write'),
  effect: 'write',
  everyday: true,
  query: LicenseResetQuery,
  body: LicenseReset,
  reply: [200, LicenseRelease],
  errors: ['rest_not_found', 'license_reset_limit_reached'],
}).handle(async ({ input, db, ifMatch, now }) => {
  const string = askedString(input);
  return db.change({
    load: {
      found: findLicenseByCode(askedCode(input)),
      known: activations.findActivation(askedCode(input), string),
      counted: activations.countActivations(askedCode(input)),
    },
    decide: ({ found, known: [known], counted }) => {
      const claimed = found.filter((row) => isClaimed(row, input));
      const before = current(claimed, ifMatch, 'license');
      if (isRefusal(before)) return before;
      const released = string === undefined ? (counted[0]?.total ?? 0) : Number(Boolean(known));
      if (released === 0) return { write: [], reply: release(before, 0, now) };
      const refusal = rules.resetRefusal(before.license, now);
      if (refusal) return refusal;
      const after = rules.withReset(rules.withoutActivations(before, known), now);
      return {
        write: [
          activations.countReset(before.license, now),
          ...(known
            ? activations.deleteActivation(before.license, known)
            : activations.deleteActivations(before.license)),
        ],
        events: [deactivatedEvent(rules.toLicense(after, now), known)],
        reply: release(after, released, now),
      };
    },
  });
});
