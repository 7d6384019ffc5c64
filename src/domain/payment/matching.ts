import type { Instant } from '../../lib/instant.ts';
import type { BankMutationRow } from '../../schema/bank-mutations.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import type { ManualAccount } from '../../schema/platform.ts';

export type WaitingOrder = Pick<
  OrderColumns,
  'id' | 'payment_gateway' | 'currency' | 'grand_total' | 'created_at'
> & { readonly unique_code?: number };

/** Signs that the buyer of another order left out its unique code. */
export interface LeftOutCode {
  /** True if it is exactly the amount of another order without its code. */
  readonly of_another: boolean;
  /** True if the code of another order may have been left out. */
  readonly possible: boolean;
}

export interface Senders {
  readonly waiting: readonly WaitingOrder[];
  /** Until then it may belong to an order that no longer waits; null if there is none. */
  readonly held_until: Instant | null;
  readonly leftOutCode?: LeftOutCode | undefined;
}

/** The facts in a mutation about its sender. */
type Transfer = Pick<
  BankMutationRow,
  'direction' | 'account_number' | 'amount' | 'currency' | 'occurred_at'
>;

/**
 * Returns the only order that waited for this amount when the money was sent. Undefined if the money may be for another
 * order: one that stopped waiting recently, one of several, or one whose buyer left out the unique code.
 */
export function payingOrder(
  transfer: Transfer,
  { waiting, held_until, leftOutCode }: Senders,
  accounts: readonly ManualAccount[],
): number | undefined {
  if (transfer.direction !== 'credit') return undefined;
  if (held_until !== null && held_until > transfer.occurred_at) return undefined;
  const gateways = gatewaysInto(transfer.account_number, accounts);
  const [order, ...others] = waiting.filter(
    ({ payment_gateway, currency, grand_total, created_at }) =>
      gateways.includes(payment_gateway) &&
      currency === transfer.currency &&
      grand_total === transfer.amount &&
      minuteOf(created_at) <= minuteOf(transfer.occurred_at),
  );
  if (leftOutCode?.of_another) return undefined;
  if (leftOutCode?.possible && order?.unique_code === 0) return undefined;
  return others.length === 0 ? order?.id : undefined;
}

/** Statements have times to the minute or second: an order of the same minute may be older. */
const minuteOf = (at: Instant) => at.slice(0, 'yyyy-mm-ddThh:mm'.length);

/** The gateways that transfer to an account of the store. */
export function gatewaysInto(number: string, accounts: readonly ManualAccount[]): string[] {
  const digits = digitsOf(number);
  const own = accounts.filter(
    ({ account_number }) => digits !== '' && digitsOf(account_number) === digits,
  );
  return own.length === 0 ? [] : ['manual', ...own.map(({ id }) => `manual:${id}`)];
}

const digitsOf = (number: string) => number.replaceAll(/\D/g, '');
