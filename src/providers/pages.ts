import * as z from 'zod';
import { isLoopback } from '../kernel/events/safe-url.ts';

/**
 * The address of a page that a provider sends buyers to: https, so no script and nothing that others
 * read on its way. Where the provider itself is asked by http, as one on this machine is, its pages may
 * be there too.
 * @param origin at which the provider is asked
 */
export const PageAddress = (origin: string) =>
  z
    .url({ protocol: /^https?$/ })
    .max(5000)
    .refine(
      (url) => url.startsWith('https:') || (origin.startsWith('http:') && isLoopback(url)),
      'must be https',
    );
