import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import { isEmail } from '../../lib/email.ts';
import type { MessageMedium } from '../../schema/lists.ts';

/** Refuses a recipient that a caller named for an e-mail, if it isn't one e-mail address. */
export const recipientRefusal = (
  medium: MessageMedium,
  recipient: string | undefined,
): Refusal<'rest_invalid_param'> | undefined =>
  medium === 'email' && recipient !== undefined && !isEmail(recipient)
    ? refuse('rest_invalid_param', { params: { recipient: 'must be one e-mail address' } })
    : undefined;
