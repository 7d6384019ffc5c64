import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import { isEmail } from '../../lib/email.ts';
import { isPhoneText } from '../../lib/phone.ts';
import type { MessageMedium } from '../../schema/lists.ts';

/** Requires exactly one e-mail address or phone number. */
export function recipientRefusal(
  medium: MessageMedium,
  recipient: string | undefined,
): Refusal<'rest_invalid_param'> | undefined {
  if (recipient === undefined) return undefined;
  if (medium === 'email' ? isEmail(recipient) : isOnePhone(recipient)) return undefined;
  const one = medium === 'email' ? 'e-mail address' : 'phone number';
  return refuse('rest_invalid_param', { params: { recipient: `must be one ${one}` } });
}

/** An extension is allowed. */
const isOnePhone = (text: string) => isPhoneText(text) && !/[,;]/.test(text);
