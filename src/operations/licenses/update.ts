import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { isSameRecord } from '../../lib/objects.ts';
import { stateChanged } from '../../domain/user/events.ts';
import { licenseEvent } from '../../domain/license/events.ts';
import { findLicense, saveByHand } from '../../queries/licenses.ts';
import { toLicense, updatedLicense } from '../../domain/license/rules.ts';
import { License, LicenseUpdate } from '../../domain/license/schemas.ts';

export const updateLicense = endpoint({
  id: 'licenses.update',
  route: ['POST /licenses/:id'],
  summary: 'Update a licence',
  description:
    'Changes only the fields you send. A licence that is set inactive here stays so, whatever happens to its orders. If the limit falls below the seats in use, those stay, and no more are given.',
  access: apiKey('licenses:write'),
  effect: 'write',
  params: IdParams,
  body: LicenseUpdate,
  reply: [200, record(License)],
  errors: ['rest_not_found'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: { found: findLicense(params.id) },
    decide: ({ found }) => {
      const before = current(found, ifMatch, 'license');
      if (isRefusal(before)) return before;
      const after = updatedLicense(before, body, now);
      if (isSameRecord(before.license, after.license)) {
        return { write: [], reply: one(toLicense(before, now)) };
      }
      const license = toLicense(after, now);
      const moved = license.status !== before.license.status;
      return {
        write: saveByHand(before, after),
        events: [
          ...(moved ? [licenseEvent('license.status-updated', license)] : []),
          ...(license.expires_at === before.license.expires_at
            ? []
            : [stateChanged(license.user_id, 'licenses')]),
        ],
        before: toLicense(before, now),
        reply: one(license),
      };
    },
  }),
);
