import { csvLine } from '../../../lib/csv.ts';
import { oneLine } from '../../../lib/text.ts';
import { bca } from './bca.ts';
import { biFast } from './bi-fast.ts';
import type { BankLine, Columns, FileLine } from './form.ts';
import { general } from './general.ts';
import { xendit } from './xendit.ts';

const banks = { bca, 'bi-fast': biFast, xendit } satisfies Record<string, Columns<BankLine>>;

export const formNames = ['general', 'bca', 'bi-fast', 'xendit'] as const;

type FormName = (typeof formNames)[number];

/** Tells if a line is unpaid and its account known by its parts, with a number of digits. */
const isForBank = (line: FileLine): line is BankLine =>
  line.bank !== null &&
  /^[\d .-]*\d[\d .-]*$/.test(line.bank.number) &&
  (line.status === 'draft' || line.status === 'confirmed');

/** Returns CSV. A bank's file leaves out lines without such an account and settled lines. */
export function fileTexts(form: FormName, lines: readonly FileLine[]): string {
  return form === 'general'
    ? lines.map((line) => textOf(general, line)).join('')
    : lines
        .filter((line) => isForBank(line))
        .map((line) => textOf(banks[form], line))
        .join('');
}

export const headingOf = (form: FormName): string =>
  csvLine((form === 'general' ? general : banks[form]).map(([heading]) => heading));

/** Renders a line as one row: line breaks in a value would look like more rows to programs that split a file at them. */
const textOf = <L>(columns: Columns<L>, line: L) =>
  csvLine(columns.map(([, value]) => inOneLine(value(line))));

const inOneLine = (value: string | number) => (typeof value === 'string' ? oneLine(value) : value);
