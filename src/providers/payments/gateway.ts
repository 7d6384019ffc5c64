import type { Outbound } from '../../kernel/events/outbound.ts';
import type { Instant } from '../../lib/instant.ts';
import type { Callback } from '../callback.ts';

/** A provider's unit for amounts of a currency. */
export interface Unit {
  /** The currency's decimals in that unit. */
  readonly exponent: number;
  /** The amount's step: 100 if two decimals are sent that must be 0. */
  readonly step: number;
}

export interface NewPayment {
  /**
   * Our name for it: unique among all deployments, at most 50 letters, digits and hyphens. A repeated request has the
   * same name.
   */
  readonly reference: string;
  readonly order: { readonly id: number; readonly number: string; readonly title: string };
  /** In the provider's unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly buyer: {
    readonly name: string;
    readonly email: string | null;
    /** E.164 if known, otherwise as the buyer wrote it, or empty. */
    readonly phone: string;
  };
  readonly opened_at: Instant;
  /** The closing time of its page, within the gateway's `life`. */
  readonly expires_at: Instant;
  /** The shop's page that the buyer returns to; it names the order and the reference. */
  readonly return_url: string;
  /** The address that the provider posts changes to. */
  readonly callback_url: string;
}

export interface Opened {
  readonly provider_id: string;
  /** The https address of the page on which the buyer pays. */
  readonly url: string;
  readonly expires_at: Instant;
}

/** A payment that was opened, or may have been. */
export interface Attempt {
  readonly reference: string;
  /** Null while it is unknown if the provider opened it. */
  readonly provider_id: string | null;
  /** The provider's id of the received money: refunds and disputes refer to it. */
  readonly payment_ref: string | null;
  /** The ids of the money that callbacks named, not yet verified. */
  readonly named_refs?: readonly string[];
  /** In the provider's unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly expires_at: Instant;
  /** True if an order still waits for it. Otherwise authorised money isn't captured. */
  readonly wanted: boolean;
}

/** The provider's answer to a look-up of a payment. */
export interface Payment {
  /**
   * `open`: the buyer may still pay, or try again · `pending`: the buyer has done their part, and the money is on its
   * way or a payment code was issued · `paid`: the money has arrived; it stays `paid` when refunded · `failed`,
   * `expired`, `cancelled`: nothing more can come.
   */
  readonly state: 'open' | 'pending' | 'paid' | 'failed' | 'expired' | 'cancelled';
  /** The paid amount, in the provider's unit of that currency; null if nothing was paid. */
  readonly paid: { readonly amount: number; readonly currency: string } | null;
  readonly payment_ref: string | null;
  /** The sum of refunds that were not refused and of lost disputes, in the same unit: at most the paid amount. */
  readonly refunded: number;
  readonly dispute: 'none' | 'open' | 'won' | 'lost';
  /** True if this state means, by the provider's documents, that money which had arrived was taken back. */
  readonly reversed?: boolean;
}

/**
 * The payment named in a callback: by our reference, the provider's id, or the id of the money. A `payment_ref` beside
 * a reference is used only if the reference finds nothing. `says_paid`: the callback says that this money came.
 */
export type Hint =
  | { readonly reference: string; readonly payment_ref?: string; readonly says_paid?: boolean }
  | { readonly provider_id: string }
  | { readonly payment_ref: string };

export interface NewRefund {
  /** Stays the same in every attempt, so that the money is returned once. It begins with the payment's reference. */
  readonly key: string;
  /** In the provider's unit of the payment's currency. */
  readonly amount: number;
  readonly reason: string | null;
}

export interface RefundProgress {
  /** `sent`: the provider has accepted it and has not finished. */
  readonly state: 'sent' | 'succeeded' | 'failed';
  readonly provider_ref: string | null;
}

/** A way to pay on a provider's page. Every method that calls the provider may throw ProviderError. */
export interface Gateway {
  /** Its name on orders. */
  readonly id: string;
  readonly title: string;
  /** The provider's unit of a currency; undefined if the provider does not accept the currency. */
  unitOf(currency: string): Unit | undefined;
  /** The smallest and largest payment, in that unit; undefined if the provider documents no limit. */
  limitsOf(currency: string): { readonly min?: number; readonly max?: number };
  /** The shortest and longest time that a page may stay open, in seconds. */
  readonly life: { readonly min: number; readonly max: number };
  /** Details of the buyer that the provider requires. */
  readonly needs: readonly ('email' | 'phone')[];
  /** True if a repeated `open` with the same reference returns the same payment. */
  readonly replays: boolean;

  open(payment: NewPayment, http: Outbound, now: Date): Promise<Opened>;
  /** Looks a payment up at the provider: the one source of truth. */
  look(attempt: Attempt, http: Outbound, now: Date): Promise<Payment>;
  /**
   * Parses the payments of an unproven callback, so that one without a payment of ours causes no request. Absent if
   * `read` makes no request.
   */
  unproven?(callback: Callback, now: Date): 'forged' | readonly Hint[];
  /**
   * Parses a callback without trusting it: the payment is then looked up at the provider.
   * @returns the payments it names, or `forged`
   */
  read(callback: Callback, http: Outbound, now: Date): Promise<'forged' | readonly Hint[]>;
  /**
   * Closes a page that nobody should pay on any more; absent if the provider can't. A payment made meanwhile stays
   * paid.
   */
  cancel?(attempt: Attempt, http: Outbound, now: Date): Promise<void>;
  /** Refunds money, or reports the state of the refund with this key; absent if the provider can't. */
  refund?(attempt: Attempt, refund: NewRefund, http: Outbound, now: Date): Promise<RefundProgress>;
}
