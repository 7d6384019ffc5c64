import { type SourceTable, words } from './source.ts';

/** The tables of Software License Manager, which gives out keys for WooCommerce orders. */
export const licenceKeyTables = {
  lic_key_tbl: {
    columns: words(
      'id license_key max_allowed_domains max_allowed_devices lic_status lic_type',
      'first_name last_name email txn_id purchase_id_ date_created date_activated',
      'date_renewed date_expiry product_ref',
    ),
    id: 'id',
    index: ['purchase_id_'],
    optional: true,
  },
  lic_reg_domain_tbl: {
    columns: ['id', 'lic_key_id', 'registered_domain'],
    index: ['lic_key_id'],
    optional: true,
  },
  lic_reg_devices_tbl: {
    columns: ['id', 'lic_key_id', 'registered_devices'],
    index: ['lic_key_id'],
    optional: true,
  },
} as const satisfies Record<string, SourceTable>;
