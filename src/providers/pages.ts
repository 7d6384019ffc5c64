import * as z from 'zod';
import { isLoopback } from '../kernel/events/safe-url.ts';

/**
 * The address of a provider's page for buyers: https, so no script, and nobody reads it on the way. If the provider
 * itself is reached by http, like one on this machine, its pages may be there too.
 * @param origin the provider's address
 */
export const PageAddress = (origin: string) =>
  z
    .url({ protocol: /^https?$/ })
    .max(5000)
    .refine(
      (url) => url.startsWith('https:') || (origin.startsWith('http:') && isLoopback(url)),
      'must be https',
    );
