import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import { isEmail } from '../../lib/email.ts';
import type { MessageMedium } from '../../schema/lists.ts';

/** Marks between several numbers, and line ends. What is no number at all fails when it is sent. */
const several = /[\p{Cc},;]/u;

/** Refuses a recipient that a caller named, if it isn't one e-mail address or, by other media, one number. */
export const recipientRefusal = (
  medium: MessageMedium,
  recipient: string | undefined,
): Refusal<'rest_invalid_param'> | undefined =>
  recipient === undefined || (medium === 'email' ? isEmail(recipient) : !several.test(recipient))
    ? undefined
    : refuse('rest_invalid_param', {
        params: {
          recipient: medium === 'email' ? 'must be one e-mail address' : 'must be one phone number',
        },
      });
