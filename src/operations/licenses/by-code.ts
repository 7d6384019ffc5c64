import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { meantCode } from '../../domain/license/codes.ts';
import { findLicenseByCode } from '../../queries/licenses.ts';
import { toLicense } from '../../domain/license/rules.ts';
import { CodeParams, License } from '../../domain/license/schemas.ts';

export const getLicenseByCode = endpoint({
  id: 'licenses.byCode',
  route: ['GET /licenses/by-code/:code'],
  summary: 'Get a licence by code',
  access: apiKey('licenses:read'),
  effect: 'read',
  params: CodeParams,
  reply: [200, record(License)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, now }) => {
  const { found } = await db.query({ found: findLicenseByCode(meantCode(params.code)) });
  return found[0] ? one(toLicense(found[0], now)) : refuse('rest_not_found');
});
