import { describe, expect, test } from 'vitest';
import { capabilities, capabilitiesOf, rolesWith } from '../../../src/domain/user/capabilities.ts';
import { type UserRole, userRoles } from '../../../src/schema/lists.ts';

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
});
