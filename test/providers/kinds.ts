import { isLong } from '../harness/long.ts';
import { providerNames } from './index.ts';
import { senderNames } from './messages/index.ts';

/** A provider that refunds and one that doesn't; in the long proofs, all of them. */
export const kindsOfProviders = isLong ? providerNames : ['stripe', 'duitku'];

/** A sender of e-mail that recognises a repeated message and one of other messages; in the long proofs, all of them. */
export const kindsOfSenders = isLong ? senderNames : ['resend', 'whatsapp'];
