import { and, eq, sql } from 'drizzle-orm';
import { type Write, build, guard, lockName, raw } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import type { UserRow } from '../domain/user/rules.ts';
import { userExternalIds, users } from '../schema/users.ts';
import { forgetPhone } from './account-codes.ts';
import { present, uplinesFrom } from './users.ts';

export function insertUser({ user, external_ids: ids }: UserRow) {
  return [build.insert(users).values(user), ...insertExternalIds(user.id, ids)];
}

/** Inserts a user with an unused e-mail address. The later of two callers decides again. */
export const insertBuyer = ({ user }: UserRow) =>
  guard(
    build
      .insert(users)
      .values(user)
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id }),
    'rest_conflict',
  );

const insertExternalIds = (user_id: number, ids: Record<string, string>) => {
  const rows = Object.entries(ids).map(([provider, external_id]) => ({
    user_id,
    provider,
    external_id,
  }));
  return rows.length > 0 ? [build.insert(userExternalIds).values(rows)] : [];
};

export function updateUser(before: UserRow, after: UserRow): Write<'rest_upline_cycle'>[] {
  const { id, affiliate_id } = after.user;
  const moved = before.user.affiliate_id !== affiliate_id;
  return [...(moved ? holdTree(id, affiliate_id) : []), ...saveUser(before, after)];
}

/** Keeps a user from being erased until the commit, so that nothing of theirs is written after it was erased. */
export const holdPresent = (id: number) =>
  guard(
    build
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, id), present))
      .for('key share'),
    'rest_conflict',
  );

/** Writes a user's new state, if the version is unchanged. The place in the tree is the same. */
export function saveUser(before: UserRow, after: UserRow): Write[] {
  const { id } = before.user;
  return [
    updateRow(users, before.user, after.user),
    // A confirmed number opens the account only as long as it is the person's.
    ...(before.user.phone === after.user.phone ? [] : [forgetPhone(id)]),
    build.delete(userExternalIds).where(eq(userExternalIds.user_id, id)),
    ...insertExternalIds(id, after.external_ids),
  ];
}

/** Serialises changes of the tree. */
export const lockTree = lockName('users.affiliate_id');

/** Serialises changes of the tree, and refuses a cycle. */
function holdTree(id: number, sponsor: number | null): Write<'rest_upline_cycle'>[] {
  if (sponsor === null) return [];
  return [
    lockTree,
    {
      code: 'rest_upline_cycle',
      statement: raw(sql`${uplinesFrom(sponsor)}
        select svc_guard(not exists (select from uplines where id = ${id}), 'rest_upline_cycle')`),
    },
  ];
}

/** Removes an administrator's role if another administrator stays. Such changes are serialised. */
export const keepAdministrator = (leaving: number): Write<'last_administrator'> => ({
  code: 'last_administrator',
  statement: raw(sql`select svc_keep_administrator(${leaving})`),
});
