import type { Debt } from '../importer.ts';
import type { Outcomes } from '../report.ts';
import type { Comparison } from '../comparison.ts';
import { table } from '../../../../src/exports/command.ts';

/** The integrity checks that found differences. */
export type Faults = readonly { readonly name: string; readonly differences: number }[];

/** Shows the outcomes of each entity's rows. Placeholders don't count as rows of the source. */
export const outcomeTable = (outcomes: readonly Outcomes[]): string =>
  table(
    outcomes.map(({ entity, ...counts }) => {
      const { placeholder, ...ofSource } = counts;
      const source = Object.values(ofSource).reduce((sum, count) => sum + count, 0);
      return { entity, source, ...ofSource, placeholder };
    }),
  );

export const comparisonTable = (comparisons: readonly Comparison[]): string =>
  table(
    comparisons.flatMap(({ entity, source, ours, sums, explained, unexplained, examples }) => [
      {
        compared: entity,
        shop: source,
        store: ours,
        explained,
        unexplained,
        'for instance': examples.join('; '),
      },
      ...Object.entries(sums).map(([name, sum]) => ({
        compared: `  ${name}`,
        shop: String(sum.source),
        store: String(sum.ours),
        explained: null,
        unexplained: null,
        'for instance': null,
      })),
    ]),
  );

export function endOf({
  outcomes,
  comparisons,
  faults,
  owed,
}: {
  outcomes: readonly Outcomes[];
  comparisons: readonly Comparison[];
  faults: Faults;
  owed: readonly Debt[];
}): { code: number; says: readonly string[] } {
  const refused = outcomes.reduce((sum, row) => sum + row.refused, 0);
  const unexplained = comparisons.reduce((sum, row) => sum + row.unexplained, 0);
  const differs = unexplained + faults.length > 0;
  const own = comparisons.find(({ entity }) => entity === 'orders')?.own ?? 0;
  const people = new Set(owed.map(({ userId }) => userId)).size;
  const says = [
    ...(differs ? [differencesText(own)] : []),
    ...(refused > 0
      ? [`${refused === 1 ? '1 row was' : `${refused} rows were`} refused: see report.csv for why.`]
      : []),
    ...(owed.length > 0
      ? [
          `${people === 1 ? '1 person is' : `${people} people are`} owed money that has no place in the store: see owed.csv, and say --accept-owed once that is settled.`,
        ]
      : []),
  ];
  const code = differs ? 1 : refused > 0 ? 2 : owed.length > 0 ? 3 : 0;
  return {
    code,
    says: code === 0 ? ['Everything is in, and every difference is explained.'] : says,
  };
}

/** @param own the orders of the store that the shop does not have */
function differencesText(own: number): string {
  if (own === 0) return 'There are differences that no reason explains: do not go live with this.';
  const orders = own === 1 ? '1 order' : `${own} orders`;
  return `There are differences that no reason explains, and the store has ${orders} that the shop does not have. If the store sells already, they may come from its own sales: the result that counts is that of the last import before it sold. Otherwise do not go live with this.`;
}
