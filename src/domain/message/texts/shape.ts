import type { pauseReasons } from '../../../kernel/events/lists.ts';
import type { NoticeKind, StatusFigure, TemplateKind } from '../../../schema/lists.ts';
import type { UnexpectedReason } from '../../payment/settlement.ts';

export type PauseReason = (typeof pauseReasons)[number];

/** The texts of a language: the templates, and the words that placeholders are filled in with. */
export interface Texts {
  readonly templates: Readonly<Record<TemplateKind, KindTexts>>;
  readonly words: Words;
}

interface KindTexts {
  readonly email: { readonly subject: string; readonly text: string };
  readonly whatsapp: { readonly text: string };
}

/** The words that values are made with; amounts and dates come as they are written in the language. */
export interface Words {
  /** The locale that amounts are written in. */
  readonly amounts: string;
  /** The locale that dates are written in: the day before the month. */
  readonly dates: string;
  readonly transferTo: (amount: string, accounts: number) => string;
  readonly account: (bank: string, number: string, owner: string) => string;
  /** Asks for the exact amount, by which the transfer is recognised. */
  readonly exactly: string;
  readonly reference: (number: string) => string;
  readonly payBefore: (moment: string) => string;
  readonly onDelivery: (amount: string) => string;
  /** Leads to a page to pay on, whose address comes after it. */
  readonly payHere: (amount: string, gateway: string) => string;
  readonly payWith: (amount: string, gateway: string) => string;
  /** Leads to the order's page, whose address comes after it. */
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
  /** Writes the subject of a summary of so many notices to the seller. */
  readonly notices: Readonly<Record<NoticeKind, (count: number) => string>>;
  /** Says what is wrong with a figure, by its hours, days, gigabytes or count. */
  readonly troubles: Readonly<Record<StatusFigure, (value: number) => string>>;
  /** Before the link, and what the link is called: not as if a subscription ended there. */
  readonly unsubscribe: readonly [question: string, link: string];
}
