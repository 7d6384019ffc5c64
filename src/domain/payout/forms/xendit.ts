import { codeIn } from './banks.ts';
import { type BankLine, type Columns, digits } from './form.ts';

/** Batch Payouts of Xendit. */
export const xendit: Columns<BankLine> = [
  ['Reference ID', ({ id }) => `payout-${id}`],
  ['Amount', ({ amount }) => amount],
  ['Channel Code', ({ bank }) => codeIn('xendit', bank)],
  ['Bank Account Name', ({ bank }) => bank.holder],
  ['Bank Account Number', digits],
  ['Description', ({ remark }) => remark],
  ['Email', () => ''],
  ['Email CC', () => ''],
  ['Email BCC', () => ''],
];
