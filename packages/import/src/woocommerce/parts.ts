import type { Parts } from '../records/pricing.ts';
import { spread } from '../records/split.ts';
import { type Item, amountIn, grossOf } from './items.ts';
import type { Plan } from './plan.ts';

/** The lines of an order, at least one: an order without lines has one of an unknown product. */
export function linesOf(items: readonly Item[]): readonly Item[] {
  const lines = items.filter(({ type }) => type === 'line_item');
  const none = {
    id: 0,
    partId: null,
    type: 'line_item',
    name: '',
    meta: new Map<string, string>(),
  };
  return lines.length > 0 ? lines : [none];
}

/** Calculates each line's amounts: its own goods, discount and tax, and its share of amounts without a line. */
export function partsOf(
  lines: readonly Item[],
  items: readonly Item[],
  total: number,
  { exponent }: Pick<Plan, 'exponent'>,
): Parts[] {
  const of = (type: string) =>
    items
      .filter((item) => item.type === type)
      .reduce((sum, item) => sum + grossOf(item, exponent), 0);
  const gross = lines.map((line) => grossOf(line, exponent));
  const weights = gross.map((amount) => Math.max(0, amount));
  const rest = total - gross.reduce((sum, amount) => sum + amount, 0);
  const shared = spread(rest, weights).map((share, i) => share + (gross[i] ?? 0));
  // A line below 0 can't be a part.
  const totals = shared.every((amount) => amount >= 0) ? shared : spread(total, weights);
  const shippings = spread(Math.max(0, of('shipping')), weights);
  const fees = spread(Math.max(0, of('fee')), weights);
  return lines.map((line, i) => {
    const [before, after] = [
      amountIn(line, '_line_subtotal', exponent),
      amountIn(line, '_line_total', exponent),
    ];
    return {
      goods: Math.max(0, before, after),
      signup: 0,
      discount: Math.max(0, before - Math.max(0, after)),
      shipping: shippings[i] ?? 0,
      fee: fees[i] ?? 0,
      uniqueCode: 0,
      tax: Math.max(0, amountIn(line, '_line_tax', exponent)),
      total: totals[i] ?? 0,
    };
  });
}
