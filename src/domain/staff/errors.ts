import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const staffErrors = {
  staff_role_name_exists: [409, 'Another role has this name.'],
  staff_role_in_use: [409, 'There are people with this role. Give them another one first.'],
  staff_role_built_in: [409, 'Every store has this role. Take scopes from it instead.'],
} as const satisfies ErrorTable;
