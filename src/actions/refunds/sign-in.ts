import type { ScopedPrincipal } from '../../kernel/auth/principals.ts';
import type { Update } from '../../domain/purchase/update-state.ts';
import type { SettingsRow } from '../../schema/platform.ts';

/** Requires a fresh console session for a refund above the store's limit. */
export function requireFreshRefund(
  principal: ScopedPrincipal,
  amount: number,
  { refund_sign_in_above }: SettingsRow,
  now: Date,
): void {
  if (amount > refund_sign_in_above) principal.requireFresh(now);
}

/** Like `requireFreshRefund`, for a change of an order. Earlier refunds count too, so that parts add up. */
export function requireFreshChange(principal: ScopedPrincipal, { change }: Update): void {
  if (!change?.refund) return;
  const { after, settings, now } = change;
  requireFreshRefund(principal, after.refunded_total, settings, now);
}
