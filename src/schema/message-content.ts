import type { Language } from './lists.ts';

/** The content of a message: filled in once, and the same in every attempt. */
export interface MessageContent {
  /** One line; WhatsApp and SMS don't show it. */
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  /** The text for e-mail programs; null for media without HTML. */
  readonly html: string | null;
  readonly language: Language;
  /** The store's name, as the sender of an e-mail. */
  readonly from_name: string;
  /** The approved WhatsApp template, with the values of its variables in order. */
  readonly approved: ApprovedTemplate | null;
  /** The unsubscribe link; null for messages that are always sent. */
  readonly unsubscribe_url: string | null;
}

interface ApprovedTemplate {
  readonly name: string;
  readonly values: readonly string[];
}
