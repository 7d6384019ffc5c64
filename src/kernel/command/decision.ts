import type { Actor } from '../auth/actor.ts';
import type { Write } from '../database/statements.ts';
import type { DomainEvent } from '../events/define.ts';

/** Facts for the audit log that neither the request nor its reply says. */
export interface AuditNote {
  /** The person that the caller turns out to be by this change. */
  readonly actor?: Actor;
  /** The user that the caller acts as from now on. */
  readonly acting_as?: number;
  /** The reason for that, in the caller's words. */
  readonly reason?: string | null;
  /** The id of the record, where the reply doesn't show it as one. */
  readonly record?: string | number;
  /** Facts to keep in place of the record's fields that changed. */
  readonly after?: Readonly<Record<string, unknown>>;
}

/** The outcome of a rule: rows and events to write, all or nothing, and the body of the answer. */
export interface Decision<Body, C extends string = string, Again = unknown> {
  /**
   * Prepares the world outside the database (such as files) before the rows are written. It runs again if the write
   * is tried again, and must leave nothing that anybody sees without the rows.
   */
  readonly first?: () => Promise<void>;
  readonly write: readonly Write<C>[];
  /** Events in order; webhooks get them after the commit. */
  readonly events?: readonly DomainEvent[];
  /** A note for the audit log: a change that has one leaves a row there, whoever makes it. */
  readonly audit?: AuditNote | undefined;
  /** For the audit log: the record that is changed as it was, in the shape the reply shows it in. */
  readonly before?: object;
  /** Facts for the next try, where the state moved before this one was written. */
  readonly again?: Again;
  readonly reply: Body;
}

/** A body that is rendered already. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** In place of the text: bytes as they come. */
  readonly stream?: ReadableStream;
  readonly headers?: Readonly<Record<string, string>>;
  /** The code of the error, if the text is a page and not the error's body. */
  readonly code?: string;
  readonly replayed?: boolean;
}
