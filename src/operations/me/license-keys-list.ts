import * as z from 'zod';
import { endpoint, ownPage, session } from '../../kernel/endpoint/declare.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { preparedList } from '../../kernel/lists/prepared.ts';
import { readList } from '../../kernel/lists/read.ts';
import { LicenseKey, toLicenseKey } from '../../domain/license/keys.ts';
import { countLicenses, listLicenseKeys } from '../../queries/licenses.ts';
import { asOwn } from '../../actions/me/rules.ts';

const list = preparedList({ list: listLicenseKeys, count: countLicenses }, [{ user_id: 'bigint' }]);

export const listOwnLicenseKeys = endpoint({
  id: 'me.licenseKeys.list',
  route: ['GET /me/license-keys'],
  summary: 'List your licence codes',
  description:
    "The user's licences with their whole codes, newest first; also those that may not be used now.",
  access: session(),
  effect: 'read',
  query: z.object(pageParameters),
  reply: [200, ownPage(LicenseKey)],
}).handle(async ({ principal, query, db, now }) => {
  const own = { ...query, user_id: principal.userId };
  const page = await readList(db, own, { ...list, show: (row) => toLicenseKey(row, now) });
  return asOwn(principal, page);
});
