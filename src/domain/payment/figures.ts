/** The figures as the decisions take them. */
export const figuresOf = ({ rows }: { rows: { amount: string }[] }): number[] =>
  rows.map(({ amount }) => Number(amount));
