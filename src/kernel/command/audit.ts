import { sql } from 'drizzle-orm';
import type { Actor } from '../auth/actor.ts';
import type { Principal } from '../auth/principals.ts';
import { type Statement, raw } from '../database/statements.ts';
import type { Answer, AuditNote, Decision } from './decision.ts';
import { differenceOf } from './difference.ts';

export interface AuditedRequest {
  readonly principal: Principal;
  /** The endpoint's id. */
  readonly operation: string;
  readonly id: string;
  readonly now: Date;
  /** True for everyday traffic of a store: with an API key, it leaves no row. */
  readonly everyday: boolean;
  /** True if only administrators may send the request. */
  readonly ofAdministrators: boolean;
  /** The record named in the path. */
  readonly record: string | undefined;
  /** Maps a record to its public fields; undefined if replies carry a secret. */
  readonly shown: ((record: object) => unknown) | undefined;
  /** The fields of a kind of record whose values are personal. */
  readonly personalFields: (subject: string) => readonly string[];
}

interface AuditRow extends Partial<Pick<Switch, 'acting_as' | 'sid'>> {
  readonly at: Date;
  readonly actor: Actor;
  /** The endpoint's id. For the command line, the id of the endpoint with the same effect. */
  readonly operation: string;
  /** The kind of the changed record, as in operation ids: `products`. */
  readonly subject: string;
  readonly record: string | number | null;
  readonly before?: object | undefined;
  readonly after?: object | undefined;
  readonly reason?: string | null | undefined;
  readonly request_id?: string;
}

export const insertAuditRow = ({ actor, record, ...row }: AuditRow): Statement =>
  raw(sql`insert into audit_log (at, actor_type, actor_id, user_id, sid, operation, subject_type,
      subject_id, before, after, reason, request_id)
    values (${row.at.toISOString()}, ${actor.type}, ${actor.id}, ${row.acting_as ?? null},
      ${row.sid ?? null}, ${row.operation}, ${row.subject}, ${record === null ? null : `${record}`},
      ${json(row.before)}::jsonb, ${json(row.after)}::jsonb, ${row.reason ?? null},
      ${row.request_id ?? null})`);

/**
 * Returns the audit row of a write, if it leaves one. Writes with a note always do. So do writes in the console, by
 * administrators only, as another user, and with an API key except for everyday traffic.
 */
export function auditRow(
  request: AuditedRequest,
  decision: Pick<Decision<unknown>, 'audit' | 'before' | 'write'>,
  answer: Pick<Answer, 'text'>,
): Statement[] {
  const { audit, write } = decision;
  if (!audit && (write.length === 0 || !isAudited(request))) return [];
  const { principal, now, operation, id } = request;
  const { acting_as, sid } = switchOf(principal, audit);
  const subject = subjectOf(operation);
  const data = dataOf(answer);
  const record =
    audit?.record ?? partOf(data, subject)?.id ?? request.record ?? data?.id ?? acting_as;
  const difference = changeOf(request, subject, decision.before, data);
  return [
    insertAuditRow({
      ...{ at: now, operation, subject, record, acting_as, sid, request_id: id },
      actor: audit?.actor ?? principal.actor,
      before: difference?.before,
      after: audit?.after ?? difference?.after,
      reason: audit?.reason,
    }),
  ];
}

function isAudited({ principal, everyday, ofAdministrators }: AuditedRequest): boolean {
  switch (principal.kind) {
    case 'console':
      return true;
    case 'session':
      return principal.actorId !== null || ofAdministrators;
    case 'key':
      return !everyday;
    case 'anyone':
      return false;
  }
}

/** The user that an administrator acts as, and the administrator's session. */
interface Switch {
  readonly acting_as: number | null;
  readonly sid: string | null;
}

function switchOf(principal: Principal, audit: AuditNote | undefined): Switch {
  if (principal.kind !== 'session') return { acting_as: audit?.acting_as ?? null, sid: null };
  const { actorId, userId, claims } = principal;
  return {
    acting_as: audit?.acting_as ?? (actorId === null ? null : userId),
    sid: claims.act?.sid ?? claims.sid,
  };
}

/** The kind of record that an operation changes. Operations of `me` act for the user. */
export function subjectOf(operation: string): string {
  const [first = '', ...rest] = operation.split('.');
  if (first !== 'me') return first;
  return rest.length > 1 ? (rest[0] ?? '') : 'users';
}

type Shown = (Readonly<Record<string, unknown>> & { readonly id?: number }) | undefined;

function dataOf({ text }: Pick<Answer, 'text'>): Shown {
  const { data } = JSON.parse(text) as { data?: Shown };
  return data;
}

/** Returns a part of an answer with several records, such as `refund`. */
const partOf = (data: Shown, subject: string): Shown => data?.[subject.replace(/s$/, '')] as Shown;

function changeOf(
  { shown, personalFields }: AuditedRequest,
  subject: string,
  before: object | undefined,
  after: Shown,
) {
  if (!shown || !before || !after) return undefined;
  return differenceOf(shown(before) as NonNullable<Shown>, after, personalFields(subject));
}

const json = (value: object | undefined) => (value ? JSON.stringify(value) : null);
