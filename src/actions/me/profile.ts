import type { SessionPrincipal } from '../../kernel/auth/principals.ts';
import { sessionContext } from '../../domain/session/rules.ts';
import { type UserRow, toUser } from '../../domain/user/rules.ts';

export function profileOf(row: UserRow, principal: SessionPrincipal) {
  const { id, display_name, email, phone, bank_info, ...user } = toUser(row);
  return {
    success: true as const,
    data: {
      id,
      effective_user_id: id,
      display_name,
      email,
      phone,
      bank: bank_info,
      bank_account: user.bank_account,
      language: user.language,
      can_affiliate: user.can_affiliate,
      can_affiliate_coupon: user.can_affiliate_coupon,
      is_admin: user.is_admin,
    },
    session: sessionContext(principal),
  };
}
