import { codeIn } from './banks.ts';
import { type BankLine, type Columns, digits } from './form.ts';

const isBca = ({ bank }: BankLine) => codeIn('bic', bank) === 'CENAIDJA';

/** KlikBCA Bisnis, Multi Auto Credit. Derived from third parties' guides and programs. */
export const bca: Columns<BankLine> = [
  ['No', () => ''],
  ['Transaction ID', ({ id }) => id],
  ['Transfer Type', (line) => (isBca(line) ? 'BCA' : 'LLG')],
  ['Beneficiary ID', () => ''],
  ['Credited Account', digits],
  ['Receiver Name', ({ bank }) => bank.holder.slice(0, 70)],
  ['Amount', ({ amount }) => amount],
  ['NIP', () => ''],
  ['Remark', ({ remark }) => remark.slice(0, 18)],
  ['Beneficiary email address', () => ''],
  ['Receiver Swift Code', (line) => (isBca(line) ? '' : codeIn('bic', line.bank))],
  ['Receiver Cust Type', () => 1],
  ['Receiver Cust Residence', () => 1],
];
