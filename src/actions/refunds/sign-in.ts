import type { ScopedPrincipal } from '../../kernel/auth/principals.ts';
import type { Update } from '../../domain/purchase/update-state.ts';
import type { SettingsRow } from '../../schema/platform.ts';

/** Asks the console for a fresh sign-in before more money goes back than the store lets go without. */
export function requireFreshRefund(
  principal: ScopedPrincipal,
  amount: number,
  { refund_sign_in_above }: SettingsRow,
  now: Date,
): void {
  if (amount > refund_sign_in_above) principal.requireFresh(now);
}

/** Like `requireFreshRefund`, for a change of an order; earlier refunds count too, because parts add up. */
export function requireFreshChange(principal: ScopedPrincipal, { change }: Update): void {
  if (!change?.refund) return;
  const { after, settings, now } = change;
  requireFreshRefund(principal, after.refunded_total, settings, now);
}
