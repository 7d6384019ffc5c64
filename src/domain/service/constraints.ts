import type { ErrorCode } from './errors.ts';

type Errors = Readonly<Record<string, ErrorCode>>;

/** UNIQUE constraints on values that a caller chose. */
export const takenErrors: Errors = {
  users_email: 'user_email_exists',
  user_external_ids_provider_external_id: 'user_external_id_exists',
  coupons_code_live: 'coupon_code_exists',
  user_groups_name: 'group_name_exists',
  staff_roles_name: 'staff_role_name_exists',
  products_slug: 'product_slug_exists',
};

/** Constraints on values drawn at random: another attempt may draw a free one. */
export const drawnErrors: Errors = {
  payable_claims_pkey: 'transfer_figure_taken',
};
