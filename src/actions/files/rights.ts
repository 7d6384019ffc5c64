import type { Argument, Results } from '../../kernel/database/statements.ts';
import type { FileRights } from '../../domain/file/downloads.ts';
import { type FilesAsked, findFileRights } from '../../queries/access-files.ts';
import { findSettings } from '../../queries/settings.ts';
import { findAccessUser } from '../../queries/users.ts';

export const loadRights = (user_id: Argument<number>, asked: FilesAsked) => ({
  user: findAccessUser(user_id),
  settings: findSettings(),
  ...findFileRights(user_id, asked),
});

/** Undefined for a deleted user. */
export function rightsOf(
  { user, settings, grants, options, contents }: Results<ReturnType<typeof loadRights>>,
  now: Date,
): FileRights | undefined {
  if (!user[0]) return undefined;
  return {
    user: user[0],
    ...{ grants, contents },
    options: options.rows.map(({ order_id, option_id }) => ({
      order_id: Number(order_id),
      option_id,
    })),
    now: now.toISOString(),
    timezone: settings[0]?.timezone ?? 'UTC',
  };
}
