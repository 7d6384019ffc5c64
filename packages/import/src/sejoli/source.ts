import { type Source, words } from '../source.ts';
import { options, postmeta, posts, usermeta, users } from '../wordpress.ts';

/** Site-local times. "Never" is a row of zeros; a row is deleted if `deleted_at` isn't zeros. */
const times = ['created_at', 'updated_at', 'deleted_at'] as const;

const productKeys = words(
  '_price _product_type _payment_type _enable_sale _disable_sale_time',
  '_coupon_access_checkout _limit_buy_time _enable_quantity _enable_ppn _subscription_*',
  '_license_active _license_count _sejoli_enable_affiliate',
  '_sejoli_enable_affiliate_if_already_bought _sejoli_commission|* _sejoli_landing_page',
  '_sejoli_affiliate_links|* _sejoli_affiliate_tool|* _shipment_active _shipment_weight',
  '_shipment_cod_active _shipment_cod_fee _product_variants|* _user_group_buy_*',
  '_user_group_update*',
);

const groupKeys = words(
  '_priority _can_view_affiliate _group_discount_* _group_commissions|*',
  '_group_setup_per_product|*',
);

const accessKeys = words(
  '_product_association|* _drip_day _access_redirect_active _access_redirect_link',
  '_access_block_message _access_expired_message _access_drip_day_message',
);

/** Sejoli, a plugin for shops in Indonesia and Malaysia, with its wallet. */
export const sejoli = {
  name: 'sejoli',
  marks: ['sejolisa_orders'],
  tables: {
    users,
    usermeta: usermeta(
      words(
        '_affiliate_id _user_group _phone _address _destination _destination_name',
        '_postal_code _bank_info _sejoli_bonus_affiliate_* _sejoli_id_pixel_affiliate_*',
      ),
    ),
    posts: posts(['sejoli-product', 'sejoli-access', 'sejoli-user-group', 'sejoli-reminder']),
    postmeta: postmeta([...productKeys, ...groupKeys, ...accessKeys, '_reminder_*']),
    options: options(
      words(
        '_sejoli_currency_type _sejoli_permanent_affiliate _sejoli_affiliate_coupon_active',
        '_sejoli_autodelete_incomplete_order _sejoli_ppn_price _manual_transaction_operation',
        '_manual_transaction_info|*',
      ),
    ),
    sejolisa_orders: {
      columns: [
        'ID',
        ...times,
        ...words(
          'order_parent_id product_id user_id affiliate_id coupon_id payment_gateway',
          'grand_total quantity type status meta_data',
        ),
      ],
      id: 'ID',
      index: ['ID'],
    },
    sejolisa_affiliates: {
      columns: [
        'ID',
        ...times,
        ...words('order_id affiliate_id product_id tier commission status paid_status'),
      ],
      id: 'ID',
      index: ['order_id'],
    },
    sejolisa_coupons: {
      columns: [
        'ID',
        ...times,
        ...words('user_id coupon_parent_id code rule discount usage limit_use limit_date status'),
      ],
      id: 'ID',
      index: ['ID'],
    },
    sejolisa_licenses: {
      columns: [
        'ID',
        ...times,
        ...words('order_id user_id product_id code string status meta_data'),
      ],
      id: 'ID',
      index: ['code'],
    },
    sejolisa_subscriptions: {
      columns: [
        'ID',
        ...times,
        ...words('order_id order_parent_id user_id product_id type end_date status'),
      ],
      id: 'ID',
      index: ['order_id'],
    },
    sejolisa_confirmations: {
      columns: ['ID', 'created_at', 'order_id', 'product_id', 'user_id', 'detail'],
      id: 'ID',
      index: ['order_id'],
    },
    sejolisa_reminders: {
      columns: words(
        'ID created_at sent_at send_day send_hours order_id title content media_type',
        'reminder_type status',
      ),
      id: 'ID',
      index: ['order_id'],
      optional: true,
    },
    sejolisa_wallet: {
      columns: words('ID order_id product_id user_id value type', 'valid_point'),
      index: ['user_id'],
      optional: true,
    },
  },
} as const satisfies Source;
