import { and, eq, sql } from 'drizzle-orm';
import { revokedSessions } from '../schema/platform.ts';
import { users } from '../schema/users.ts';
import { type Write, build, guard } from '../kernel/database/statements.ts';
import { addSeconds } from '../lib/instant.ts';
import type { UserRow } from '../domain/user/rules.ts';

/** The longest life of a token in seconds, and the time for which a revoked session is remembered. */
const longestLifetime = 2_592_000;

/** Revokes a session until none of its tokens can be valid. */
export const revokeSession = (sid: string, now: Date) =>
  build
    .insert(revokedSessions)
    .values({
      sid,
      revoked_at: now.toISOString(),
      expires_at: addSeconds(now.toISOString(), longestLifetime),
    })
    .onConflictDoNothing();

/**
 * Ends every session that the user has so far. Tokens have whole seconds, so sessions of the current second end too.
 * After an earlier revocation in the same second, new tokens are dated a second ahead, and this ends them as well; the
 * date is never more than five seconds ahead, because tokens are accepted that long before their time. The user must
 * still have the roles of the decision.
 */
export const revokeSessionsOf = (
  { id, roles, staff_role_id }: UserRow['user'],
  now: Date,
): Write => {
  const second = sql`date_trunc('second', ${now.toISOString()}::timestamptz)`;
  return guard(
    build
      .update(users)
      .set({
        sessions_valid_after: sql`least(
          greatest(${second}, ${users.sessions_valid_after}) + interval '1 second',
          ${second} + interval '5 seconds')`,
      })
      .where(
        and(
          eq(users.id, id),
          eq(users.roles, roles),
          sql`${users.staff_role_id} is not distinct from ${staff_role_id}`,
        ),
      )
      .returning({ id: users.id }),
    'rest_conflict',
  );
};
