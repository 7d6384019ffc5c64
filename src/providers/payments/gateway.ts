import type { Outbound } from '../../kernel/events/outbound.ts';
import type { Instant } from '../../lib/instant.ts';
import type { Callback } from '../callback.ts';

/** The unit in which a provider counts amounts of a currency. */
export interface Unit {
  /** Decimals of the currency in it. */
  readonly exponent: number;
  /** Amounts are multiples of this many: 100 where two decimals are sent that have to be 0. */
  readonly step: number;
}

/** A payment to be opened. */
export interface NewPayment {
  /**
   * Our name for it: unique among all deployments, at most 50 letters, digits and hyphens. A repeated request carries
   * the same name.
   */
  readonly reference: string;
  readonly order: { readonly id: number; readonly number: string; readonly title: string };
  /** In the provider's unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly buyer: {
    readonly name: string;
    readonly email: string | null;
    /** E.164 where it is known to be, else as the buyer wrote it, or empty. */
    readonly phone: string;
  };
  readonly opened_at: Instant;
  /** The closing time of its page, within the gateway's `life`. */
  readonly expires_at: Instant;
  /** The page of the shop that the buyer comes back to; it names the order and the reference. */
  readonly return_url: string;
  /** The address that the provider posts changes to. */
  readonly callback_url: string;
}

/** A payment as the provider opened it. */
export interface Opened {
  readonly provider_id: string;
  /** The page on which the buyer pays: https. */
  readonly url: string;
  readonly expires_at: Instant;
}

/** A payment that was opened, or whose opening nobody knows the outcome of. */
export interface Attempt {
  readonly reference: string;
  /** Null while it isn't known whether the provider opened it. */
  readonly provider_id: string | null;
  /** The provider's id of the money that came: refunds and disputes refer to it. */
  readonly payment_ref: string | null;
  /** In the provider's unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly expires_at: Instant;
  /** True if an order still waits for it. Otherwise money that the buyer only authorised isn't collected. */
  readonly wanted: boolean;
}

/** The provider's answer to a question about a payment. */
export interface Payment {
  /**
   * `open`: the buyer may still pay, or try again · `pending`: the buyer did what there is to do, the
   * money is on its way or a code to pay with was given out · `paid`: the money is there, and stays
   * `paid` when it is given back later · `failed`, `expired`, `cancelled`: nothing can come any more.
   */
  readonly state: 'open' | 'pending' | 'paid' | 'failed' | 'expired' | 'cancelled';
  /** The paid amount, in the provider's unit of that currency; null if nothing was paid. */
  readonly paid: { readonly amount: number; readonly currency: string } | null;
  readonly payment_ref: string | null;
  /** The sum of all refunds that were not refused and of lost disputes, in the same unit: no more than was paid. */
  readonly refunded: number;
  readonly dispute: 'none' | 'open' | 'won' | 'lost';
}

/**
 * The payment that a callback is about: by our reference, the provider's id, or the id of the money. A `payment_ref`
 * beside a reference is looked up if the reference alone finds nothing; until then it is unproven.
 */
export type Hint =
  | { readonly reference: string; readonly payment_ref?: string }
  | { readonly provider_id: string }
  | { readonly payment_ref: string };

/** Money to be given back. */
export interface NewRefund {
  /** Equal for every repetition, so that the money goes back once. It begins with the payment's reference. */
  readonly key: string;
  /** In the provider's unit of the payment's currency. */
  readonly amount: number;
  readonly reason: string | null;
}

export interface RefundProgress {
  /** `sent`: the provider has it and isn't done. */
  readonly state: 'sent' | 'succeeded' | 'failed';
  readonly provider_ref: string | null;
}

/** A way to pay at somebody else's page. Every method that asks the provider may throw ProviderError. */
export interface Gateway {
  /** The name that orders store. */
  readonly id: string;
  readonly title: string;
  /** The unit in which it takes a currency; undefined where it doesn't. */
  unitOf(currency: string): Unit | undefined;
  /** Least and most that a payment may be, in that unit; undefined where the provider names no limit. */
  limitsOf(currency: string): { readonly min?: number; readonly max?: number };
  /** The shortest and longest time that a page may stay open, in seconds. */
  readonly life: { readonly min: number; readonly max: number };
  /** Details of the buyer that the provider requires. */
  readonly needs: readonly ('email' | 'phone')[];
  /** True if a repeated `open` with the same reference returns the same payment. */
  readonly replays: boolean;

  open(payment: NewPayment, http: Outbound, now: Date): Promise<Opened>;
  /** Asks what became of a payment: the one source of truth. */
  look(attempt: Attempt, http: Outbound, now: Date): Promise<Payment>;
  /**
   * Reads which payment a callback says it is about, if its proof takes a request to the provider: no request is made
   * for a callback that names no payment of ours. Absent if `read` needs no request for the proof.
   */
  unproven?(callback: Callback, now: Date): 'forged' | readonly Hint[];
  /**
   * Reads a callback without believing it: the payment is looked up at the provider.
   * @returns the payments it is about, or `forged`
   */
  read(callback: Callback, http: Outbound, now: Date): Promise<'forged' | readonly Hint[]>;
  /** Closes a page that nobody is to pay on any more; absent where a provider can't. One paid meanwhile stays so. */
  cancel?(attempt: Attempt, http: Outbound, now: Date): Promise<void>;
  /** Gives money back, or tells what became of the refund of this key; absent where a provider can't. */
  refund?(attempt: Attempt, refund: NewRefund, http: Outbound, now: Date): Promise<RefundProgress>;
}
