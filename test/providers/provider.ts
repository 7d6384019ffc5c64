/** A request that a provider got. */
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

/** The money of a payment as the provider has it, in the provider's own unit. */
export interface Books {
  readonly paid: number;
  readonly refunded: number;
  /** The number of refunds, however often each was requested. */
  readonly refunds: number;
  /** True while its page can still be paid on. */
  readonly payable: boolean;
}

/**
 * A provider as a server of its own on this machine: a state machine written from the provider's
 * documents. It checks what it is sent as the provider does, and keeps payments, refunds and the
 * callbacks it has to send. What a payment is called here is our reference.
 */
export interface TestProvider {
  /** The gateway's id. */
  readonly id: string;
  /** Currencies that it takes, with the exponent of its unit of each, for the matrix of amounts. */
  readonly units: Readonly<Record<string, number>>;
  /** The variables of a store that is its customer, the server's own addresses among them; once open. */
  readonly variables: Readonly<Record<string, string>>;
  /** Everything it was asked, in order. */
  readonly journal: Asked[];
  /** @param now what the provider takes for the time */
  open(now: () => Date): Promise<void>;
  close(): Promise<void>;

  /** Plans a fault of the next request of a kind; repeated calls plan one after the other. */
  fail(kind: 'open' | 'look' | 'cancel' | 'refund', fault: Fault): void;

  /** The buyer pays on the page at once; `amount` where it is another than asked for. */
  pay(reference: string, changed?: { amount?: number; currency?: string }): void;
  /** The buyer does what there is to do, and the money takes its time; `pay` or `decline` follows. */
  begin(reference: string): void;
  /** The money doesn't come. */
  decline(reference: string): void;
  /** Somebody refunds it at the provider's dashboard; all that is left when no amount is said. */
  refundByHand(reference: string, amount?: number): void;
  /** Settles the refunds that are under way. Absent where it makes none. */
  settleRefunds?(outcome: 'succeeded' | 'failed'): void;
  /** The buyer's bank takes its money back, or doesn't. Absent where the provider tells nothing of it. */
  dispute?(reference: string, state: 'open' | 'won' | 'lost'): void;

  /** The query that the provider adds to the address when it sends the buyer back to the store. */
  returned(reference: string): string;
  /** Callbacks that wait to be sent, as requests to the addresses the provider knows; taking them empties it. */
  takeCallbacks(baseUrl: string): Request[];
  /** Callbacks that somebody else makes up: without the secret, and with a real one's proof on another outcome. */
  forgeries(baseUrl: string, reference: string): Request[];
  /** Genuine callbacks whose unsigned part says that it is paid; none where all of it is signed. */
  alterations(baseUrl: string, reference: string): Request[];

  books(reference: string): Books;
  /** The references of all its payments, the newest last. */
  references(): string[];
}
