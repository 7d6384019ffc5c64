import { sql } from 'drizzle-orm';
import type { Principal } from '../auth/principals.ts';
import { type Statement, raw } from '../database/statements.ts';
import type { Answer, Decision } from './decision.ts';
import { differenceOf } from './difference.ts';

/** The request that an audit row tells of. */
export interface AuditedRequest {
  readonly principal: Principal;
  /** The endpoint's id. */
  readonly operation: string;
  readonly id: string;
  readonly now: Date;
  /** Whether it is a store's everyday traffic where an API key asks for it. */
  readonly everyday: boolean;
  /** Whether only administrators may ask for it. */
  readonly ofAdministrators: boolean;
  /** The record that its path names. */
  readonly record: string | undefined;
  /** What a reply shows of a record; undefined where replies carry a secret. */
  readonly shown: ((record: object) => unknown) | undefined;
  /** The fields of a kind of record whose values are personal. */
  readonly personalFields: (subject: string) => readonly string[];
}

/**
 * The audit row of a write, where it leaves one: every write of somebody in the console, of an administrator by
 * what is theirs alone, or as another user; and every write of an API key that isn't everyday traffic.
 */
export function auditRow(
  request: AuditedRequest,
  decision: Pick<Decision<unknown>, 'audit' | 'before' | 'notable' | 'write'>,
  answer: Pick<Answer, 'text'>,
): Statement[] {
  const { audit, write } = decision;
  if (!isAudited(request, decision) || (write.length === 0 && !audit)) return [];
  const { principal, now, operation, id } = request;
  const { actedAs, sid } = switched(principal, audit);
  const subject = subjectOf(operation);
  const data = dataOf(answer);
  const named = partOf(data, subject)?.id ?? request.record ?? data?.id ?? actedAs;
  const difference = changeOf(request, subject, decision.before, data);
  const { type, id: actorId } = principal.actor;
  return [
    raw(sql`insert into audit_log (at, actor_type, actor_id, user_id, sid, operation, subject_type,
        subject_id, before, after, reason, request_id)
      values (${now.toISOString()}, ${type}, ${actorId}, ${actedAs}, ${sid}, ${operation}, ${subject},
        ${named === null ? null : `${named}`}, ${json(difference?.before)}::jsonb,
        ${json(difference?.after)}::jsonb, ${audit?.reason ?? null}, ${id})`),
  ];
}

function isAudited(
  { principal, everyday, ofAdministrators }: AuditedRequest,
  { audit, notable }: Pick<Decision<unknown>, 'audit' | 'notable'>,
): boolean {
  switch (principal.kind) {
    case 'console':
      return true;
    case 'session':
      return audit !== undefined || principal.actorId !== null || ofAdministrators;
    case 'key':
      return !everyday || notable === true;
    case 'anyone':
      return false;
  }
}

/** Whom an administrator acts as, by which session of theirs. */
function switched(principal: Principal, audit: Decision<unknown>['audit']) {
  if (principal.kind !== 'session') return { actedAs: null, sid: null };
  const { actorId, userId, claims } = principal;
  return {
    actedAs: audit?.user_id ?? (actorId === null ? null : userId),
    sid: claims.act?.sid ?? claims.sid,
  };
}

/** The kind of record that an operation is of; users act in their own name by operations of `me`. */
function subjectOf(operation: string): string {
  const [first = '', ...rest] = operation.split('.');
  if (first !== 'me') return first;
  return rest.length > 1 ? (rest[0] ?? '') : 'users';
}

type Shown = (Readonly<Record<string, unknown>> & { readonly id?: number }) | undefined;

/** The record that an answer shows, where it shows one. */
function dataOf({ text }: Pick<Answer, 'text'>): Shown {
  const { data } = JSON.parse(text) as { data?: Shown };
  return data;
}

/** The record of a kind, in an answer that shows others beside it: `refund` where refunds are made. */
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
