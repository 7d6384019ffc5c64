import type { SettingsRow } from '../../schema/platform.ts';

/** The codes that tell transfers of the same amount apart. */
const largestCode = 999;

/**
 * A signed code that makes a total a figure no other open order waits for, or null when none is left.
 * @param taken the figures open orders wait for
 * @param chance from 0 up to 1: which of the free codes
 */
export function uniqueCode(
  total: number,
  taken: ReadonlySet<number>,
  { unique_code_operation }: SettingsRow,
  chance: number,
): number | null {
  const sign = unique_code_operation === 'added' ? 1 : -1;
  const free = Array.from({ length: largestCode }, (_, i) => sign * (i + 1)).filter(
    (code) => total + code > 0 && !taken.has(total + code),
  );
  return free[Math.floor(chance * free.length)] ?? null;
}
