export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Faults of a request: `refused` = answered with a 500 that the provider may keep and repeat, nothing done ·
 * `overloaded` = a 503 or 429, nothing done · `lost` = done, and the connection broken before the answer · `dropped`
 * = broken with nothing done.
 */
export type Fault = 'refused' | 'overloaded' | 'lost' | 'dropped';

/** A payment's money at the provider, in the provider's unit. */
export interface Books {
  readonly paid: number;
  readonly refunded: number;
  /** The number of refunds, however often each was requested. */
  readonly refunds: number;
  /** True while its page can be paid. */
  readonly payable: boolean;
}

/**
 * A provider as a server on this machine, written from the provider's documents. It checks requests as the provider
 * does, and keeps payments, refunds and waiting callbacks. Payments are named by the store's reference.
 */
export interface TestProvider {
  readonly id: string;
  /** Its currencies with the exponent of its unit, for tests of amounts. */
  readonly units: Readonly<Record<string, number>>;
  /** The variables of a store that uses it, once it is open, with the server's addresses. */
  readonly variables: Readonly<Record<string, string>>;
  /** All requests, in order. */
  readonly journal: Asked[];
  /** @param now its clock */
  open(now: () => Date): Promise<void>;
  close(): Promise<void>;

  /** Plans a fault of the next request of a kind; repeated calls plan one after the other. */
  fail(kind: 'open' | 'look' | 'cancel' | 'refund', fault: Fault): void;

  /** The buyer pays on the page at once, by default the requested amount. */
  pay(reference: string, changed?: { amount?: number; currency?: string }): void;
  /** The buyer does their part, and the money is pending; `pay` or `decline` follows. */
  begin(reference: string): void;
  /** The payment fails. */
  decline(reference: string): void;
  /** Somebody makes a refund on the provider's dashboard, by default of everything that is left. */
  refundByHand(reference: string, amount?: number): void;
  /** Settles the pending refunds. Undefined if the provider makes none. */
  settleRefunds?(outcome: 'succeeded' | 'failed'): void;
  /** The buyer's bank reverses the payment, or decides not to. Undefined if the provider doesn't report disputes. */
  dispute?(reference: string, state: 'open' | 'won' | 'lost'): void;

  /** The query that the provider adds when it sends the buyer back to the store. */
  returned(reference: string): string;
  /** The waiting callbacks as requests to their addresses; each is returned once. */
  takeCallbacks(baseUrl: string): Request[];
  /** Forged callbacks: without the secret, and with a genuine signature and another outcome. */
  forgeries(baseUrl: string, reference: string): Request[];
  /** Genuine callbacks whose unsigned part claims a payment; empty if everything is signed. */
  alterations(baseUrl: string, reference: string): Request[];

  books(reference: string): Books;
  /** The references of all its payments, the newest last. */
  references(): string[];
}
