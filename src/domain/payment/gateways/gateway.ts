import type { Outbound } from '../../../kernel/events/outbound.ts';
import type { Instant } from '../../../lib/instant.ts';

/** A payment to be opened at a provider. Amounts are in the currency's smallest unit. */
export interface NewPayment {
  readonly order_id: number;
  readonly title: string;
  readonly amount: number;
  readonly currency: string;
  /** The same for every repeat of this request: the provider then answers with the same payment. */
  readonly idempotencyKey: string;
  /** Where the buyer comes back to. */
  readonly returnUrl: string;
}

/** A payment as the provider opened it. */
export interface ProviderSession {
  readonly id: string;
  readonly url: string;
  readonly expires_at: Instant;
}

/** What a provider says of a payment. */
export interface ProviderEvent {
  readonly id: string;
  readonly session_id: string;
  readonly outcome: 'paid' | 'failed' | 'expired';
  readonly amount: number;
  readonly currency: string;
}

/** A way to pay at somebody else's page. */
export interface RedirectGateway {
  readonly id: string;
  readonly title: string;
  /** Decimals of the unit in which it takes amounts of a currency; undefined where that isn't known. */
  exponentOf(currency: string): number | undefined;
  /** @throws Error when the provider doesn't open the payment */
  create(payment: NewPayment, outbound: Outbound): Promise<ProviderSession>;
  /**
   * Reads what the provider posts.
   * @returns null when it isn't the provider's, undefined when it concerns no payment's outcome
   */
  readEvent(
    text: string,
    header: (name: string) => string | undefined,
    now: Date,
  ): Promise<ProviderEvent | null | undefined>;
}
