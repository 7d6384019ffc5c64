import type { ErrorTable } from '../../kernel/errors/errors.ts';

/** What user groups refuse with. */
export const groupErrors = {
  group_name_exists: [409, 'Another group has this name.'],
  group_has_users: [409, 'Users are in this group.'],
  group_below: [409, 'This is downwards. Send force to do it all the same.'],
} as const satisfies ErrorTable;
