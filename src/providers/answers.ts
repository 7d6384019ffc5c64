import * as z from 'zod';
import { unitsOf } from '../lib/money.ts';
import { textUpTo } from '../lib/schemas.ts';
import { ProviderError } from './http.ts';

export const ProviderId = textUpTo(255).min(1);

/**
 * Validates an answer.
 * @throws ProviderError `unknown` if it is not as documented
 */
export function understood<T>(schema: z.ZodType<T>, json: unknown): T {
  const result = schema.safeParse(json);
  if (!result.success) throw new ProviderError('unknown', 'unreadable_answer');
  return result.data;
}

/**
 * Converts a provider's decimal amount to units of 10^-exponent.
 * @throws ProviderError `unknown` if it is no whole number of them
 */
export function understoodAmount(decimal: string, exponent: number): number {
  const units = unitsOf(decimal, exponent);
  if (units === undefined) throw new ProviderError('unknown', 'unreadable_amount');
  return units;
}
