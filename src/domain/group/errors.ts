import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const groupErrors = {
  group_name_exists: [409, 'Another group has this name.'],
  group_has_users: [409, 'There are users in this group.'],
  group_below: [409, "This group ranks below the user's. Send force to move them anyway."],
} as const satisfies ErrorTable;
