/** A derived figure, and a query whose rows are where it differs from what it derives from. */
export interface Check {
  readonly name: string;
  readonly differences: string;
}

/** Rows that one query has and the other doesn't, whichever of the two it is. */
export const difference = (a: string, b: string) =>
  `(${a} except ${b}) union all (${b} except ${a})`;
