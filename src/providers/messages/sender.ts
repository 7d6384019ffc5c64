import type { Outbound } from '../../kernel/events/outbound.ts';
import type { MessageKind, MessageMedium } from '../../schema/lists.ts';
import type { MessageContent } from '../../schema/message-content.ts';
import type { Callback } from '../callback.ts';
import { plainCode } from '../http.ts';

export interface OutgoingMessage {
  /** A UUID: the same in every attempt, and unique among the messages of all deployments. */
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
 * The kind of a refusal. `permanent`: the message will never be accepted · `temporary`: it may be accepted later ·
 * `setup`: the account is out of order, which affects every message of the medium, and the operator must repair it ·
 * `unknown`: there was no answer, and the message may have been accepted.
 */
export type SendErrorKind = 'permanent' | 'temporary' | 'setup' | 'unknown';

/** A sender's refusal, without personal data. */
export class SendError extends Error {
  override readonly name = 'SendError';
  readonly kind: SendErrorKind;
  /** The provider's own code, or its HTTP status: letters, digits, `_`, `.` and `-`. */
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

export interface Receipt {
  readonly provider_id: string;
  /** The message's own key, if the provider returns it: a receipt may come before the answer. */
  readonly key: string | null;
  /** `bounced`: the address accepts no mail, now or ever · `complained`: its owner reported it as spam. */
  readonly state: 'delivered' | 'read' | 'bounced' | 'complained' | 'failed';
  /** The reason for a bounce or failure, in the provider's code: letters, digits, `_`, `.` and `-`. */
  readonly reason: string | null;
}

/** Sends several messages by one call: all are accepted, or none. */
export interface BatchSender {
  readonly most: number;
  /**
   * @param key the same in every attempt, like a message's own
   * @returns the provider's id of each, in their order
   * @throws SendError if none was accepted
   */
  send(
    messages: readonly OutgoingMessage[],
    key: string,
    http: Outbound,
    now: Date,
  ): Promise<readonly (string | null)[]>;
}

export interface Sender {
  /** The name in logs and in the address of callbacks. */
  readonly id: string;
  /** Calls a second that it accepts. */
  readonly rate: number;
  /** Seconds after the first attempt within which a repeat with the same key is sent only once; 0 if it never is. */
  readonly replays: number;
  /**
   * @returns the provider's id, which receipts name; null if it has none
   * @throws SendError
   */
  send(message: OutgoingMessage, http: Outbound, now: Date): Promise<string | null>;
  /** Absent if a call takes one message. */
  readonly batch?: BatchSender;
  /** Parses posted receipts; `forged` if they are not the provider's. */
  receipts?(callback: Callback, now: Date): Promise<'forged' | readonly Receipt[]>;
  /**
   * Answers a provider that verifies the callback address.
   * @returns undefined if the request isn't the provider's
   */
  challenge?(query: Readonly<Record<string, string>>): string | undefined;
}
