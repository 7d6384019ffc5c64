import type { Instant } from '../../lib/instant.ts';
import type { NoticeKind, OrderStatus, StatusFigure } from '../../schema/lists.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import type { UnexpectedReason } from '../payment/settlement.ts';
import type { PauseReason } from './texts/shape.ts';

/** In the currency's smallest unit. */
type Amount = number;

/** The data of a message, loaded when it is filled in: only the records that it is about. */
export interface Facts {
  readonly store: {
    readonly name: string;
    /** Empty if the store has no site. */
    readonly url: string;
    readonly timezone: string;
    /** Null only in a preview, while no currency is set. */
    readonly currency: string | null;
    readonly currency_exponent: number | null;
  };
  /** Empty if the recipient gave none. */
  readonly name: string;
  readonly order?: OrderFacts;
  readonly refund?: { readonly amount: Amount; readonly reason: string | null };
  readonly confirmation?: {
    readonly reason: string | null;
    /** Null if the buyer stated none. */
    readonly amount: Amount | null;
  };
  readonly subscription?: {
    readonly product: string;
    /** Absent if the subscription never ends or its end is unknown. */
    readonly end?: Instant;
    /** The total of the next payment; absent if nothing is to be paid. */
    readonly renewal?: Amount;
  };
  readonly commission?: { readonly amount: Amount; readonly product: string };
  readonly payout?: {
    readonly amount: Amount;
    readonly method: string;
    readonly reference: string;
  };
  /** Money that no order waited for. In a foreign currency, in the provider's unit. */
  readonly unexpected?: { readonly amount: Amount; readonly reason: UnexpectedReason };
  readonly webhook?: { readonly name: string; readonly reason: PauseReason };
  readonly sign_in?: {
    readonly at: Instant;
    /** The user agent. */
    readonly browser: string;
    readonly country: string;
  };
  readonly summary?: {
    readonly console: string;
    readonly counts: NoticeCounts;
  };
  /** Status figures that are out of order, in their own units. */
  readonly alert?: FigureValues;
}

export type FigureValues = Readonly<Partial<Record<StatusFigure, number>>>;

export type NoticeCounts = Readonly<Partial<Record<NoticeKind, number>>>;

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
  /** Null if nothing is shipped. */
  readonly shipping: {
    readonly courier: string;
    readonly tracking_number: string;
    readonly tracking_url: string;
  } | null;
  /** Pages that the buyer may open. */
  readonly access: Listed<{ readonly title: string; readonly url: string }>;
  readonly licenses: Listed<string>;
  /** The page of the buyer's account; null if the store has no such pages. */
  readonly account: string | null;
}

/** The first items of a list, and the number of the others. */
export interface Listed<T> {
  readonly shown: readonly T[];
  readonly left: number;
}

export const nothingListed: Listed<never> = { shown: [], left: 0 };

/** The payment that an order waits for. */
export interface PaymentFacts {
  /** `redirect`: at a provider's page. */
  readonly type: 'manual' | 'cod' | 'redirect';
  /** The gateway's name as buyers see it. */
  readonly title: string;
  readonly due: Amount;
  /** The time at which the order is cancelled unless it is paid; null = never. */
  readonly before: Instant | null;
  readonly accounts: readonly {
    readonly bank: string;
    readonly owner: string;
    readonly account_number: string;
    readonly info: string;
  }[];
  /** True if no other order waits for this amount. A transfer is then matched by it. */
  readonly exact: boolean;
  /** The provider's page; null if there is none. */
  readonly url: string | null;
  /** True if the buyer has begun to pay there: the money is on its way, or they have a payment code. */
  readonly isPending: boolean;
  /** The order's own page, without the secret that opens it; null if the store has no such pages. */
  readonly page: string | null;
}
