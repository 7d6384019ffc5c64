import type { Language } from './lists.ts';

/** What a message says: filled in once, and the same in every try. */
export interface MessageContent {
  /** One line; WhatsApp and SMS don't show it. */
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  /** The same for e-mail programs; null where the medium has none. */
  readonly html: string | null;
  readonly language: Language;
  /** The store's name, from which an e-mail comes. */
  readonly from_name: string;
  /** The template that WhatsApp approved for it, with the values of its variables in order. */
  readonly approved: ApprovedTemplate | null;
  /** Where a person unsubscribes; null of what they can't do without. */
  readonly unsubscribe_url: string | null;
}

interface ApprovedTemplate {
  readonly name: string;
  readonly values: readonly string[];
}
