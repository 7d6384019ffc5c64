import { apiKey, changesPage, endpoint } from '../../kernel/endpoint/declare.ts';
import { readLicenses } from '../../actions/licenses/listing.ts';
import { License, LicenseQuery } from '../../domain/license/schemas.ts';

export const listLicensesEndpoint = endpoint({
  id: 'licenses.list',
  route: ['GET /licenses'],
  summary: 'List licences',
  description: 'Newest first. Codes are masked unless `reveal=true`.',
  access: apiKey('licenses:read'),
  effect: 'read',
  query: LicenseQuery,
  reply: [200, changesPage(License)],
}).handle(async ({ query, db, now }) => readLicenses(db, query, now));
