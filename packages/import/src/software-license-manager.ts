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

/** The meta keys of a licence's length in different versions of the plugin, the latest first. */
export const lengthKeys = words(
  '_license_renewal_period_length _license_renewal_period_lenght _license_renewal_period',
);

/** The meta keys of the products that sell licences. */
export const soldLicenceKeys = [
  ...words('_domain_licenses _devices_licenses _license_type _license_renewal_period_term'),
  ...lengthKeys,
];
