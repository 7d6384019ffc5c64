import * as z from 'zod';
import { release } from '../../kernel/deployment/release.ts';

/** As in `/` and the OpenAPI document. */
export const service = {
  name: 'Sales, Affiliate and Licensing Service',
  version: release.version,
} as const;

/** The running release, for operators of several stores. */
export const Status = z.object({
  status: z.literal('ok'),
  version: z.string().meta({ examples: [release.version] }),
  commit: z
    .string()
    .nullable()
    .describe('The commit that was built, where the build knew it.')
    .meta({ examples: ['4f1c0b7a9d3e5f60718293a4b5c6d7e8f9012345'] }),
  schema: z
    .string()
    .describe('The newest migration that this version knows.')
    .meta({ examples: ['0002_rollups'] }),
});
