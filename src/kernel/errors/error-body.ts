import * as z from 'zod';

export const ErrorBody = z
  .object({
    success: z
      .literal(false)
      .optional()
      .describe('Sent only by the feed, if `webhook_id` is missing.'),
    code: z.string().describe('The error, for programs. A code never changes its meaning.'),
    message: z.string().describe('The error, for people. The wording may change.'),
    data: z.looseObject({
      status: z.int().describe('The HTTP status.'),
      params: z
        .record(z.string(), z.string())
        .optional()
        .describe('The reason by parameter, if parameters are at fault.'),
      request_id: z.string().optional().describe('Present on a 500; quote it to support.'),
    }),
  })
  .meta({ id: 'ApiError' });
