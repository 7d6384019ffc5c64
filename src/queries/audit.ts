import { sql } from 'drizzle-orm';
import { type Window, equals, isDated, paged, since, until } from '../kernel/database/filters.ts';
import { build } from '../kernel/database/statements.ts';
import { actorName } from './actor-names.ts';
import type { AuditQuery } from '../domain/audit/schemas.ts';
import { auditLog } from '../schema/platform.ts';

/** The number of the changed order; null for other records, and for an erased order. */
const subjectNumber = sql`case
    when ${auditLog.subject_type} = 'orders' and ${auditLog.subject_id} ~ '^[0-9]{1,18}$'
    then (select o.number from orders o where o.id = ${auditLog.subject_id}::bigint) end`
  .mapWith((number: string): string | null => number)
  .as('subject_number');

/** A page of the audit log. */
export const listAudit = (query: AuditQuery, window: Window) =>
  paged(
    build
      .select({
        id: auditLog.id,
        at: auditLog.at,
        actor_type: auditLog.actor_type,
        actor_id: auditLog.actor_id,
        actor_name: actorName(auditLog),
        acting_as: auditLog.user_id,
        operation: auditLog.operation,
        subject_type: auditLog.subject_type,
        subject_id: auditLog.subject_id,
        subject_number: subjectNumber,
        before: auditLog.before,
        after: auditLog.after,
        reason: auditLog.reason,
        request_id: auditLog.request_id,
      })
      .from(auditLog)
      .$dynamic(),
    auditLog.id,
    {
      ...equals(auditLog, {
        actor_type: query.actor_type,
        actor_id: query.actor_id,
        operation: query.operation,
        subject_type: query.subject_type,
        subject_id: query.subject_id,
      }),
      date_start: since(auditLog.at, query.date_start),
      date_end: until(auditLog.at, query.date_end),
    },
    window,
    isDated(query) ? { time: auditLog.at } : {},
  );
