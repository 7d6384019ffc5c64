import { apiKey } from '../../kernel/auth/access.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { licenseEvent } from '../../domain/license/events.ts';
import { insertActivation, touchActivation } from '../../queries/license-activations.ts';
import {
  type Activation,
  LicenseRegister,
  LicenseRegistration,
} from '../../domain/license/schemas.ts';
import { askedString, registration } from '../../domain/license/answers.ts';
import { isFreeHost } from '../../domain/license/strings.ts';
import { isFull, judge } from '../../domain/license/verdicts.ts';
import { loadCase } from '../../queries/licenses.ts';

export const registerLicense = endpoint({
  id: 'licenses.register',
  route: ['POST /licenses/register'],
  summary: 'Register a licence for a string',
  description:
    "Takes one of the licence's seats, unless the string is a development host (`localhost`, `*.test`, `*.local`, `staging.*`, `dev.*`). Registering the same string again takes no further seat. A licence that may not be used is not registered: `valid` is false and `code` says why.",
  access: apiKey('licenses:write'),
  effect: 'write',
  everyday: true,
  body: LicenseRegister,
  reply: [200, LicenseRegistration],
  errors: ['rest_not_found', 'license_limit_reached'],
}).handle(async ({ body, db, ifMatch, now }) =>
  db.change({
    load: { ...loadCase(body), id: drawId('license_activations') },
    decide: ({ found, known: [known], id }) => {
      const row = current(found, ifMatch, 'license');
      if (isRefusal(row)) return row;
      const verdict = judge(row, body, now);
      if (verdict !== 'VALID') return { write: [], reply: registration(row, null, verdict, now) };
      const at = now.toISOString();
      if (known) {
        const seen = { ...known, last_seen_at: at };
        return { write: [touchActivation(seen)], reply: registration(row, seen, verdict, now) };
      }
      const string = askedString(body) ?? '';
      const seat = !isFreeHost(string);
      const { activation_limit, activation_count } = row.license;
      if (seat && isFull(row.license)) {
        return refuse('license_limit_reached', { data: { activation_limit, activation_count } });
      }
      const activation: Activation = {
        id: nextId(id),
        string,
        label: body.label ?? '',
        meta: body.meta ?? {},
        seat,
        first_at: at,
        last_seen_at: at,
      };
      const after = {
        ...row,
        license: { ...row.license, activation_count: activation_count + (seat ? 1 : 0) },
      };
      const reply = registration(after, activation, verdict, now);
      return {
        write: insertActivation(row.license, activation),
        events: [licenseEvent('license.activated', { ...reply.data.license, activation })],
        reply,
      };
    },
  }),
);
