import type { Write } from '../database/statements.ts';
import type { DomainEvent } from '../events/define.ts';

/** What a rule decided: rows and events to write, all or nothing, and the body to answer with. */
export interface Decision<Body, C extends string = string> {
  /**
   * What the rows depend on outside the database: done before they are written, again where that is
   * tried again, and to be such that nobody sees it without them.
   */
  readonly first?: () => Promise<void>;
  readonly write: readonly Write<C>[];
  /** What happened, in order; webhooks get them once the change is committed. */
  readonly events?: readonly DomainEvent[];
  /** For the audit log: whom its caller acts as from now on, and why. */
  readonly audit?: { readonly user_id: number; readonly reason: string | null };
  /** For the audit log: it is more than the everyday traffic that its endpoint is otherwise. */
  readonly notable?: boolean;
  /** For the audit log: the record that is changed as it was, in the shape the reply shows it in. */
  readonly before?: object;
  readonly reply: Body;
}

/** A body that is rendered already. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** In place of the text: bytes as they come. */
  readonly stream?: ReadableStream;
  readonly headers?: Readonly<Record<string, string>>;
  readonly replayed?: boolean;
}
