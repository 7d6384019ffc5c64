import type { Receipt, SendErrorKind } from '../../../src/providers/messages/sender.ts';
import type { Fault } from '../provider.ts';

/** What goes wrong with a message; `lying` = answered like a success, without having done anything. */
export type SendFault = Fault | 'lying';

/** A message that went out to a person. */
export interface Arrived {
  /** What the provider calls it. */
  readonly id: string;
  readonly to: string;
  /** Null where the medium shows none. */
  readonly subject: string | null;
  readonly text: string;
  readonly html: string | null;
}

/** What a provider tells of messages that it sent. */
export interface TestReceipts {
  readonly states: readonly Receipt['state'][];
  /** Messages are sent, and not answered for, from now on until the function is called. */
  holdAnswers(): () => void;
  /** Something becomes of a message; its receipts wait to be posted. */
  tell(id: string, state: Receipt['state']): void;
  /** Receipts that wait, as requests to the address of callbacks; taking them empties it. */
  take(url: string): Request[];
  /** Receipts of a message that somebody else makes up, and genuine ones that were altered. */
  forgeries(url: string, id: string): Promise<Request[]>;
}

/**
 * A sender of messages as a state machine of its own on this machine, written from the provider's
 * documents. It checks what it is handed as the provider does, and keeps what went out.
 */
export interface TestSender {
  /** The sender's id. */
  readonly id: string;
  readonly medium: 'email' | 'whatsapp';
  /** Whether it knows a message by its key, and sends it once. */
  readonly knowsKeys: boolean;
  /** What a store has in its environment that is its customer; once open. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Everything that it was handed, in order. */
  readonly journal: readonly unknown[];
  /** @param now what it takes for the time */
  open(now: () => Date): Promise<void>;
  close(): Promise<void>;

  /** What goes wrong with the next message; one after the other where it is called again. */
  fail(fault: SendFault): void;
  /** The next message is refused, in the provider's own words; in line with `fail`. */
  refuse(kind: Exclude<SendErrorKind, 'unknown'>, retryAfter?: number): void;
  /** Nothing is done with messages, nor answered, from now on until the function is called. */
  hold(): () => void;

  /** What went out, the newest last. */
  sent(): readonly Arrived[];
  /** Absent where the provider tells nothing, or nothing that is proven. */
  readonly receipts?: TestReceipts;
}
