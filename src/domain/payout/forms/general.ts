import type { Columns, FileLine } from './form.ts';

export const general: Columns<FileLine> = [
  ['line', ({ id }) => id],
  ['status', ({ status }) => status],
  ['affiliate_id', ({ affiliate_id }) => affiliate_id],
  ['affiliate', ({ name }) => name],
  ['amount', ({ amount }) => amount],
  ['currency', ({ currency }) => currency],
  ['bank_code', ({ bank }) => bank?.bank_code ?? ''],
  ['bank_name', ({ bank }) => bank?.bank_name ?? ''],
  ['account_number', ({ bank }) => bank?.number ?? ''],
  ['account_holder', ({ bank }) => bank?.holder ?? ''],
  ['account', ({ account_text }) => account_text],
  ['reference', ({ reference }) => reference],
];
