import type { pauseReasons } from '../../../kernel/events/lists.ts';
import type { NoticeKind, StatusFigure, TemplateKind } from '../../../schema/lists.ts';
import type { UnexpectedReason } from '../../payment/settlement.ts';

export type PauseReason = (typeof pauseReasons)[number];

/** The texts of a language: the templates, and the words for the values of placeholders. */
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
  /** The locale for amounts. */
  readonly amounts: string;
  /** The locale for dates: the day before the month. */
  readonly dates: string;
  readonly transferTo: (amount: string, accounts: number) => string;
  readonly account: (bank: string, number: string, owner: string) => string;
  /** Asks for the exact amount, which identifies the transfer. */
  readonly exactly: string;
  readonly reference: (number: string) => string;
  readonly payBefore: (moment: string) => string;
  readonly onDelivery: (amount: string) => string;
  /** Introduces the address of a page for paying. */
  readonly payHere: (amount: string, gateway: string) => string;
  readonly payWith: (amount: string, gateway: string) => string;
  /** Introduces the address of the order's page. */
  readonly orderPage: string;
  readonly courier: (name: string) => string;
  readonly trackingNumber: (number: string) => string;
  readonly trackingPage: (url: string) => string;
  /** The headings of lists. */
  readonly access: string;
  readonly licenses: string;
  /** Ends a list that is too long to show. */
  readonly more: (count: number) => string;
  readonly unexpected: Readonly<Record<UnexpectedReason, string>>;
  readonly paused: Readonly<Record<PauseReason, string>>;
  /** The subject of a summary of a number of notices to the seller. */
  readonly notices: Readonly<Record<NoticeKind, (count: number) => string>>;
  /** Describes a figure that is out of order, by its hours, days, gigabytes or count. */
  readonly troubles: Readonly<Record<StatusFigure, (value: number) => string>>;
  /** The text before the unsubscribe link, and its label: it must not sound as if a paid subscription ended. */
  readonly unsubscribe: readonly [question: string, link: string];
}
