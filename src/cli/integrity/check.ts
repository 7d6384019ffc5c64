import { listed } from '../../kernel/database/columns.ts';
import { statusGroupMembers } from '../../schema/lists.ts';

/** A derived figure, and a query for the rows that differ from its sources. */
export interface Check {
  readonly name: string;
  readonly differences: string;
}

/** Returns SQL for the rows of either query that the other lacks. */
export const difference = (a: string, b: string) =>
  `(${a} except ${b}) union all (${b} except ${a})`;

export const statuses = {
  unpaid: listed(statusGroupMembers.unpaid),
  processing: listed(statusGroupMembers.processing),
  closed: listed(statusGroupMembers.closed),
};
