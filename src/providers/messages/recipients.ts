import { isEmail } from '../../lib/email.ts';
import { isE164 } from '../../lib/phone.ts';
import { SendError } from './sender.ts';

/** @throws SendError if the recipient isn't one e-mail address */
export function addressOf(recipient: string): string {
  if (isEmail(recipient)) return recipient;
  throw new SendError('permanent', 'invalid_address');
}

/**
 * Returns a phone number as WhatsApp senders take it, without its `+`.
 * @throws SendError
 */
export function digitsOf(recipient: string): string {
  if (isE164(recipient)) return recipient.slice(1);
  throw new SendError('permanent', 'invalid_number');
}
