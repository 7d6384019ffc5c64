import type { Language } from './lists.ts';

/** The content of a message: filled in once, and equal in every try. */
export interface MessageContent {
  /** One line; WhatsApp and SMS don't show it. */
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  /** The text for e-mail programs; null for media without HTML. */
  readonly html: string | null;
  readonly language: Language;
  /** The store's name, from which an e-mail comes. */
  readonly from_name: string;
  /** The template that WhatsApp approved for it, with the values of its variables in order. */
  readonly approved: ApprovedTemplate | null;
  /** The link to unsubscribe; null for messages that are always sent. */
  readonly unsubscribe_url: string | null;
}

interface ApprovedTemplate {
  readonly name: string;
  readonly values: readonly string[];
}
