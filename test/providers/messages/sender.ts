import type { Receipt, SendErrorKind } from '../../../src/providers/messages/sender.ts';
import type { Fault } from '../provider.ts';

/** Faults with a message; `lying` = answered like a success, without any effect. */
export type SendFault = Fault | 'lying';

export interface Arrived {
  /** The provider's id of it. */
  readonly id: string;
  readonly to: string;
  /** Null if the medium has none. */
  readonly subject: string | null;
  readonly text: string;
  readonly html: string | null;
}

export interface TestReceipts {
  readonly states: readonly Receipt['state'][];
  /** Sends messages without answering until the returned function is called. */
  holdAnswers(): () => void;
  /** Reports an outcome of a message; its receipts wait to be posted. */
  tell(id: string, state: Receipt['state']): void;
  /** The waiting receipts as requests to the address of callbacks; each is returned once. */
  take(url: string): Request[];
  /** Forged receipts of a message, and altered genuine ones. */
  forgeries(url: string, id: string): Promise<Request[]>;
}

/**
 * A sender of messages as a server on this machine, written from the provider's documents. It checks messages as the
 * provider does, and keeps those that it sent.
 */
export interface TestSender {
  readonly id: string;
  readonly medium: 'email' | 'whatsapp';
  /** True if it recognises a repeated message by its key and sends it once. */
  readonly knowsKeys: boolean;
  /** The variables of a store that uses it, once it is open. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Everything that it received, in order. */
  readonly journal: readonly unknown[];
  /** @param now its clock */
  open(now: () => Date): Promise<void>;
  close(): Promise<void>;

  /** Plans a fault of the next message; repeated calls plan one after the other. */
  fail(fault: SendFault): void;
  /** Plans a refusal of the next message, in the provider's words, after the planned faults. */
  refuse(kind: Exclude<SendErrorKind, 'unknown'>, retryAfter?: number): void;
  /** Handles and answers no messages until the returned function is called. */
  hold(): () => void;

  sent(): readonly Arrived[];
  /** Undefined if the provider sends no receipts, or unproven ones. */
  readonly receipts?: TestReceipts;
}
