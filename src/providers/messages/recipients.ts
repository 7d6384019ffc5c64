import { isE164 } from '../../lib/phone.ts';
import { SendError } from './sender.ts';

/** One e-mail address, and nothing that a provider could take for several, or for a name. @throws SendError */
export function addressOf(recipient: string): string {
  if (/^[^\s<>@",;\\]+@[^\s<>@",;\\]+$/.test(recipient)) return recipient;
  throw new SendError('permanent', 'invalid_address');
}

/** The digits of a number in E.164, as the senders of WhatsApp messages take it. @throws SendError */
export function digitsOf(recipient: string): string {
  if (isE164(recipient)) return recipient.slice(1);
  throw new SendError('permanent', 'invalid_number');
}
