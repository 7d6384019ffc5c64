/**
 * Reasons for changed rows, by their code in the report: the text for people, and the compared columns that may have
 * changed. A difference in any other column is unexplained.
 */
export const reasons = {
  'id-impossible': {
    says: 'its own id is none that the store can keep: below 1, above 9007199254740991, or no number',
  },
  // Amounts, times and texts
  'amount-rounded': {
    says: 'an amount had more decimals than the currency',
    changes: ['amount', 'refunded', 'tax'],
  },
  'amount-impossible': { says: 'an amount is no number, below 0 or too large' },
  'value-impossible': {
    says: 'a value is none that it can have: the usual one stands for it',
    changes: [
      ...['affiliate', 'type', 'quantity', 'tier', 'chain', 'paid', 'owner', 'parent', 'gateway'],
      ...['sponsor', 'group', 'order', 'product', 'buyer', 'coupon', 'uses', 'activations', 'ends'],
      ...['payment_type', 'amount', 'code', 'access', 'tax'],
    ],
  },
  'number-cut': {
    says: 'a number has something else behind it, which counts here as little as in the shop',
  },
  'not-on-sale': {
    says: 'what it costs, or another condition of its sale, could not be had: it comes as a draft',
  },
  'no-price': { says: 'it, or a form of it, has no price there, and is not for sale here either' },
  'other-currency': { says: 'it is in another currency than the store' },
  'unreadable-details': { says: 'its details are not readable' },
  'tax-differs': {
    says: 'its tax is not quite a percentage of its price: what it is more or less is an adjustment',
    changes: ['tax'],
  },
  'lines-unknown': { says: 'the parts of its total could not be told apart' },
  'date-unknown': { says: 'a date is missing or impossible', changes: ['month', 'ends', 'access'] },
  'text-shortened': { says: 'a text was longer than the store takes', changes: ['code'] },
  // People
  'deleted-in-source': { says: 'it was deleted there, and others name it' },
  'email-taken': { says: 'another account has the same e-mail address', changes: ['email'] },
  'email-impossible': {
    says: 'it has no e-mail address that the store takes: what was said of one is in its meta',
    changes: ['email'],
  },
  'sponsor-missing': { says: 'its sponsor is gone', changes: ['sponsor'] },
  'sponsor-cycle': { says: 'its sponsors led back to itself', changes: ['sponsor'] },
  'group-missing': { says: 'its user group is gone', changes: ['group'] },
  administrator: {
    says: 'an administrator there: made a member, see the command for administrators',
    changes: ['roles'],
  },
  guest: { says: 'bought or has a key without an account: made a user' },
  // Products and coupons
  renamed: {
    says: 'its name, code or address was taken or has characters the store refuses: detail says which became which',
    changes: ['code'],
  },
  'code-taken': {
    says: 'another one has the same code, but for case, marks or blanks, and is opened by it: detail says its code here',
    changes: ['code'],
  },
  'slug-taken': {
    says: 'another one has the same address, but for case, marks or signs: detail says which became which',
  },
  'name-taken': { says: 'another one has the same name, but for case: its id is in its name' },
  'no-counterpart': { says: 'it has settings that the store has no place for' },
  'impossible-settings': { says: 'some of its settings are impossible, and were left out' },
  'parent-missing': {
    says: 'what it belongs to is gone: it stands by itself',
    changes: ['parent', 'status', 'type', 'access'],
  },
  'uses-differ': {
    says: "its uses were counted from the imported orders, because the shop's counter differed",
    changes: ['uses'],
  },
  'duplicate-code': { says: 'another one, of another product, has the same code' },
  'code-read-alike': {
    says: 'its code is read as one with another spelling, as that of another row: both open one licence',
    changes: ['code', 'product', 'status', 'ends', 'activations'],
  },
  // Orders
  'several-coupons': { says: 'it used several coupons: the first one is named' },
  'coupon-missing': { says: 'its coupon is gone' },
  'figure-taken': { says: 'another open order waits for a transfer of the same figure' },
  'several-products': {
    says: 'it had several products: each became an order',
    changes: ['product', 'type', 'coupon', 'order', 'chain'],
  },
  'no-own-figure': {
    says: 'it waits for a transfer without a figure of its own, and is not paid by one',
    changes: ['gateway'],
  },
  deleted: { says: 'it was deleted there while it was open', changes: ['status', 'access'] },
  'buyer-missing': { says: 'nobody knows who bought it' },
  'no-product': { says: 'it has no product' },
  'product-unknown': {
    says: 'it names no product: it is on one that stands for all of these',
    changes: ['product', 'access'],
  },
  'quantity-impossible': {
    says: 'its quantity is no whole number above 0',
    changes: ['quantity'],
  },
  'refunds-differ': {
    says: 'what was given back is not what its status or its total says',
    changes: ['refunded'],
  },
  returned: { says: 'something of it was given back, and opens nothing: not all of its money was' },
  'closed-all-the-same': {
    says: 'it is closed, though the shop goes on delivering what it has',
    changes: ['access'],
  },
  'status-ignored': { says: 'it was never placed: a draft, a test or in the bin' },
  'status-mapped': { says: 'its status has another name with us', changes: ['status', 'access'] },
  'status-unknown': { says: 'its status is none that is known' },
  'refunded-in-full': { says: 'all of it was given back', changes: ['status', 'access'] },
  'order-missing': { says: 'its order is gone' },
  'order-not-imported': { says: 'its order was not imported' },
  // Commissions and payouts
  'repaired-status': {
    says: 'its order was completed, and it was still pending',
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
  'beside-the-rules': { says: 'the order does not pay that much: entered as a figure by hand' },
  'payout-differs': {
    says: 'the payout was not for just the commissions that are here: those it paid are marked as paid, without it',
    changes: ['payout'],
  },
  'payout-not-paid': {
    says: 'the payout was not paid, though what it was for is marked as paid there',
    changes: ['payout'],
  },
  'no-order': { says: 'it is for no order, and the store has no place for it' },
  // Subscriptions, licences
  'not-paid': { says: 'its order is not paid', changes: ['ends', 'access'] },
  'term-stopped': {
    says: 'it had been switched off there before it ended: it ended then',
    changes: ['ends'],
  },
  'renewal-missing': {
    says: 'an order that renewed it was not imported: it lasts as if that had not been',
    changes: ['ends', 'access'],
  },
  outlasted: {
    says: 'an earlier one of its chain lasts longer: it ends with that',
    changes: ['ends'],
  },
  'term-missing': {
    says: 'nothing says until when its subscription lasts: it opens nothing, as there',
  },
  'places-joined': {
    says: 'some of the places where it is in use are one',
    changes: ['activations'],
  },
  'expired-early': {
    says: 'it had run out there before its last day: switched off',
    changes: ['status'],
  },
  'charged-elsewhere': {
    says: 'its gateway goes on charging for it, by the id in detail',
  },
  'no-code': { says: 'it has no code' },
  // The rest
  joined: { says: 'it is one with another row' },
  'still-to-send': { says: 'it was still to be sent, and an import sends nothing' },
  'switched-off': { says: 'it comes switched off', changes: ['status'] },
  'refused-by-database': { says: 'the database refuses it' },
} as const satisfies Readonly<Record<string, { says: string; changes?: readonly string[] }>>;

export type Reason = keyof typeof reasons;
