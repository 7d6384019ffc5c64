import type { Config } from '../../config.ts';
import type { ScopedPrincipal } from '../../kernel/auth/principals.ts';
import type { ReadAccess } from '../../kernel/command/store.ts';
import { loadGateways } from '../../providers/payments/load.ts';
import { calculate } from '../../domain/checkout/calculation.ts';
import { firstDraw } from '../../domain/pricing/unique-code.ts';
import {
  cartState,
  loadPurchase,
  purchaseParameters,
  purchaseValues,
} from '../../queries/purchases.ts';
import { prepared } from '../../kernel/database/prepared.ts';
import type { CartInput } from '../../domain/checkout/schemas.ts';

export const errors = [
  'store_currency_unset',
  'rest_not_found',
  'rest_invalid_param',
  'product_closed',
  'variant_required',
  'tryout_used',
  'subscription_not_renewable',
  'plan_complete',
] as const;

const load = prepared(purchaseParameters, loadPurchase);

export async function priced(
  cart: CartInput,
  {
    db,
    config,
    principal,
    now,
  }: { db: ReadAccess; config: Config; principal: ScopedPrincipal; now: Date },
) {
  const loaded = await db.query(load(purchaseValues(cart, now)));
  // Only the existence of a free transfer code matters, so the first draw will do.
  const state = { ...cartState(loaded), redirects: await loadGateways(config), draw: firstDraw };
  return calculate(state, cart, principal, now);
}
