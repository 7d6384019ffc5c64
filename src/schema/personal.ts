import type { Name, Replacements, TableName, WithUser, Words } from './personal-checks.ts';

// The effect of erasing a user on every column of every table. A column stands on one of the lists below: deleted
// with its row, erased, kept, not personal. A column on none doesn't compile. Documents of a known shape are listed
// key by key (`shipping.phone`), or as a whole.

/** Tables whose rows are deleted if they belong to the user. Of pictures, creatives stay. */
export const deleted = [
  'accountCodes',
  'accountLinks',
  'accountPhones',
  'accountSessions',
  'consoleCodes',
  'consoleLinks',
  'consoleSessions',
  'fileDownloads',
  'media',
  'messageSuppressions',
  'newBuyers',
  'userExternalIds',
  'wishes',
] as const satisfies readonly TableName[];

/** The values that replace personal ones. */
export const erased = {
  users: {
    email: null,
    phone: '',
    first_name: '',
    last_name: '',
    display_name: 'Deleted user',
    address: '',
    postal_code: '',
    country: '',
    bank_info: '',
    bank_account: null,
    meta: {},
  },
  orders: {
    'shipping.receiver': '',
    'shipping.phone': '',
    'shipping.address': '',
    'shipping.postal_code': '',
    note: null,
    meta: {},
  },
  orderHistory: { note: null },
  purchaseForms: { name: '', email: '', phone: '', network: '', link_generation: null },
  refunds: { reason: null },
  bankMutations: { description: '', unread: null },
  confirmations: {
    'detail.sender': '',
    'detail.account_number': '',
    'detail.bank_sender': '',
    'detail.proof': '',
    'detail.note': '',
    reject_reason: null,
  },
  reminders: { recipient: '', title: '', content: '', last_error: null },
  messages: {
    recipient: '',
    last_error: null,
    'content.subject': '',
    'content.text': '',
    'content.html': null,
    'content.approved': null,
    'content.unsubscribe_url': null,
  },
  accessGrants: { note: null },
  commissions: { note: null },
  risks: { note: null },
  payoutLines: { account: null, reason: null },
  licenses: { note: null, meta: {} },
  licenseActivations: { label: '', meta: {} },
  subscriptions: { note: null, cancel_reason: null },
} satisfies Erased;

/** Personal values that stay, with the reason. */
export const kept = {
  affiliateClicks: {
    sub: 'Names a campaign of the affiliate, whose figures stay.',
    visitor: 'Is an HMAC of a day, which leads to nobody.',
  },
  affiliateFigures: { sub: 'Names a campaign of the affiliate, whose figures stay.' },
  orders: {
    coupon_code: 'Shows what the discount was given for.',
    'shipping.country': 'Decides which taxes were due.',
    'shipping.tracking_number': 'Proves the delivery to whoever asks after it.',
    'shipping.tracking_url': 'Proves the delivery to whoever asks after it.',
  },
  coupons: { code: 'Buyers were given it, and orders carry it.' },
  confirmations: { 'detail.bank_recipient': "Names the store's account that the money went to." },
  paymentSessions: {
    provider_id: 'Finds the payment at its provider.',
    named_ref: 'Finds the payment at its provider.',
    payment_ref: 'Finds the payment at its provider.',
    url: 'Leads to a page of the provider, who decides for how long.',
  },
  providerRefunds: {
    payment_ref: 'Finds the payment at its provider.',
    provider_ref: 'Finds the refund at its provider.',
  },
  payoutLines: { reference: 'Finds the payment in the statements of the store.' },
  payouts: {
    method: 'Proves in the books of the store that the affiliate was paid.',
    reference: 'Finds the payment in the statements of the store.',
  },
  licenseActivations: { string: 'Holds a seat of the licence.' },
  auditLog: {
    reason: 'Holds administrators to account; is removed after AUDIT_DAYS.',
    after:
      'Says from which country and browser the console was signed in to; is removed after AUDIT_DAYS.',
  },
  idempotencyKeys: {
    fingerprint:
      'Is emptied with an answer that shows the user; is removed after IDEMPOTENCY_DAYS.',
    body: 'Is emptied if it shows the user; is removed after IDEMPOTENCY_DAYS.',
  },
  outbox: { data: 'Is promised to its receiver; is removed after WEBHOOK_LOG_DAYS.' },
  webhookLog: {
    error: 'Says why a delivery failed; is removed after WEBHOOK_LOG_DAYS.',
    answer: 'Says why a delivery failed; is removed after WEBHOOK_LOG_DAYS.',
  },
  settings: {
    manual_accounts: "Are the store's own accounts, which its administrators edit.",
    notification_email: "Is the store's own address, which its administrators edit.",
    notification_phone: "Is the store's own number, which its administrators edit.",
  },
} satisfies { [T in Listed]?: { [N in Exclude<Name<T>, NotPersonal[T]>]?: string } };

