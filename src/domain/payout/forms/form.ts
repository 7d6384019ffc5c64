import type { BankAccount } from '../../../schema/users.ts';
import type { PayoutLineStatus } from '../../../schema/lists.ts';

/** A line of a payout run in its file. */
export interface FileLine {
  readonly id: number;
  readonly run_id: number;
  readonly affiliate_id: number;
  readonly name: string;
  readonly status: PayoutLineStatus;
  /** In units of the currency, as a decimal number. */
  readonly amount: string;
  readonly currency: string;
  readonly account_text: string;
  readonly bank: BankAccount | null;
  readonly reference: string;
  /** The description that payees see; in a draft it begins with `DRAFT`. */
  readonly remark: string;
}

/** A line with its account by parts. */
export type BankLine = FileLine & { readonly bank: BankAccount };

/** The columns of a file, in order: each with its heading and its value in a line. */
export type Columns<L> = readonly (readonly [
  heading: string,
  value: (line: L) => string | number,
])[];

/** The digits of an account number. */
export const digits = ({ bank }: BankLine): string => bank.number.replace(/\D/g, '');
