import type { Receipt, SendErrorKind } from '../../../src/providers/messages/sender.ts';
import type { Fault } from '../provider.ts';

/** Faults with a message; `lying` = answered like a success, without any effect. */
export type SendFault = Fault | 'lying';

/** A message that went out to a person. */
export interface Arrived {
  /** The provider's id of it. */
  readonly id: string;
  readonly to: string;
  /** Null where the medium shows none. */
  readonly subject: string | null;
  readonly text: string;
  readonly html: string | null;
}

/** A provider's receipts of messages. */
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
  /** True if it recognises a message by its key, and sends it once. */
  readonly knowsKeys: boolean;
  /** The environment of a store that is its customer; once open. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Everything that it was handed, in order. */
  readonly journal: readonly unknown[];
  /** @param now what it takes for the time */
  open(now: () => Date): Promise<void>;
  close(): Promise<void>;

  /** Plans a fault of the next message; repeated calls plan one after the other. */
  fail(fault: SendFault): void;
  /** The next message is refused, in the provider's own words; in line with `fail`. */
  refuse(kind: Exclude<SendErrorKind, 'unknown'>, retryAfter?: number): void;
  /** Nothing is done with messages, nor answered, from now on until the function is called. */
  hold(): () => void;

  /** Sent messages, newest last. */
  sent(): readonly Arrived[];
  /** Absent where the provider tells nothing, or nothing that is proven. */
  readonly receipts?: TestReceipts;
}
