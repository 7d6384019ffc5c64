import { codeIn } from './banks.ts';
import { type BankLine, type Columns, digits } from './form.ts';

/** BI-FAST transfers to account numbers, in the multi-service upload of Mandiri Cash Management. */
export const biFast: Columns<BankLine> = [
  ['Beneficiary Account No.', digits],
  ['Beneficiary Account Name', ({ bank }) => bank.holder.slice(0, 40)],
  ['Beneficiary Address 1', () => ''],
  ['Beneficiary Address 2', () => ''],
  ['Beneficiary Address 3', () => ''],
  ['Transfer Amount Currency', ({ currency }) => currency],
  ['Transfer Amount', ({ amount }) => amount],
  ['Transaction Remark', ({ remark }) => remark],
  ['Customer Reference Number', ({ id }) => id],
  ['FT Service', () => 'BAU'],
  ['Beneficiary Bank Code', ({ bank }) => codeIn('bic', bank)],
  ['Beneficiary Bank Name', ({ bank }) => bank.bank_name],
];
