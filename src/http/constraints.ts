import type { ErrorCode } from './errors.ts';

/** The error that a row refused by a UNIQUE constraint becomes, by the constraint's name. */
export const constraintErrors: Readonly<Record<string, ErrorCode>> = {
  users_email: 'user_email_exists',
  user_external_ids_provider_external_id: 'user_external_id_exists',
  coupons_code_live: 'coupon_code_exists',
  user_groups_name: 'group_name_exists',
  products_slug: 'product_slug_exists',
  payable_claims_pkey: 'transfer_figure_taken',
};
