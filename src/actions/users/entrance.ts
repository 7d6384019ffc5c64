import * as z from 'zod';
import { Id } from '../../lib/schemas.ts';

/** Tells if a user may enter a part of the store, or why not. */
export const Entrance = <const R extends string>(...reasons: [R, ...R[]]) =>
  z.object({
    success: z.literal(true),
    can_access: z.boolean().meta({ examples: [true] }),
    reason: z.enum(reasons),
    user_id: Id,
  });

export const entrance = <R extends string>(reason: R, user_id: number) => ({
  success: true as const,
  can_access: reason === 'ok',
  reason,
  user_id,
});
