import { rescaled } from '../../lib/money.ts';
import type { Gateway } from '../../providers/payments/gateway.ts';

interface StoreAmount {
  readonly amount: number;
  /** Null until it is set: until then there are no orders, and providers get no amounts. */
  readonly currency: string | null;
  readonly currency_exponent: number | null;
}

/**
 * Converts an amount to a provider's unit. Undefined if it is no whole number of units: amounts to a provider are never
 * rounded.
 */
export function providerAmount(
  gateway: Pick<Gateway, 'unitOf'>,
  { amount, currency, currency_exponent }: StoreAmount,
): number | undefined {
  const unit = gateway.unitOf(currency ?? '');
  if (!unit || currency_exponent === null) return undefined;
  const units = rescaled(amount, currency_exponent, unit.exponent);
  return units === undefined || units % unit.step !== 0 ? undefined : units;
}

/**
 * Converts a provider's amount to the store's unit. Undefined if the provider doesn't know the currency, or the amount
 * is too large. Not `exact` if the store's unit is too coarse: the amount is then rounded down.
 */
export function storeAmount(
  gateway: Pick<Gateway, 'unitOf'>,
  units: number,
  { currency, currency_exponent }: Omit<StoreAmount, 'amount'>,
): { readonly amount: number; readonly exact: boolean } | undefined {
  const unit = gateway.unitOf(currency ?? '');
  if (!unit || currency_exponent === null) return undefined;
  const scaled = rescaled(units, unit.exponent, currency_exponent);
  if (scaled !== undefined) return { amount: scaled, exact: true };
  if (currency_exponent >= unit.exponent) return undefined;
  const size = 10 ** (unit.exponent - currency_exponent);
  return { amount: (units - (units % size)) / size, exact: false };
}

/**
 * Returns the reason why a provider can't give an amount back, with the nearest amounts that it can: its unit may be
 * larger than the store's. None if there is no such amount.
 * @param most the largest amount that may be given back
 */
export function refusedPart(
  gateway: Pick<Gateway, 'id' | 'unitOf'>,
  store: StoreAmount,
  most: number,
): string | undefined {
  const { amount, currency, currency_exponent } = store;
  const unit = gateway.unitOf(currency ?? '');
  if (!unit || providerAmount(gateway, store) !== undefined) return undefined;
  const size = unit.step * 10 ** ((currency_exponent ?? 0) - unit.exponent);
  const below = amount - (amount % size);
  const nearest = [below, below + size].filter((near) => near > 0 && near <= most);
  return nearest.length > 0
    ? `is in no unit that ${gateway.id} pays back: take ${nearest.join(' or ')}`
    : undefined;
}

export function limitsOf(
  gateway: Pick<Gateway, 'unitOf' | 'limitsOf'>,
  store: Omit<StoreAmount, 'amount'>,
): { readonly min: number | null; readonly max: number | null } {
  const { min, max } = gateway.limitsOf(store.currency ?? '');
  const least = min === undefined ? undefined : storeAmount(gateway, min, store);
  const most = max === undefined ? undefined : storeAmount(gateway, max, store);
  return {
    min: least ? least.amount + (least.exact ? 0 : 1) : null,
    max: most?.amount ?? null,
  };
}

export function refusedAmount(
  gateway: Pick<Gateway, 'unitOf' | 'limitsOf'>,
  store: StoreAmount,
): string | undefined {
  if (!gateway.unitOf(store.currency ?? '')) return `does not take ${store.currency}`;
  const { min, max } = limitsOf(gateway, store);
  if (min !== null && store.amount < min) return `takes amounts from ${min}`;
  if (max !== null && store.amount > max) return `takes amounts up to ${max}`;
  return providerAmount(gateway, store) === undefined
    ? 'cannot take this amount: it has more decimals than the provider takes'
    : undefined;
}
