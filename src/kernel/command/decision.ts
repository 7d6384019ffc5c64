import type { Actor } from '../auth/actor.ts';
import type { Write } from '../database/statements.ts';
import type { DomainEvent } from '../events/define.ts';

/** Facts for the audit log that are neither in the request nor in its reply. */
export interface AuditNote {
  /** The person who turns out to be the caller. */
  readonly actor?: Actor;
  /** The user that the caller acts as after this change. */
  readonly acting_as?: number;
  /** The caller's reason for acting as that user. */
  readonly reason?: string | null;
  /** The record's id, if the reply doesn't show it. */
  readonly record?: string | number;
  /** Facts that replace the changed fields of the record. */
  readonly after?: Readonly<Record<string, unknown>>;
}

/** The outcome of a rule: rows and events, written in one transaction, and the body of the answer. */
export interface Decision<Body, C extends string = string, Again = unknown> {
  /**
   * Prepares things outside the database, such as files, before the rows are written. It runs again if the write is
   * retried. Nothing that it leaves may be visible without the rows.
   */
  readonly first?: () => Promise<void>;
  readonly write: readonly Write<C>[];
  /** Events in order; webhooks get them after the commit. */
  readonly events?: readonly DomainEvent[];
  /** A note for the audit log. A change with a note always leaves a row. */
  readonly audit?: AuditNote | undefined;
  /** For the audit log: the changed record before the change, in the shape of the reply. */
  readonly before?: object;
  /** Facts for the next try, if the state changes before the write. */
  readonly again?: Again;
  readonly reply: Body;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Raw bytes in place of the text. */
  readonly stream?: ReadableStream;
  readonly headers?: Readonly<Record<string, string>>;
  /** The error's code, if `text` is an error page instead of JSON. */
  readonly code?: string;
  readonly replayed?: boolean;
}
