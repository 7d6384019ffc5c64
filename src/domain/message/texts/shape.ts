import type { pauseReasons } from '../../../kernel/events/lists.ts';
import type { NoticeKind, StatusFigure, TemplateKind } from '../../../schema/lists.ts';
import type { UnexpectedReason } from '../../payment/settlement.ts';

export type PauseReason = (typeof pauseReasons)[number];

export interface Texts {
  readonly templates: Readonly<Record<TemplateKind, KindTexts>>;
  readonly words: Words;
}

interface KindTexts {
  readonly email: { readonly subject: string; readonly text: string };
  readonly whatsapp: { readonly text: string };
}

/** The words for values; amounts and dates are formatted for the language. */
export interface Words {
  /** The locale. */
  readonly amounts: string;
  /** The locale; the day comes before the month. */
  readonly dates: string;
  readonly transferTo: (amount: string, accounts: number) => string;
  readonly account: (bank: string, number: string, owner: string) => string;
  /** Asks for the exact amount, which identifies the transfer. */
  readonly exactly: string;
  readonly reference: (number: string) => string;
  readonly payBefore: (moment: string) => string;
  readonly onDelivery: (amount: string) => string;
  /** Introduces the address of a payment page. */
  readonly payHere: (amount: string, gateway: string) => string;
  readonly payWith: (amount: string, gateway: string) => string;
  /** Introduces the address of the order's page. */
  readonly orderPage: string;
  readonly courier: (name: string) => string;
  readonly trackingNumber: (number: string) => string;
  readonly trackingPage: (url: string) => string;
  readonly access: string;
  readonly licenses: string;
  /** Ends a list that is too long to show. */
  readonly more: (count: number) => string;
  readonly browser: (name: string, system: string) => string;
  readonly unexpected: Readonly<Record<UnexpectedReason, string>>;
  readonly paused: Readonly<Record<PauseReason, string>>;
  /** Subjects of summaries to the seller. */
  readonly notices: Readonly<Record<NoticeKind, (count: number) => string>>;
  /** Describes a figure that is out of order, in hours, days, gigabytes or as a count. */
  readonly troubles: Readonly<Record<StatusFigure, (value: number) => string>>;
  /** The text before the unsubscribe link, and the link's label. Neither may sound as if a paid subscription ended. */
  readonly unsubscribe: readonly [question: string, link: string];
}
