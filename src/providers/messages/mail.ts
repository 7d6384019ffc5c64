import type { Config } from '../../config.ts';
import { cut, oneLine } from '../../lib/text.ts';
import type { MessageContent } from '../../schema/message-content.ts';

/** An e-mail address, with the name that stands before it; empty where there is none. */
export type Mailbox = NonNullable<Config['MAIL_FROM']>;

/** Most characters of the name that an e-mail comes from. */
const mostName = 100;

/** Returns the sender's address and name: the deployment's name, or else the store's. */
export const senderOf = (from: Mailbox, { from_name }: MessageContent): Mailbox => ({
  name: cut(oneLine(from.name || from_name), mostName),
  address: from.address,
});

/**
 * A mailbox as a header says it (RFC 5322, 3.4), `Name <address>`. Brackets, quotes and backslashes, which
 * some readers take for the address's whatever stands around them, are left out of the name; with
 * anything else that a bare name may not have, it is quoted.
 */
export function mailboxText({ name, address }: Mailbox): string {
  const plain = name.replaceAll(/[<>"\\]/g, '').trim();
  if (plain === '') return address;
  const shown = /[()[\]:;@,.]/.test(plain) ? `"${plain}"` : plain;
  return `${shown} <${address}>`;
}

/** The headers by which e-mail programs offer to unsubscribe with one click (RFC 8058). */
export function unsubscribeHeaders({ unsubscribe_url }: MessageContent): Record<string, string> {
  if (unsubscribe_url === null) return {};
  return {
    'List-Unsubscribe': `<${new URL(unsubscribe_url).href}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}
