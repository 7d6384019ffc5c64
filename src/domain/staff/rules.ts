import { withoutUndefined } from '../../lib/objects.ts';
import type { StaffRoleRow } from '../../schema/staff.ts';
import type { StaffRole, StaffRoleCreate, StaffRoleUpdate } from './schemas.ts';

interface Staffed {
  readonly role: StaffRoleRow;
  readonly people: number;
}

export const toStaffRole = ({ role, people }: Staffed): StaffRole => ({ ...role, users: people });

export const newStaffRole = (
  { name, scopes }: StaffRoleCreate,
  id: number,
  now: Date,
): StaffRoleRow => ({
  id,
  name,
  scopes: [...new Set(scopes)],
  built_in: false,
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
  version: 1,
});

export const updatedStaffRole = (
  before: StaffRoleRow,
  { scopes, ...input }: StaffRoleUpdate,
  now: Date,
): StaffRoleRow => ({
  ...before,
  ...withoutUndefined(input),
  ...(scopes && { scopes: [...new Set(scopes)] }),
  updated_at: now.toISOString(),
  version: before.version + 1,
});
