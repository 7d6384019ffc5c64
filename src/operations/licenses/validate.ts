import { apiKey } from '../../kernel/auth/access.ts';
import { endpointByQueryOrBody } from '../../kernel/endpoint/query-or-body.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { verdictOn } from '../../domain/license/answers.ts';
import { LicenseCheck, LicenseCheckQuery, LicenseVerdict } from '../../domain/license/schemas.ts';
import { touchActivation } from '../../queries/license-activations.ts';
import { loadCase } from '../../queries/licenses.ts';

export const [validateLicense, validateLicenseByQuery] = endpointByQueryOrBody({
  id: 'licenses.validate',
  path: '/licenses/validate',
  summary: 'Validate a licence and note where it is used',
  description:
    'Whether it may be used, for the string where one is given. HTTP 200 whatever the verdict: `code` says it for programs. The activation of the string gets the time as `last_seen_at`.',
  access: apiKey('licenses:write'),
  effect: 'write',
  query: LicenseCheckQuery,
  body: LicenseCheck,
  reply: [200, LicenseVerdict],
  errors: ['rest_not_found'],
}).handle(async ({ input, db, ifMatch, now }) =>
  db.change({
    load: loadCase(input),
    decide: ({ found, known: [known] }) => {
      const row = current(found, ifMatch, 'license');
      if (isRefusal(row)) return row;
      const reply = verdictOn(row, known ?? null, input, now);
      if (!known || !reply.valid) return { write: [], reply };
      const seen = { ...known, last_seen_at: now.toISOString() };
      return { write: [touchActivation(seen)], reply: verdictOn(row, seen, input, now) };
    },
  }),
);
