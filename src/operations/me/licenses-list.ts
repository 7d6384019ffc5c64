import { admin, endpoint, ownPage } from '../../kernel/endpoint/declare.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { readLicenses } from '../../actions/licenses/listing.ts';
import { License, LicenseQuery } from '../../domain/license/schemas.ts';
import { asOwn } from '../../actions/me/rules.ts';

export const listLicensesAsAdmin = endpoint({
  id: 'me.licenses.list',
  route: ['GET /me/licenses'],
  summary: 'List the licences of the store',
  description:
    'The same records and filters as `GET /licenses`. Codes are masked unless `reveal=true`.',
  access: admin(),
  effect: 'read',
  query: LicenseQuery.omit({ updated_since: true }).extend({ sort: pageParameters.sort }),
  reply: [200, ownPage(License)],
}).handle(async ({ principal, query, db, now }) =>
  asOwn(principal, await readLicenses(db, query, now)),
);
