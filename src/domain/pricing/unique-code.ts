import type { SettingsRow } from '../../schema/platform.ts';

export interface OtherFigures {
  /** Codes that no other order may get while others are free. */
  readonly taken: readonly number[];
  /** Codes that no order waits for any more, oldest first. */
  readonly held: readonly number[];
}

export const noFigures: OtherFigures = { taken: [], held: [] };

export interface Draw {
  /** From 0 up to 1. */
  readonly chance: number;
  /** Draws lost so far: another order took the amount first. */
  readonly lost: number;
}

export const firstDraw: Draw = { chance: 0, lost: 0 };

/** After this many lost draws an order gets no code. */
const mostLost = 8;

/**
 * Returns a signed code that makes a total unique among open orders: a free one, or else the one that was given up
 * longest ago. 0 if every code is taken.
 */
export function uniqueCode(
  total: number,
  { taken, held }: OtherFigures,
  settings: Pick<SettingsRow, 'unique_code_operation' | 'unique_code_largest'>,
  { chance, lost }: Draw,
): number {
  if (lost > mostLost) return 0;
  const sign = settings.unique_code_operation === 'added' ? 1 : -1;
  const codes = Array.from(
    { length: settings.unique_code_largest },
    (_, i) => sign * (i + 1),
  ).filter((code) => total + code > 0);
  const others = new Set(taken);
  const free = codes.filter((code) => !others.has(total + code));
  if (free.length > 0) return free[Math.floor(chance * free.length)] ?? 0;
  const near = new Set(codes);
  const givenUp = held.map((figure) => figure - total).filter((code) => near.has(code));
  // After losing the oldest code, callers draw from a wider range, so that they don't all want the next one.
  const drawn = Math.min(givenUp.length, 1 + 10 * lost);
  return givenUp[Math.floor(chance * drawn)] ?? 0;
}