type RecordColumns = 'id created_at updated_at version';

/**
 * Values that aren't personal: ids, which lead to nobody once the user's record is blank; amounts, times and statuses;
 * the store's own texts. Names are separated by spaces.
 */
interface NotPersonalColumns {
  accessContent:
    | 'title url product_ids match drip_day release_at status redirect_active redirect_link'
    | 'messages'
    | RecordColumns;
  accessEnds: 'day slot grants';
  accessGrants:
    | 'user_id product_id order_id subscription_id source status start end_active revoked_at'
    | 'revoke_reason deleted_at'
    | RecordColumns;
  affiliateClicks: 'id ref affiliate_id product_id target at counted_on';
  affiliateDays: 'affiliate_id day slot orders paid_orders revenue';
  affiliateFigures:
    | 'affiliate_id day product_id target slot clicks orders paid revenue'
    | 'commission';
  affiliateSales:
    | 'period key product_id affiliate_id slot orders quantity grand_total'
    | 'refunded_total link_orders clicks';
  apiKeyRefusals: 'id api_key_id at operation status code request_id';
  apiKeySecrets: 'prefix api_key_id hash pepper_version created_at expires_at';
  apiKeyUse: 'api_key_id day operation outcome n';
  apiKeys:
    | 'id name scopes ip_allow signs_in_administrators created_by created_at expires_at'
    | 'revoked_at last_used_at';
  auditLog: 'id at actor_type actor_id user_id sid operation subject_type subject_id before request_id';
  backfills: 'name position';
  bankMutations:
    | 'source mutation_id account_number amount currency occurred_at direction status order_id'
    | RecordColumns;
  buyerSponsors: 'user_id order_id';
  commissionDays: 'affiliate_id day product_id tier status slot sales amount';
  commissionRollups: 'dimension key status slot commissions sales amount';
  commissions:
    | 'order_id product_id affiliate_id buyer_id tier kind commission currency base_amount'
    | 'rate_type rate rate_source status cancellation hold_until paid_at payout_id payout_line_id flags held'
    | 'parent_id deleted_at'
    | RecordColumns;
  confirmations:
    | 'order_id product_id user_id status detail.total transferred_at'
    | 'amount_expected amount_matches duplicate_of reviewed_by reviewed_at'
    | RecordColumns;
  couponCopies: 'template_id user_id copies';
  couponRedemptions: 'order_id coupon_id user_id redeemed_at released_at';
  couponUsage: 'coupon_id used';
  couponUserUsage: 'coupon_id user_id used';
  coupons:
    | 'user_id coupon_parent_id discount rule limit_use limit_use_per_user start_date limit_date'
    | 'status deleted_at'
    | RecordColumns;
  files:
    | 'product_id option_id content_id name release position type size sha256 status key upload.id'
    | 'upload.parts source_url deleted_at'
    | RecordColumns;
  groupMoves: 'order_id user_id group_id moved from_group_id';
  idempotencyKeys: 'caller operation key status created_at';
  imports: 'fingerprint entity kind done counts sums answers started_at finished_at';
  licenseActivations: 'id license_id seat first_at last_seen_at';
  licenseTerms: 'id license_id order_id at days until';
  licenses:
    | 'code product_id order_id ordinal user_id status off_by_hand activation_limit'
    | 'activation_count expires_at max_resets resets'
    | RecordColumns;
  listTotals: 'list slot total';
  messageSenders: 'medium next_at paused_until problem problem_since';
  messageTemplates: 'kind medium active texts updated_at version';
  messages:
    | 'content.language content.from_name recipient_named'
    | 'key kind medium user_id order_id reminder_id record_id status due_at lease_token begun_at batch gathered_in'
    | 'attempts sender provider_id sent_at delivered_at read_at'
    | 'bounced_at complained_at'
    | RecordColumns;
  mutationSources: 'source asked_at listed_until next_page';
  orderHistory: 'id order_id at from to actor_type actor_id';
  orderRollups: 'dimension key status slot orders quantity grand_total refunded_total';
  orders:
    | 'number order_parent_id product_id product_title user_id affiliate_id coupon_id quantity type status'
    | 'payment_gateway currency unit_price subtotal variant_total signup_fee discount_total'
    | 'shipping_total fee_total unique_code tax_total adjustment_total grand_total'
    | 'refunded_total variants attribution agreed stock_counters paid_at completed_at'
    | 'cancelled_at refunded_at expires_at deleted_at'
    | 'shipping.option_id shipping.courier shipping.service shipping.cost'
    | RecordColumns;
  outbox:
    | 'id webhook_id event_id event object_id created_at attempts next_attempt_at lease_token'
    | 'lease_until delivered_at';
  payableClaims: 'currency amount order_id unique_code held_until earlier_until earlier_code';
  paymentSessions:
    | 'order_id gateway reference amount currency status paid_amount paid_currency booked_at'
    | 'refundable dispute superseded_at expires_at checked_at check_at'
    | RecordColumns;
  payoutLines:
    | 'id run_id affiliate_id status moves amount commissions carried_over issues tell_at'
    | 'result_at';
  payoutRuns: 'status currency until minimum left_over confirmed_at discarded_at' | RecordColumns;
  payouts: 'affiliate_id amount currency commissions date_end status cancelled_at' | RecordColumns;
  productDays: 'day product_id slot orders quantity revenue';
  productStock: 'product_id option_id units';
  products:
    | 'title slug status type payment_type description excerpt image_url price regular_price'
    | 'currency enable_sale disable_sale_time access_code limit_buy_time enable_quantity'
    | 'max_quantity tax shipping cod variants subscription license affiliate group meta'
    | 'deleted_at'
    | RecordColumns;
  providerRefunds:
    | 'session_id refund_id unexpected_id amount state made_there of_dispute attempts due_at error'
    | 'paid_by_hand_at'
    | RecordColumns;
  purchaseForms: 'key order_id created_at';
  refunds: 'id order_id amount currency actor_type actor_id created_at reopened_at';
  reminderTemplates: 'type offset_days direction hour media title content active' | RecordColumns;
  reminders:
    | 'order_id subscription_id user_id recipient_named media_type reminder_type asks_payment'
    | 'send_day send_hours scheduled_at status sent_at attempts template_id occurrence'
    | 'resends resends_since'
    | RecordColumns;
  revokedSessions: 'sid revoked_at expires_at';
  riskOrders: 'risk_id order_id tier';
  risks:
    | 'kind affiliate_id other_id order_id tier status trusted decided_at decided_by_type decided_by'
    | RecordColumns;
  saleCommissions: 'affiliate_id period key slot amount';
  settings:
    | 'id store_name platform_name site_url country timezone language mail_layout currency'
    | 'currency_exponent'
    | 'access_statuses permanent_affiliate affiliate_coupon_status members_cancel restock_on_refund refund_sign_in_above'
    | 'auto_cancel_days transfer_hold_days plain_transfers_held_until affiliate_link_days velocity_orders velocity_hours'
    | 'shop_unpaid_orders shop_hourly_orders shop_hold_hours shop_receipt_days affiliate_sign_up'
    | 'unique_code_enabled'
    | 'unique_code_operation unique_code_largest session_ttl invoice_prefix updated_at version'
    | 'states_told_at states_told_user'
    | 'shop_logo_url shop_color shop_imprint_url shop_terms_url shop_privacy_url shop_contact_url'
    | 'shop_phone shop_postal_code shop_frame_sites';
  staffRoles: 'name scopes built_in' | RecordColumns;
  storeMark: 'id store_id address environment pepper_checks session_key_checks backed_up_at checked_at troubles';
  storedFunctions: 'name superseded_at';
  subscriptionChanges: 'id first_order_id kind at until resumed_at';
  subscriptionTerms: 'order_id first_order_id type duration period activated_at until';
  subscriptions:
    | 'user_id product_id first_order_id order_id type status start end_date announced_end'
    | 'payments paid plan_start next_due announced_due paused_at resumes_at cancelled_at'
    | 'cancelled_by next_price'
    | RecordColumns;
  unexpectedPayments:
    | 'session_id order_id gateway amount currency reason status resolved_at resolved_by_type'
    | 'resolved_by'
    | RecordColumns;
  userGroups:
    | 'name priority can_affiliate can_affiliate_coupon discount commissions per_product'
    | 'min_sales_for_upline'
    | RecordColumns;
  users:
    | 'group_id affiliate_id roles staff_role_id status language sessions_valid_after bank_changed_at'
    | RecordColumns;
  webhookDays: 'webhook_id day status attempts';
  webhookLog:
    | 'webhook_id id outbox_id event at status code attempt milliseconds sent_at'
    | 'signature';
  webhookStates: 'webhook_id last_log_id last_success_at failing_since slot_until';
  webhooks:
    | 'name url events status paused_reason secret previous_secret'
    | 'previous_secret_expires_at deleted_at'
    | RecordColumns;
}

