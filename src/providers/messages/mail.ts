import type { Config } from '../../config.ts';
import { cut, oneLine } from '../../lib/text.ts';
import type { MessageContent } from '../../schema/message-content.ts';

/** The name is empty if there is none. */
export type Mailbox = NonNullable<Config['MAIL_FROM']>;

/** The largest number of characters of a sender's name. */
const mostName = 100;

/** Returns the sender's address and name: the deployment's name, or else the store's. */
export const senderOf = (from: Mailbox, { from_name }: MessageContent): Mailbox => ({
  name: cut(oneLine(from.name || from_name), mostName),
  address: from.address,
});

/**
 * Formats a mailbox for a header (RFC 5322, 3.4): `Name <address>`. Brackets, quotes and backslashes are removed from
 * the name, because some programs take them for parts of the address. Other special characters need quotes.
 */
export function mailboxText({ name, address }: Mailbox): string {
  const plain = name.replaceAll(/[<>"\\]/g, '').trim();
  if (plain === '') return address;
  const shown = /[()[\]:;@,.]/.test(plain) ? `"${plain}"` : plain;
  return `${shown} <${address}>`;
}

/** The headers with which e-mail programs offer one-click unsubscribing (RFC 8058). */
export function unsubscribeHeaders({ unsubscribe_url }: MessageContent): Record<string, string> {
  if (unsubscribe_url === null) return {};
  return {
    'List-Unsubscribe': `<${new URL(unsubscribe_url).href}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}
