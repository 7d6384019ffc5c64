import type { Instant } from '../../lib/instant.ts';
import type { NoticeKind, OrderStatus } from '../../schema/lists.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import type { UnexpectedReason } from '../payment/settlement.ts';
import type { PauseReason } from './texts/shape.ts';

/** An amount in units of 10^-exponent of the store's currency. */
type Amount = number;

/** What a message can tell of, loaded when it is filled in. What it isn't about is absent. */
export interface Facts {
  readonly store: {
    readonly name: string;
    /** Empty where the store has no site. */
    readonly url: string;
    readonly timezone: string;
    /** Null in a preview only, as long as nobody set it. */
    readonly currency: string | null;
    readonly currency_exponent: number | null;
  };
  /** The name of whom it is for; empty where they gave none. */
  readonly name: string;
  readonly order?: OrderFacts;
  readonly refund?: { readonly amount: Amount; readonly reason: string | null };
  readonly confirmation?: { readonly reason: string | null; readonly amount: Amount };
  readonly subscription?: {
    readonly product: string;
    /** Absent where it never ends, or nobody knows when. */
    readonly end?: Instant;
    /** What its next term costs; absent where it can't be renewed. */
    readonly renewal?: Amount;
  };
  readonly commission?: { readonly amount: Amount; readonly product: string };
  readonly payout?: {
    readonly amount: Amount;
    readonly method: string;
    readonly reference: string;
  };
  /** Money that came and that no order waits for; of another currency, as its provider counts it. */
  readonly unexpected?: { readonly amount: Amount; readonly reason: UnexpectedReason };
  readonly webhook?: { readonly name: string; readonly reason: PauseReason };
  readonly summary?: {
    /** The address of the console. */
    readonly console: string;
    readonly counts: NoticeCounts;
  };
}

/** The number of gathered notices by kind. */
export type NoticeCounts = Readonly<Partial<Record<NoticeKind, number>>>;

/** The store, as messages tell of it. */
export const storeOf = (settings: SettingsRow): Facts['store'] => ({
  name: settings.store_name,
  url: settings.site_url,
  timezone: settings.timezone,
  currency: settings.currency,
  currency_exponent: settings.currency_exponent,
});

export interface OrderFacts {
  readonly number: string;
  readonly status: OrderStatus;
  readonly product: string;
  readonly quantity: number;
  readonly total: Amount;
  readonly placed: Instant;
  readonly buyer: { readonly name: string; readonly email: string };
  readonly payment: PaymentFacts | null;
  /** Null where nothing is sent. */
  readonly shipping: {
    readonly courier: string;
    readonly tracking_number: string;
    readonly tracking_url: string;
  } | null;
  /** What the buyer was given: pages to open. */
  readonly access: Listed<{ readonly title: string; readonly url: string }>;
  /** Codes of licences. */
  readonly licenses: Listed<string>;
}

/** Some of a list, and how many others it has. */
export interface Listed<T> {
  readonly shown: readonly T[];
  readonly left: number;
}

export const nothingListed: Listed<never> = { shown: [], left: 0 };

/** How an order is paid that waits for its payment. */
export interface PaymentFacts {
  /** `redirect`: at a provider's page. */
  readonly type: 'manual' | 'cod' | 'redirect';
  /** What buyers know the gateway by. */
  readonly title: string;
  readonly due: Amount;
  /** When the order is cancelled if it isn't paid; null = never. */
  readonly before: Instant | null;
  readonly accounts: readonly {
    readonly bank: string;
    readonly owner: string;
    readonly account_number: string;
    readonly info: string;
  }[];
  /** Whether the amount is that of this order alone, so that the transfer can be told by it. */
  readonly exact: boolean;
  /** The page to pay on; null where there is none. */
  readonly url: string | null;
}
