import { isLong } from '../harness/long.ts';
import { providerNames } from './index.ts';

/** A provider that refunds and one that doesn't; in the long proofs, all of them. */
export const kindsOfProviders = isLong ? providerNames : ['stripe', 'duitku'];
