import * as z from 'zod';
import { isLoopback } from '../kernel/events/safe-url.ts';

/**
 * The address of a provider's page for buyers: https, so that it is no script and can't be read on the way. A page on
 * this machine may use http if the provider's own address does.
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
