import type { Outbound } from '../../kernel/events/outbound.ts';
import type { MessageKind, MessageMedium } from '../../schema/lists.ts';
import type { MessageContent } from '../../schema/message-content.ts';
import type { Callback } from '../callback.ts';
import { plainCode } from '../http.ts';

/** A message as it is handed to a sender. */
export interface OutgoingMessage {
  /** A UUID: equal in every try, and unique among the messages of all deployments. */
  readonly key: string;
  readonly message_id: number;
  readonly kind: MessageKind;
  readonly medium: MessageMedium;
  /** An e-mail address, or a number in E.164: `+62812…`. */
  readonly recipient: string;
  readonly content: MessageContent;
  readonly reminder_id: number | null;
  readonly order_id: number | null;
  /** Null for a message to the seller. */
  readonly user_id: number | null;
}

/**
 * Why a message wasn't taken.
 * `permanent`: it never will be · `temporary`: it may be later · `setup`: the account isn't in order,
 * which holds for every message of the medium, and is for the operator to mend · `unknown`: there was no
 * answer, and it may have been taken.
 */
export type SendErrorKind = 'permanent' | 'temporary' | 'setup' | 'unknown';

/** A sender's refusal, without anything personal. */
export class SendError extends Error {
  override readonly name = 'SendError';
  readonly kind: SendErrorKind;
  /** The provider's own word for it, or its HTTP status: letters, digits, `_`, `.` and `-`. */
  readonly code: string;
  /** Seconds that the provider asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(
    kind: SendErrorKind,
    code: string,
    { retryAfter, ...options }: ErrorOptions & { retryAfter?: number | undefined } = {},
  ) {
    const plain = plainCode(code);
    super(`The sender's answer: ${kind}, ${plain}.`, options);
    this.kind = kind;
    this.code = plain;
    this.retryAfter = retryAfter;
  }
}

/** A provider's report on a message that it accepted. */
export interface Receipt {
  readonly provider_id: string;
  /** The message's own key, if the provider gives it back: its receipt may come before its answer. */
  readonly key: string | null;
  /** `bounced`: the address takes no mail, now or ever · `complained`: its owner called it spam. */
  readonly state: 'delivered' | 'read' | 'bounced' | 'complained' | 'failed';
  /** Why it bounced or failed, in the provider's code: letters, digits, `_`, `.` and `-`. */
  readonly reason: string | null;
}

/** Several messages by one call: all of them are taken, or none. */
export interface BatchSender {
  /** Most messages of a call. */
  readonly most: number;
  /**
   * Hands messages over.
   * @param key the same in every try, as a message's own
   * @returns the provider's id of each, in their order
   * @throws SendError where none was taken
   */
  send(
    messages: readonly OutgoingMessage[],
    key: string,
    http: Outbound,
    now: Date,
  ): Promise<readonly (string | null)[]>;
}

/** Somebody who sends messages of one medium or several. */
export interface Sender {
  /** The name in logs and in the address of callbacks. */
  readonly id: string;
  /** Calls a second that it takes. */
  readonly rate: number;
  /**
   * For how many seconds after the first try a repeat with the same key is known to it, and sent only
   * once; 0 where it never is.
   */
  readonly replays: number;
  /**
   * Hands a message over.
   * @returns the provider's id of it, by which receipts name it; null where it gives none
   * @throws SendError
   */
  send(message: OutgoingMessage, http: Outbound, now: Date): Promise<string | null>;
  /** Absent where a call takes one message. */
  readonly batch?: BatchSender;
  /**
   * Reads receipts that were posted.
   * @returns what became of which messages, or that it doesn't come from the provider
   */
  receipts?(callback: Callback, now: Date): Promise<'forged' | readonly Receipt[]>;
  /**
   * The answer to a provider that asks whether the address of its callbacks is the store's.
   * @returns undefined where the question isn't the provider's
   */
  challenge?(query: Readonly<Record<string, string>>): string | undefined;
}
