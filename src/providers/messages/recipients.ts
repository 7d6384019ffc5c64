import { isEmail } from '../../lib/email.ts';
import { isE164 } from '../../lib/phone.ts';
import { SendError } from './sender.ts';

/**
 * The recipient of an e-mail.
 * @throws SendError if it isn't one address
 */
export function addressOf(recipient: string): string {
  if (isEmail(recipient)) return recipient;
  throw new SendError('permanent', 'invalid_address');
}

/**
 * The digits of a number in E.164, as WhatsApp senders take it.
 * @throws SendError
 */
export function digitsOf(recipient: string): string {
  if (isE164(recipient)) return recipient.slice(1);
  throw new SendError('permanent', 'invalid_number');
}
