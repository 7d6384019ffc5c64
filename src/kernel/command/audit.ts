import type { Principal } from '../auth/principals.ts';
import { sql } from 'drizzle-orm';
import { type Statement, raw } from '../database/statements.ts';
import type { Decision } from './decision.ts';

/** The request that an audit row tells of. */
export interface AuditedRequest {
  readonly principal: Principal;
  /** The endpoint's id. */
  readonly operation: string;
  readonly id: string;
  readonly now: Date;
}

/**
 * The audit row of a write: every write of an administrator who acts as another user leaves one, and
 * so does a decision that names whom its caller acts as.
 */
export function auditRow(
  { principal, operation, id, now }: AuditedRequest,
  audit: Decision<unknown>['audit'],
): Statement[] {
  if (principal.kind !== 'session' || (!audit && principal.actorId === null)) return [];
  const userId = audit?.user_id ?? principal.userId;
  return [
    raw(sql`insert into audit_log (at, actor_id, user_id, sid, operation, reason, request_id)
      values (${now.toISOString()}, ${principal.actorId ?? principal.userId}, ${userId},
        ${principal.claims.act?.sid ?? principal.claims.sid}, ${operation}, ${audit?.reason ?? null}, ${id})`),
  ];
}
