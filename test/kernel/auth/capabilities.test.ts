import { describe, expect, test } from 'vitest';
import {
  capabilities,
  capabilitiesOf,
  isAdministrator,
  isInConsole,
  isStaff,
  rolesWith,
} from '../../../src/domain/user/capabilities.ts';
import { type UserRole, userRoles } from '../../../src/schema/lists.ts';
import { scopes } from '../../../src/schema/scopes.ts';

const of = (...roles: UserRole[]) => capabilitiesOf({ roles, staff_role_id: null });

describe('capabilities', () => {
  test('only an administrator manages the store', () => {
    expect(rolesWith('manage_options')).toEqual(['administrator']);
  });

  test('administrators and shop managers reach the administration', () => {
    expect(rolesWith('read_admin')).toEqual(['administrator', 'shop-manager']);
  });

  test('everyone but a mere member uploads files', () => {
    expect(rolesWith('upload_files')).toEqual(['administrator', 'shop-manager', 'affiliate']);
  });

  test('several roles add up, each capability once, in any order of the roles', () => {
    expect(of('member', 'affiliate', 'shop-manager')).toEqual(['read_admin', 'upload_files']);
    expect(of('shop-manager', 'affiliate')).toEqual(['read_admin', 'upload_files']);
    expect(of()).toEqual([]);
  });

  test('a user has a capability exactly when one of their roles gives it', () => {
    for (const capability of capabilities) {
      for (const role of userRoles) {
        expect(of(role).includes(capability)).toBe(rolesWith(capability).includes(role));
      }
    }
  });

  test('any role in the console reads and uploads, whatever its scopes', () => {
    expect(capabilitiesOf({ roles: ['member'], staff_role_id: 1 })).toEqual([
      'read_admin',
      'upload_files',
    ]);
  });

  test('staff are administrators, and everybody with a role in the console', () => {
    const staff = (staff_role_id: number | null) =>
      userRoles.filter((role) => isStaff({ roles: [role], staff_role_id }));
    expect(staff(null)).toEqual(['administrator']);
    expect(staff(1)).toEqual(userRoles);
    expect(userRoles.filter((role) => isAdministrator({ roles: [role] }))).toEqual([
      'administrator',
    ]);
  });

  test('the console has every scope but the one that issues sessions', () => {
    const others = scopes.map(({ name }) => name).filter((name) => !isInConsole(name));
    expect(others).toEqual(['sessions:write']);
  });
});
