import * as z from 'zod';

/** The service's name and version, as `/` and the OpenAPI document give them. */
export const service = {
  name: 'Sales, Affiliate and Licensing Service',
  version: '0.1.0',
} as const;

export const Status = z.object({ status: z.literal('ok') });
