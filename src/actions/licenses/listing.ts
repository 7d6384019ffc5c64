import type { ReadAccess } from '../../kernel/command/store.ts';
import { preparedList } from '../../kernel/lists/prepared.ts';
import { readChanges } from '../../kernel/lists/read.ts';
import { countLicenses, listLicenses } from '../../queries/licenses.ts';
import { forList, toLicense } from '../../domain/license/rules.ts';
import type { LicenseQuery } from '../../domain/license/schemas.ts';

const list = preparedList({ list: listLicenses, count: countLicenses }, [
  {},
  { user_id: 'bigint' },
]);

export const readLicenses = (db: ReadAccess, { reveal, ...query }: LicenseQuery, now: Date) =>
  readChanges(db, query, { ...list, show: (row) => forList(toLicense(row, now), reveal) }, now);
