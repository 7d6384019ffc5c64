import type { Authority } from '../../kernel/auth/principals.ts';
import { hashToken } from '../../kernel/auth/secret-token.ts';

/** A code of six digits, and the id under which it is stored. */
export function newCode(): { id: string; code: string } {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return { id: crypto.randomUUID(), code: String(number % 1_000_000).padStart(6, '0') };
}

/**
 * Hashes a code under each pepper, the current one first.
 * @param seed the record or session of the code
 */
export const hashesOfCode = async (seed: string, code: string, { peppers }: Authority) =>
  (await hashToken(`account code ${seed} ${code}`, peppers)).map(({ hash }) => hash);
