import { apiKey } from '../../../auth/access.ts';
import { type Results, drawId, nextId } from '../../../db/statements.ts';
import { type ReadAccess, endpoint } from '../../../http/endpoint.ts';
import { isStale, refuse } from '../../../http/errors.ts';
import { licenseEvent } from '../events.ts';
import { findCase } from '../queries.ts';
import { findActivation, insertActivation, touchActivation } from '../queries-seats.ts';
import {
  type Activation,
  type Asked,
  LicenseCheck,
  LicenseCheckQuery,
  LicenseRegister,
  LicenseRegistration,
  LicenseVerdict,
} from '../schemas.ts';
import { askedCode, askedString, registration, verdictOn } from '../answers.ts';
import { isFreeHost } from '../strings.ts';
import { isFull, judge } from '../verdicts.ts';

const loadCase = (asked: Asked) => ({
  found: findCase(askedCode(asked)),
  known: findActivation(askedCode(asked), askedString(asked)),
});

export const registerLicense = endpoint({
  id: 'licenses.register',
  route: ['POST /licenses/register'],
  summary: 'Register a licence for a string',
  description:
    'Takes one of its seats, unless the string is a host for development (`localhost`, `*.test`, `*.local`, `staging.*`, `dev.*`). The same string again takes no other seat. A licence that may not be used is not registered: `valid` is false and `code` says why.',
  access: apiKey('licenses:write'),
  effect: 'write',
  body: LicenseRegister,
  reply: [200, LicenseRegistration],
  errors: ['rest_not_found', 'license_limit_reached'],
}).handle(async ({ body, db, ifMatch, now }) =>
  db.change({
    load: { ...loadCase(body), id: drawId('license_activations') },
    decide: ({ found: [row], known: [known], id }) => {
      if (!row) return refuse('rest_not_found');
      if (isStale(ifMatch, row.license)) return refuse('rest_conflict');
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

const validate = {
  summary: 'Check a licence, and note where it was seen',
  description:
    'Whether it may be used, for the string where one is given. HTTP 200 whatever the verdict: `code` says it for programs. The activation of the string gets the time as `last_seen_at`.',
  access: apiKey('licenses:write'),
  effect: 'write',
  reply: [200, LicenseVerdict],
  errors: ['rest_not_found'],
} as const;

export const validateLicense = endpoint({
  ...validate,
  id: 'licenses.validate',
  route: ['POST /licenses/validate'],
  body: LicenseCheck,
}).handle(async ({ body, db, ifMatch, now }) => db.change(validation(body, ifMatch, now)));

export const validateLicenseByQuery = endpoint({
  ...validate,
  id: 'licenses.validateByQuery',
  route: ['GET /licenses/validate'],
  query: LicenseCheckQuery,
}).handle(async ({ query, db, ifMatch, now }) => db.change(validation(query, ifMatch, now)));

const validation = (asked: Asked, ifMatch: number | undefined, now: Date) => ({
  load: loadCase(asked),
  decide: ({ found: [row], known: [known] }: Loaded) => {
    if (!row) return refuse('rest_not_found');
    if (isStale(ifMatch, row.license)) return refuse('rest_conflict');
    const reply = verdictOn(row, known ?? null, asked, now);
    if (!known || !reply.valid) return { write: [], reply };
    const seen = { ...known, last_seen_at: now.toISOString() };
    return { write: [touchActivation(seen)], reply: verdictOn(row, seen, asked, now) };
  },
});

type Loaded = Results<ReturnType<typeof loadCase>>;

const status = {
  summary: 'Check a licence',
  description: 'The same verdict as `validate`, and nothing is noted.',
  access: apiKey('licenses:read'),
  effect: 'read',
  reply: [200, LicenseVerdict],
  errors: ['rest_not_found'],
} as const;

export const getLicenseStatus = endpoint({
  ...status,
  id: 'licenses.status',
  route: ['POST /licenses/status'],
  body: LicenseCheck,
}).handle(async ({ body, db, now }) => checked(body, db, now));

export const getLicenseStatusByQuery = endpoint({
  ...status,
  id: 'licenses.statusByQuery',
  route: ['GET /licenses/status'],
  query: LicenseCheckQuery,
}).handle(async ({ query, db, now }) => checked(query, db, now));

async function checked(asked: Asked, db: ReadAccess, now: Date) {
  const { found, known } = await db.query(loadCase(asked));
  return found[0] ? verdictOn(found[0], known[0] ?? null, asked, now) : refuse('rest_not_found');
}
