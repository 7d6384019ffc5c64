import type { BankAccount } from '../../../schema/users.ts';
import type { PayoutLineStatus } from '../../../schema/lists.ts';

/** A line of a payout run as its file tells of it. */
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
  /** The words that receivers see; those of a draft begin with `DRAFT`. */
  readonly remark: string;
}

/** A line whose account is known by its parts. */
export type BankLine = FileLine & { readonly bank: BankAccount };

/** The columns of a file, in order: a heading, and the value in each line. */
export type Columns<L> = readonly (readonly [
  heading: string,
  value: (line: L) => string | number,
])[];

/** The digits of an account number. */
export const digits = ({ bank }: BankLine): string => bank.number.replace(/\D/g, '');
