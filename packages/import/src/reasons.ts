/**
 * Reasons for changed rows, by their code in the report: the text for people, and the compared columns that may have
 * changed. A difference in any other column is unexplained.
 */
export const reasons = {
  'id-impossible': {
    says: 'its own id cannot be kept: it is below 1, above 9007199254740991, or no number',
  },
  // Amounts, times and texts
  'amount-rounded': {
    says: 'an amount had more decimals than the currency',
    changes: ['amount', 'refunded', 'tax'],
  },
  'amount-impossible': { says: 'an amount is missing, no number, below 0 or too large' },
  'value-impossible': {
    says: 'a value is impossible: the default is used instead',
    changes: [
      ...['affiliate', 'type', 'quantity', 'tier', 'chain', 'paid', 'owner', 'parent', 'gateway'],
      ...['sponsor', 'group', 'order', 'product', 'buyer', 'coupon', 'uses', 'activations', 'ends'],
      ...['payment_type', 'amount', 'code', 'access', 'tax'],
    ],
  },
  'number-cut': {
    says: 'a number is followed by something else, which is ignored, as in the shop',
  },
  'not-on-sale': {
    says: 'its price or another condition of its sale is unreadable: it is a draft',
  },
  'no-price': {
    says: 'it, or a variant of it, has no price in the shop, and is not for sale here either',
  },
  'other-currency': { says: 'it is in another currency than the store' },
  'unreadable-details': { says: 'its details are unreadable' },
  'tax-differs': {
    says: 'its tax is no exact percentage of its price: the difference is an adjustment',
    changes: ['tax'],
  },
  'lines-unknown': { says: 'its total could not be divided into its parts' },
  'date-unknown': { says: 'a date is missing or impossible', changes: ['month', 'ends', 'access'] },
  'text-shortened': { says: 'a text was longer than the store takes', changes: ['code'] },
  // People
  'deleted-in-source': { says: 'it was deleted in the shop, but other rows name it' },
  'email-taken': { says: 'another account has the same e-mail address', changes: ['email'] },
  'email-impossible': {
    says: 'it has no valid e-mail address: the invalid one is in its meta',
    changes: ['email'],
  },
  'several-addresses': {
    says: 'it has further e-mail addresses in the shop, and a person has one here',
  },
  'sponsor-missing': { says: 'its sponsor is gone', changes: ['sponsor'] },
  'sponsor-cycle': { says: 'its sponsors led back to itself', changes: ['sponsor'] },
  'group-missing': { says: 'its user group is gone', changes: ['group'] },
  administrator: {
    says: 'an administrator of the shop, and a member here: see --administrators',
    changes: ['roles'],
  },
  guest: { says: 'bought, or has a key, without an account: became a user' },
  // Products and coupons
  renamed: {
    says: 'its name, code or address was taken or has characters that the store refuses: see detail',
    changes: ['code'],
  },
  'code-taken': {
    says: 'another one with the same code, apart from case, marks or blanks, keeps it: detail has its code here',
    changes: ['code'],
  },
  'slug-taken': {
    says: 'another one has the same address, apart from case, marks or signs: see detail',
  },
  'name-taken': {
    says: 'another one has the same name, apart from case: its id was added to its name',
  },
  'sale-by-date': {
    says: 'its sale begins or ends on a date, and prices here have no dates: it costs its regular price',
    changes: ['amount'],
  },
  backorders: {
    says: 'the shop sells it without having it (backorders), and a stock here ends at 0: its units are not counted',
  },
  'stock-owed': {
    says: 'the shop has sold more units than it had: its stock here begins at 0',
  },
  'sold-out': {
    says: 'the shop marks it as sold out, though it has units: its stock here is 0',
  },
  'stock-shared': {
    says: 'some of its variants have their own units and the others those of the product, which limit all of them here',
  },
  'downloads-limited': {
    says: 'the shop ends its downloads after a number of days or of downloads: here new buyers have access for good',
  },
  'shipping-missing': {
    says: 'it is shipped, and ways of shipping are not imported: without a shipping option no checkout asks for an address',
  },
  'partly-shipped': {
    says: 'some of its variations are shipped and others are not: here all of them are',
  },
  'tax-missing': {
    says: 'the shop taxes it by rates that are not imported: it is sold without tax until it has a rate',
  },
  'flat-commission': {
    says: 'its affiliates earned a flat amount once, and would earn it for each item here: its programme is switched off',
  },
  'tools-missing': {
    says: 'its banners for affiliates are files of the shop, which are not imported',
  },
  'commissions-differ': {
    says: 'its variants earned affiliates different commissions, and here they have one: its programme is switched off',
  },
  'licences-differ': {
    says: 'its price options have licences of different seats or length, and here they have one: it is a draft',
  },
  'no-counterpart': { says: 'it has settings that the store lacks' },
  'impossible-settings': { says: 'some of its settings are impossible, and were left out' },
  'template-missing': {
    says: 'the shop has no published coupon that it copies: it gives no discount there either',
  },
  'parent-missing': {
    says: 'its parent is gone: it stands alone',
    changes: ['parent', 'status', 'type', 'chain', 'access'],
  },
  'uses-differ': {
    says: "its uses were counted from the imported orders, because the shop's counter differed",
    changes: ['uses'],
  },
  'usable-again': {
    says: 'it is used up in the shop and can be used here, because its copies would be switched off with it',
  },
  'duplicate-code': { says: 'a licence of another product has the same code' },
  'code-read-alike': {
    says: 'its code has another spelling here, or in other rows of the same licence',
    changes: ['code', 'product', 'status', 'ends', 'activations'],
  },
  // Orders
  'several-coupons': { says: 'it used several coupons: the first one is named' },
  'coupon-missing': { says: 'its coupon is gone' },
  'figure-taken': { says: 'another open order waits for a transfer of the same amount' },
  'several-products': {
    says: 'it had several products: each became an order',
    changes: ['product', 'type', 'coupon', 'order', 'chain'],
  },
  'no-own-figure': {
    says: 'it waits for a transfer, but its amount is not unique: no transfer pays it automatically',
    changes: ['gateway'],
  },
  deleted: { says: 'it was deleted in the shop while it was open', changes: ['status', 'access'] },
  'buyer-missing': { says: 'its buyer is unknown' },
  'no-product': { says: 'it has no product' },
  'downloads-counted': {
    says: 'the shop allows a number of downloads of it, and the store any number while there is access',
  },
  'product-unknown': {
    says: 'it names no product: it has a placeholder instead',
    changes: ['product', 'access'],
  },
  'quantity-impossible': {
    says: 'its quantity is no whole number above 0',
    changes: ['quantity'],
  },
  'refunds-differ': {
    says: 'its refunds differ from its status or its total',
    changes: ['refunded'],
  },
  returned: {
    says: 'an item was returned and gives no access, though not all of its price was refunded',
  },
  'closed-all-the-same': {
    says: 'it is closed here, though the shop goes on delivering its items',
    changes: ['access'],
  },
  'status-ignored': { says: 'it was never placed: a draft, a test or in the bin' },
  'status-mapped': {
    says: 'its status has another name in the store',
    changes: ['status', 'access'],
  },
  'status-unknown': { says: 'its status is unknown' },
  'refunded-in-full': { says: 'it was refunded in full', changes: ['status', 'access'] },
  'order-missing': { says: 'its order is gone' },
  'order-not-imported': { says: 'its order was not imported' },
  // Commissions and payouts
  'repaired-status': {
    says: 'it was still pending, though its order was completed',
    changes: ['status'],
  },
  'not-yet-due': {
    says: 'its order is not completed: it is pending until then',
    changes: ['status'],
  },
  'closed-order': { says: 'its order was cancelled or refunded', changes: ['status'] },
  'was-paid': { says: 'it was cancelled after it had been paid', changes: ['paid'] },
  'other-product': {
    says: 'it named another product than its order',
    changes: ['product', 'access'],
  },
  'other-buyer': { says: 'it named another buyer than its order', changes: ['access'] },
  'no-affiliate': { says: 'its affiliate is gone' },
  'beside-the-rules': { says: 'it differs from the rules of the store: it is a manual amount' },
  'payout-differs': {
    says: 'the payout differs from its imported commissions: they are marked as paid, without it',
    changes: ['payout'],
  },
  'payout-not-paid': {
    says: 'the payout was not paid, though its commissions are marked as paid in the shop',
    changes: ['payout'],
  },
  'no-order': { says: 'it is for no order, and the store has no place for it' },
  // Subscriptions, licences
  'not-paid': { says: 'its order is not paid', changes: ['ends', 'access'] },
  'term-stopped': {
    says: 'the shop switched it off before its end: it ended then',
    changes: ['ends'],
  },
  'renewal-missing': {
    says: 'one of its orders was not imported, and does not count',
    changes: ['ends', 'access'],
  },
  outlasted: {
    says: 'an earlier term of its chain lasts longer: it ends with that one',
    changes: ['ends'],
  },
  'term-missing': {
    says: 'the end of its subscription is unknown: it gives no access, as in the shop',
  },
  'subscription-missing': {
    says: 'its subscription is gone, or has another product now: it gives no access, as in the shop',
    changes: ['access'],
  },
  'places-joined': {
    says: 'some of the places where it is in use are the same',
    changes: ['activations'],
  },
  'expired-early': {
    says: 'it expired in the shop before its last day: it is switched off',
    changes: ['status'],
  },
  'renews-otherwise': {
    says: 'its renewals would be others than in the shop: its product renews for another period, or no order of it has its present product, variation and quantity: it ends with its paid time',
  },
  'renewal-price': {
    says: 'its renewals cost what its product costs here, and something else in the shop',
  },
  'renewal-coupon': {
    says: 'a coupon makes its renewals cheaper in the shop, and not here',
  },
  suspended: {
    says: 'the shop suspended it: it is paused, and gives no access until you resume it',
  },
  'paid-in-full': {
    says: 'all its payments are made: it gives access for good, and cannot be renewed',
  },
  'paid-until-end': {
    says: 'all its payments are made, and the shop ends its downloads with the last one: here with its paid time',
  },
  'downloads-end': {
    says: 'the shop goes on with its downloads after its end, and here all access ends with it',
  },
  'for-life': {
    says: 'it never ends in the shop, whatever becomes of its subscription: it belongs to no order here, and a refund does not switch it off',
  },
  'outlasts-subscription': {
    says: 'the shop lets it outlast its subscription, which is over: here it is not valid without one',
  },
  'charged-elsewhere': {
    says: 'its gateway goes on charging for it: see detail',
  },
  'seats-of-one-kind': {
    says: 'the shop gives seats to domains and to devices, and keys of this product are only used on one of them: it has the seats of these',
  },
  'seats-joined': {
    says: 'the shop counts its domains and its devices apart, and the store all its places together: it has the seats of both',
  },
  'no-seats': {
    says: 'it has no seats in the shop, and one here, since 0 would mean no limit',
  },
  'no-code': { says: 'it has no code' },
  // The rest
  joined: { says: 'it was merged with another row' },
  'still-to-send': { says: 'it was not sent yet, and an import sends nothing' },
  'switched-off': { says: 'it is switched off', changes: ['status'] },
  'refused-by-database': { says: 'the database refuses it' },
} as const satisfies Readonly<Record<string, { says: string; changes?: readonly string[] }>>;

export type Reason = keyof typeof reasons;
