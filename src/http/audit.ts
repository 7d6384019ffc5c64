import type { Principal } from '../auth/principals.ts';
import { auditLog } from '../db/schema/platform.ts';
import { type Statement, build } from '../db/statements.ts';
import type { Decision } from './endpoint.ts';

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
  return [
    build.insert(auditLog).values({
      at: now.toISOString(),
      actor_id: principal.actorId ?? principal.userId,
      user_id: audit?.user_id ?? principal.userId,
      sid: principal.claims.act?.sid ?? principal.claims.sid,
      operation,
      reason: audit?.reason ?? null,
      request_id: id,
    }),
  ];
}
