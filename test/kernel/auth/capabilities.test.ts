import { describe, expect, test } from 'vitest';
import { capabilities, capabilitiesOf, rolesWith } from '../../../src/domain/user/capabilities.ts';
import { userRoles } from '../../../src/schema/lists.ts';

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
    expect(capabilitiesOf(['member', 'affiliate', 'shop-manager'])).toEqual([
      'read_admin',
      'upload_files',
    ]);
    expect(capabilitiesOf(['shop-manager', 'affiliate'])).toEqual(['read_admin', 'upload_files']);
    expect(capabilitiesOf([])).toEqual([]);
  });

  test('a user has a capability exactly when one of their roles gives it', () => {
    for (const capability of capabilities) {
      for (const role of userRoles) {
        expect(capabilitiesOf([role]).includes(capability)).toBe(
          rolesWith(capability).includes(role),
        );
      }
    }
  });
});
