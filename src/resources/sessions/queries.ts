import { sql } from 'drizzle-orm';
import { revokedSessions } from '../../db/schema/platform.ts';
import { users } from '../../db/schema/users.ts';
import { eq } from 'drizzle-orm';
import { build } from '../../db/statements.ts';

/** Ends a session; its next request is refused. Kept until no token of it can be valid any more. */
export const revokeSession = (sid: string, now: Date, lifetime: number) =>
  build
    .insert(revokedSessions)
    .values({
      sid,
      revoked_at: now.toISOString(),
      expires_at: new Date(now.getTime() + lifetime * 1000).toISOString(),
    })
    .onConflictDoNothing();

/**
 * Ends every session of a user that was issued up to now, the current second included, and those
 * issued for the next because of a revocation a moment ago. Five seconds ahead is what a new token is
 * accepted before its time.
 */
export const revokeSessionsOf = (user_id: number, now: Date) => {
  const second = sql`date_trunc('second', ${now.toISOString()}::timestamptz)`;
  return build
    .update(users)
    .set({
      sessions_valid_after: sql`least(
        greatest(${second}, ${users.sessions_valid_after}) + interval '1 second',
        ${second} + interval '5 seconds')`,
    })
    .where(eq(users.id, user_id));
};
