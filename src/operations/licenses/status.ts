import { apiKey } from '../../kernel/auth/access.ts';
import { endpointByQueryOrBody } from '../../kernel/endpoint/query-or-body.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { verdictOn } from '../../domain/license/answers.ts';
import { LicenseCheck, LicenseCheckQuery, LicenseVerdict } from '../../domain/license/schemas.ts';
import { checkCase } from '../../queries/licenses.ts';

export const [getLicenseStatus, getLicenseStatusByQuery] = endpointByQueryOrBody({
  id: 'licenses.status',
  path: '/licenses/status',
  summary: 'Check a licence',
  description: 'Gives the same verdict as `validate` without recording the use.',
  access: apiKey('licenses:read'),
  effect: 'read',
  query: LicenseCheckQuery,
  body: LicenseCheck,
  reply: [200, LicenseVerdict],
  errors: ['rest_not_found'],
}).handle(async ({ input, db, now }) => {
  const { found, known } = await db.query(checkCase(input));
  return found[0] ? verdictOn(found[0], known[0] ?? null, input, now) : refuse('rest_not_found');
});
