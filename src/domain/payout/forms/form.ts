import type { BankAccount } from '../../../schema/users.ts';
import type { PayoutLineStatus } from '../../../schema/lists.ts';

export interface FileLine {
  readonly id: number;
  readonly run_id: number;
  readonly affiliate_id: number;
  readonly name: string;
  readonly status: PayoutLineStatus;
  /** A decimal number in units of the currency. */
  readonly amount: string;
  readonly currency: string;
  readonly account_text: string;
  readonly bank: BankAccount | null;
  readonly reference: string;
  /** Payees see it. In a draft it begins with `DRAFT`. */
  readonly remark: string;
}

/** A line whose account is known by its parts. */
export type BankLine = FileLine & { readonly bank: BankAccount };

/** The heading of each column and its value in a line. */
export type Columns<L> = readonly (readonly [
  heading: string,
  value: (line: L) => string | number,
])[];

export const digits = ({ bank }: BankLine): string => bank.number.replace(/\D/g, '');
