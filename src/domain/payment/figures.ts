import type { OtherFigures } from '../pricing/unique-code.ts';

/** @param rows reserved amounts first, the oldest first */
export function figuresOf({
  rows,
}: {
  rows: { amount: string; is_held: boolean }[];
}): OtherFigures {
  return {
    taken: rows.map(({ amount }) => Number(amount)),
    held: rows.filter(({ is_held }) => is_held).map(({ amount }) => Number(amount)),
  };
}
