import * as z from 'zod';
import { unitsOf } from '../lib/money.ts';
import { textUpTo } from '../lib/schemas.ts';
import { ProviderError } from './http.ts';

export const ProviderId = textUpTo(255).min(1);

/** @throws ProviderError `unknown` if the answer is not as documented */
export function understood<T>(schema: z.ZodType<T>, json: unknown): T {
  const result = schema.safeParse(json);
  if (!result.success) throw new ProviderError('unknown', 'unreadable_answer');
  return result.data;
}

/**
 * Converts a provider's decimal amount to units of 10^-exponent.
 * @throws ProviderError `unknown` if that is no whole number
 */
export function understoodAmount(decimal: string, exponent: number): number {
  const units = unitsOf(decimal, exponent);
  if (units === undefined) throw new ProviderError('unknown', 'unreadable_amount');
  return units;
}
