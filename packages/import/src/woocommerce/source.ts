import { levelKeys } from '../affiliatewp/levels.ts';
import { categoryRateKey, rateKeys } from '../affiliatewp/rates.ts';
import { affiliateCouponKey, affiliateSettings, affiliateTables } from '../affiliatewp/source.ts';
import { licenceKeyTables, soldLicenceKeys } from '../software-license-manager.ts';
import { type Source, words } from '../source.ts';
import { metaOf, options, postmeta, posts, taxonomyTables, usermeta, users } from '../wordpress.ts';

const addressParts = words(
  'first_name last_name company address_1 address_2 city state postcode country email',
  'phone',
);

const addressKeys = ['_billing_', '_shipping_'].flatMap((kind) =>
  addressParts.map((part) => kind + part),
);

/** Keys of orders, refunds and subscriptions besides their columns, in both kinds of storage. */
const orderKeys = words(
  '_refund_amount _refund_reason _refunded_by _subscription_renewal _subscription_switch',
  '_order_number _order_number_formatted _billing_period _billing_interval _schedule_next_payment _schedule_end _schedule_cancelled',
);

/** Keys that orders among the posts have in place of columns. */
const legacyOrderKeys = words(
  '_customer_user _order_currency _order_total _payment_method _payment_method_title',
  '_transaction_id _date_paid _date_completed',
);

const productKeys = [
  ...words(
    '_price _regular_price _sale_price _sale_price_dates_from _sale_price_dates_to',
    '_sku _sold_individually _manage_stock _stock _stock_status _backorders _virtual',
    '_downloadable _downloadable_files _download_expiry _download_limit _weight _tax_status _children attribute_*',
    '_subscription_period _subscription_period_interval _subscription_length',
    '_subscription_sign_up_fee _subscription_trial_length _subscription_trial_period',
  ),
  ...soldLicenceKeys,
  ...rateKeys('woocommerce'),
  ...levelKeys,
];

const couponKeys = [
  'discount_type',
  'coupon_amount',
  'usage_limit',
  'usage_limit_per_user',
  'limit_usage_to_x_items',
  'usage_count',
  'date_expires',
  'expiry_date',
  'product_ids',
  'exclude_product_ids',
  'product_categories',
  'exclude_product_categories',
  'product_brands',
  'exclude_product_brands',
  'minimum_amount',
  'maximum_amount',
  'free_shipping',
  'exclude_sale_items',
  'customer_email',
  '_used_by',
  affiliateCouponKey,
];

/** WooCommerce, with orders in tables of their own (HPOS) or among the posts. */
export const woocommerce = {
  name: 'woocommerce',
  marks: ['wc_orders', 'woocommerce_order_items'],
  tables: {
    users,
    usermeta: usermeta(addressParts.map((part) => `billing_${part}`)),
    posts: posts(
      words('product product_variation shop_coupon shop_order shop_order_refund shop_subscription'),
    ),
    postmeta: postmeta([
      ...addressKeys,
      ...orderKeys,
      ...legacyOrderKeys,
      ...productKeys,
      ...couponKeys,
    ]),
    ...taxonomyTables(['product_type', 'product_cat'], ['order', categoryRateKey('woocommerce')]),
    options: options(
      words(
        'woocommerce_custom_orders_table_enabled woocommerce_currency',
        'woocommerce_price_num_decimals woocommerce_prices_include_tax woocommerce_calc_taxes',
        'woocommerce_default_country woocommerce_weight_unit woocommerce_manage_stock',
      ),
      affiliateSettings,
    ),
    /** The notes of orders aren't imported, but new orders don't get their ids. */
    comments: {
      columns: ['comment_post_ID', 'comment_type'],
      rows: { column: 'comment_type', values: ['order_note'] },
      index: ['comment_post_ID'],
    },
    /** Omits the key that opens a guest's order, and browser data. */
    wc_orders: {
      columns: words(
        'id status currency type total_amount customer_id billing_email',
        'date_created_gmt date_updated_gmt parent_order_id payment_method',
        'payment_method_title transaction_id customer_note',
      ),
      id: 'id',
      index: ['id'],
      optional: true,
    },
    wc_order_addresses: {
      columns: ['order_id', 'address_type', ...addressParts],
      index: ['order_id'],
      optional: true,
    },
    wc_order_operational_data: {
      columns: ['order_id', 'date_paid_gmt', 'date_completed_gmt'],
      index: ['order_id'],
      optional: true,
    },
    wc_orders_meta: { ...metaOf('order_id', orderKeys), optional: true },
    woocommerce_order_items: {
      columns: ['order_item_id', 'order_item_name', 'order_item_type', 'order_id'],
      id: 'order_item_id',
      index: ['order_id'],
    },
    woocommerce_order_itemmeta: metaOf(
      'order_item_id',
      words(
        '_product_id _variation_id _qty _line_subtotal _line_subtotal_tax _line_total _line_tax cost total_tax',
        'coupon_info coupon_data _refunded_item_id _reduced_stock',
      ),
    ),
    /** Omits the key that opens the order, and addresses. */
    woocommerce_downloadable_product_permissions: {
      columns: ['order_id', 'product_id', 'downloads_remaining', 'access_expires'],
      index: ['order_id'],
      optional: true,
    },
    ...licenceKeyTables,
    ...affiliateTables,
  },
} as const satisfies Source;