/**
 * Tables of people that a person's export leaves out, with the reason. The tables in the export are in
 * `src/queries/person.ts`.
 */
export const notExported = {
  accountCodes: 'Are secrets, until they are used.',
  accountLinks: 'Are secrets, until they are used.',
  accountSessions: 'Are secrets, until they end.',
  affiliateClicks: "Are visits of others to an affiliate's links.",
  affiliateDays: 'Are sums of orders.',
  affiliateFigures: "Are sums of orders and of others' visits.",
  affiliateSales: 'Are sums of orders.',
  auditLog: 'Says what administrators did, and why: it is about them.',
  commissionDays: 'Are sums of commissions.',
  consoleCodes: 'Are secrets, until they are used.',
  consoleLinks: 'Are secrets, until they are used.',
  couponCopies: 'Are counts of coupons.',
  couponUserUsage: 'Are counts of redemptions.',
  fileDownloads: 'Are counts of downloads, for two days.',
  idempotencyKeys: 'Are copies of records, until their term.',
  newBuyers: 'Says that an account may end, until its first payment or sign-in.',
  outbox: 'Are copies of records, on their way to a receiver.',
  providerRefunds:
    'Say how a refund is carried out at a provider; the export has the refund itself.',
  risks: 'Say what the store suspects, and of whom else.',
  saleCommissions: 'Are sums of commissions.',
  settings: "Are the store's own.",
  webhookLog: 'Says what receivers answered.',
} satisfies { [T in OfPeople]?: string };

/** Tables of people that a person's export must have. */
export type Exported = Exclude<OfPeople, keyof typeof notExported>;

/** Tables with personal columns, or with the id of a user. */
type OfPeople = (typeof deleted)[number] | keyof typeof erased | keyof typeof kept | WithUser;

/** Tables that are listed column by column. */
type Listed = Exclude<TableName, (typeof deleted)[number]>;

/** Requires every table, and accepts no unknown name. */
export type Checked<
  L extends { [T in Listed]: string } & { [T in keyof L]: T extends Listed ? Name<T> : never },
> = L;

export type NotPersonal = Checked<{
  [T in keyof NotPersonalColumns]: Words<NotPersonalColumns[T]>;
}>;

/** The replacements of all listed columns, except those that are kept or not personal. */
export type Erased = Replacements<{
  [T in Listed]: NotPersonal[T] | (T extends keyof typeof kept ? keyof (typeof kept)[T] : never);
}>;
