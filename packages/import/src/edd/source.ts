import { categoryRateKey, rateKeys } from '../affiliatewp/rates.ts';
import { affiliateCouponKey, affiliateSettings, affiliateTables } from '../affiliatewp/source.ts';
import { type Source, type StagedRow, words } from '../source.ts';
import { metaOf, options, postmeta, posts, taxonomyTables, usermeta, users } from '../wordpress.ts';

const { terms, termmeta, term_taxonomy, term_relationships } = taxonomyTables(
  ['download_category'],
  [categoryRateKey('edd')],
);

/** The key of the orders of a licence after its first: renewals, by hand or automatic, and upgrades. */
export const laterPaymentKey = '_edd_sl_payment_id';

/** Easy Digital Downloads from version 3 on, with Software Licensing and Recurring Payments. */
export const edd = {
  name: 'edd',
  marks: ['edd_orders'],
  tables: {
    users,
    usermeta: usermeta([]),
    posts: posts(['download']),
    postmeta: postmeta([
      'edd_price',
      'edd_variable_prices',
      '_variable_pricing',
      '_edd_product_type',
      '_edd_bundled_products',
      'edd_download_files',
      '_edd_quantities_disabled',
      'edd_recurring',
      'edd_period',
      'edd_times',
      'edd_signup_fee',
      'edd_trial_period',
      '_edd_sl_enabled',
      '_edd_sl_limit',
      '_edd_sl_exp_unit',
      '_edd_sl_exp_length',
      'edd_sl_download_lifetime',
      '_edd_download_tax_exclusive',
      ...rateKeys('edd'),
      // Stored under the id of a discount, as if it were a post.
      affiliateCouponKey,
    ]),
    options: options([], {
      ...affiliateSettings,
      edd_settings: words(
        'base_country currency enable_taxes item_quantities prices_include_tax',
        'recurring_download_limit recurring_treat_completed_subs_as_active',
      ),
    }),
    /** Omits the key of the receipt and the buyer's IP address. */
    edd_orders: {
      columns: words(
        'id parent order_number status type user_id customer_id email gateway mode currency',
        'subtotal discount tax total rate date_created date_modified date_completed',
      ),
      id: 'id',
      index: ['id'],
      alsoBy: ['parent'],
    },
    edd_order_items: {
      columns: words(
        'id parent order_id product_id product_name price_id cart_index status quantity',
        'amount subtotal discount tax total',
      ),
      index: ['order_id'],
    },
    edd_order_adjustments: {
      columns: words('id object_id object_type type type_id description subtotal tax total'),
      index: ['object_id'],
    },
    edd_order_addresses: {
      columns: words('order_id type name address address2 city region postal_code country'),
      index: ['order_id'],
    },
    edd_order_transactions: {
      columns: ['object_id', 'object_type', 'transaction_id', 'gateway', 'status', 'total'],
      index: ['object_id'],
    },
    edd_adjustments: {
      columns: words(
        'id parent name code status type amount_type amount max_uses use_count',
        'once_per_customer min_charge_amount start_date end_date date_created',
      ),
      id: 'id',
      index: ['id'],
    },
    terms: { ...terms, optional: true },
    termmeta,
    term_taxonomy: { ...term_taxonomy, optional: true },
    term_relationships: { ...term_relationships, optional: true },
    edd_adjustmentmeta: metaOf('edd_adjustment_id', [
      'product_requirement',
      'excluded_product',
      'product_condition',
      'categories',
      'term_condition',
      affiliateCouponKey,
    ]),
    edd_customers: {
      columns: words('id user_id email name status date_created'),
      id: 'id',
      index: ['id'],
      alsoBy: ['user_id'],
    },
    edd_customer_email_addresses: {
      columns: ['customer_id', 'email'],
      index: ['customer_id'],
    },
    edd_subscriptions: {
      columns: words(
        'id customer_id period bill_times parent_payment_id product_id price_id expiration',
        'status profile_id',
      ),
      id: 'id',
      index: ['parent_payment_id'],
      alsoBy: ['id'],
      optional: true,
    },
    edd_licenses: {
      columns: words(
        'id license_key status download_id price_id payment_id cart_index date_created',
        'expiration parent customer_id user_id',
      ),
      id: 'id',
      index: ['payment_id'],
      alsoBy: ['id'],
      optional: true,
    },
    edd_licensemeta: {
      ...metaOf('edd_license_id', ['_edd_sl_limit', laterPaymentKey]),
      optional: true,
    },
    edd_license_activations: {
      columns: ['site_id', 'license_id', 'site_name', 'activated', 'is_local'],
      index: ['license_id'],
      optional: true,
    },
    ...affiliateTables,
  },
} as const satisfies Source;

export type OrderRow = StagedRow<typeof edd, 'edd_orders'>;
export type ItemRow = StagedRow<typeof edd, 'edd_order_items'>;
