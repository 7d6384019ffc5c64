import { apiKey, collection, endpoint, one } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findLicensesByString } from '../../queries/licenses.ts';
import { forList, toLicense } from '../../domain/license/rules.ts';
import { License, LicenseReveal, StringParams } from '../../domain/license/schemas.ts';
import { canonicalString } from '../../domain/license/strings.ts';

export const getLicensesByString = endpoint({
  id: 'licenses.byString',
  route: ['GET /licenses/by-string/:string'],
  summary: 'List the licences registered for a string',
  description:
    'The newest 100. Strings are compared in the form in which they are registered: of a URL, that is the host without `www.`. Codes are masked unless `reveal=true`.',
  access: apiKey('licenses:read'),
  effect: 'read',
  params: StringParams,
  query: LicenseReveal,
  reply: [200, collection(License)],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db, now }) => {
  const { found } = await db.query({
    found: findLicensesByString(canonicalString(params.string)),
  });
  if (found.length === 0) return refuse('rest_not_found');
  return one(found.map((row) => forList(toLicense(row, now), query.reveal)));
});
