import { woocommerce } from '../../../packages/import/src/woocommerce/source.ts';
import type { Cell, Table } from '../dump-writer.ts';
import { shopTables } from '../shops.ts';

type Row = Readonly<Record<string, Cell>>;

/** A line of an order, by default one unit of product 501 for 10.00. */
export interface MadeLine {
  readonly product?: number;
  readonly variation?: number;
  readonly quantity?: string;
  readonly subtotal?: string;
  readonly total?: string;
  readonly tax?: string;
  /** The units that the order took from the stock. */
  readonly reduced?: string;
}

export interface MadeCouponLine {
  readonly code: string;
  readonly coupon_info?: string;
  readonly coupon_data?: string;
}

export interface MadeRefund {
  readonly id: number;
  readonly amount: string;
  /** The amounts for single lines, by their position in the order. */
  readonly lines?: Readonly<Record<number, string>>;
}

export interface MadeOrder {
  readonly id: number;
  readonly status?: string;
  readonly customer?: number;
  readonly email?: string;
  readonly currency?: string;
  readonly total: string;
  readonly lines?: readonly MadeLine[];
  readonly shipping?: string;
  readonly shippingTax?: string;
  readonly fee?: string;
  readonly feeTax?: string;
  readonly coupons?: readonly (string | MadeCouponLine)[];
  readonly refunds?: readonly MadeRefund[];
  readonly gateway?: string;
  readonly paid?: boolean;
  readonly completed?: boolean;
  /** The time of its completion; soon after the order by default. */
  readonly completedAt?: string;
  readonly renews?: number;
  readonly switches?: number;
}

/** A subscription, which began with an order; 0 if the shop made it by hand. */
export interface MadeSubscription {
  readonly id: number;
  readonly order: number;
  readonly status?: string;
  readonly products?: readonly number[];
  /** Its own lines, by default one of each product. */
  readonly lines?: readonly MadeLine[];
  readonly next?: string;
  readonly end?: string;
  readonly cancelled?: string;
  /** By default every three months. */
  readonly every?: readonly [number, 'day' | 'week' | 'month' | 'year'];
}

export interface MadePost {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly status?: string;
  readonly parent?: number;
  readonly meta?: Readonly<Record<string, string>>;
}

export interface MadeShop {
  readonly users?: readonly { readonly id: number; readonly email: string }[];
  readonly posts?: readonly MadePost[];
  readonly orders: readonly MadeOrder[];
  readonly subscriptions?: readonly MadeSubscription[];
  readonly options?: Readonly<Record<string, string>>;
  /** Types of products other than simple. */
  readonly types?: Readonly<Record<number, string>>;
  readonly more?: Readonly<Record<string, readonly Row[]>>;
}

/** The day of an order: one order a day. */
export const dayOf = (id: number, hours = 0): string =>
  new Date(Date.UTC(2024, 0, 1, 10 + hours) + id * 86_400_000)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ');

const cells = (values: Readonly<Record<string, string | number | undefined>>): Row =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === undefined ? null : String(value),
    ]),
  );

const metaRows = (
  id: string,
  owner: number,
  values: Readonly<Record<string, string | number | undefined>>,
): Row[] =>
  Object.entries(values).flatMap(([meta_key, meta_value]) =>
    meta_value === undefined ? [] : [cells({ [id]: owner, meta_key, meta_value })],
  );

const epoch = (moment: string) => String(Date.parse(`${moment.replace(' ', 'T')}Z`) / 1000);

/** The tables of a shop, with its orders in tables of their own or among the posts. */
export function madeShop(shop: MadeShop, isInTables: boolean): Table[] {
  const rows = new Map<string, Row[]>();
  const add = (table: string, ...added: readonly Row[]) =>
    rows.set(table, [...(rows.get(table) ?? []), ...added]);
  const options = {
    blogname: 'Made-up shop',
    home: 'https://shop.example',
    timezone_string: 'Europe/Berlin',
    woocommerce_currency: 'EUR',
    woocommerce_price_num_decimals: '2',
    woocommerce_custom_orders_table_enabled: isInTables ? 'yes' : 'no',
    ...shop.options,
  };
  for (const [option_name, option_value] of Object.entries(options))
    add('options', cells({ option_name, option_value }));
  for (const { id, email } of shop.users ?? [])
    add(
      'users',
      cells({ ID: id, user_email: email, user_registered: dayOf(0), display_name: `Person ${id}` }),
    );
  const products: MadePost[] = [
    { id: 501, type: 'product', title: 'Mug', meta: { _price: '10', _regular_price: '10' } },
    ...(shop.posts ?? []),
  ];
  for (const post of products) addPost(add, post);
  for (const [product, type] of Object.entries(shop.types ?? {})) {
    add('terms', cells({ term_id: product, name: type, slug: type }));
    add(
      'term_taxonomy',
      cells({ term_taxonomy_id: product, term_id: product, taxonomy: 'product_type', parent: 0 }),
    );
    add('term_relationships', cells({ object_id: product, term_taxonomy_id: product }));
  }
  const items = new Items(add);
  for (const order of shop.orders) {
    const lines = items.ofOrder(order);
    if (isInTables) addToTables(add, order);
    else addToPosts(add, order);
    for (const refund of order.refunds ?? []) items.ofRefund(refund, lines);
  }
  for (const subscription of shop.subscriptions ?? []) {
    items.ofOrder({
      ...{ id: subscription.id, total: '0' },
      lines: subscription.lines ?? (subscription.products ?? [501]).map((product) => ({ product })),
    });
    addSubscription(add, subscription, isInTables);
  }
  for (const [table, more] of Object.entries(shop.more ?? {})) add(table, ...more);
  return shopTables(woocommerce, Object.fromEntries(rows));
}

type Add = (table: string, ...rows: readonly Row[]) => unknown;

function addPost(
  add: Add,
  { id, type, title, status = 'publish', parent = 0, meta = {} }: MadePost,
) {
  add(
    'posts',
    cells({
      ...{ ID: id, post_type: type, post_title: title, post_status: status, post_parent: parent },
      ...{
        post_name: `post-${id}`,
        post_date: dayOf(0),
        post_date_gmt: dayOf(0),
        post_modified_gmt: dayOf(0),
      },
      ...{ post_content: '', post_excerpt: '', menu_order: 0 },
    }),
  );
  add('postmeta', ...metaRows('post_id', id, meta));
}

const datesOf = ({ id, paid = false, completed = false, completedAt }: MadeOrder) => ({
  created: dayOf(id),
  updated: dayOf(id, 9),
  paid: paid ? dayOf(id, 1) : undefined,
  completed: completedAt ?? (completed ? dayOf(id, 2) : undefined),
});

function addToTables(add: Add, order: MadeOrder) {
  const { id, status = 'wc-completed', customer = 0, email, currency = 'EUR', total } = order;
  const dates = datesOf(order);
  add(
    'wc_orders',
    cells({
      ...{
        id,
        status,
        currency,
        type: 'shop_order',
        total_amount: `${total}000000`,
        customer_id: customer,
      },
      ...{ billing_email: email, date_created_gmt: dates.created, date_updated_gmt: dates.updated },
      ...{ parent_order_id: 0, payment_method: order.gateway ?? 'bacs' },
    }),
    ...(order.refunds ?? []).map((refund, i) =>
      cells({
        ...{ id: refund.id, status: 'wc-completed', currency, type: 'shop_order_refund' },
        ...{ total_amount: `-${refund.amount}`, parent_order_id: id },
        ...{ date_created_gmt: dayOf(id, 4 + i), date_updated_gmt: dayOf(id, 4 + i) },
      }),
    ),
  );
  add(
    'wc_order_operational_data',
    cells({ order_id: id, date_paid_gmt: dates.paid, date_completed_gmt: dates.completed }),
  );
  add('wc_orders_meta', ...metaRows('order_id', id, subscriptionMeta(order)));
  add('wc_order_addresses', cells({ order_id: id, address_type: 'billing', ...addressOf(id) }));
  for (const refund of order.refunds ?? [])
    add('wc_orders_meta', ...metaRows('order_id', refund.id, refundMeta(refund)));
}

function addToPosts(add: Add, order: MadeOrder) {
  const { id, status = 'wc-completed', customer = 0, email, currency = 'EUR', total } = order;
  const dates = datesOf(order);
  const billing = Object.entries(addressOf(id)).map(([part, value]) => [`_billing_${part}`, value]);
  const post = (ID: number, post_type: string, parent: number, created: string, updated: string) =>
    cells({
      ...{ ID, post_type, post_parent: parent, post_status: ID === id ? status : 'wc-completed' },
      ...{
        post_date: created,
        post_date_gmt: created,
        post_modified_gmt: updated,
        post_excerpt: '',
      },
    });
  add('posts', post(id, 'shop_order', 0, dates.created, dates.updated));
  add(
    'postmeta',
    ...metaRows('post_id', id, {
      ...{ _order_currency: currency, _order_total: total, _customer_user: customer },
      ...{ _billing_email: email, _payment_method: order.gateway ?? 'bacs' },
      ...subscriptionMeta(order),
      _date_paid: dates.paid && epoch(dates.paid),
      _date_completed: dates.completed && epoch(dates.completed),
      ...Object.fromEntries(billing),
    }),
  );
  for (const [i, refund] of (order.refunds ?? []).entries()) {
    const at = dayOf(id, 4 + i);
    add('posts', post(refund.id, 'shop_order_refund', id, at, at));
    add(
      'postmeta',
      ...metaRows('post_id', refund.id, {
        _order_total: `-${refund.amount}`,
        _order_currency: currency,
        ...refundMeta(refund),
      }),
    );
  }
}

const subscriptionMeta = ({ renews, switches }: MadeOrder) => ({
  _subscription_renewal: renews,
  _subscription_switch: switches,
});

function addSubscription(add: Add, subscription: MadeSubscription, isInTables: boolean) {
  const { id, order, status = 'wc-active', next = '0', end = '0' } = subscription;
  const [times, period] = subscription.every ?? [3, 'month'];
  const at = dayOf(order);
  const meta = {
    ...{ _billing_period: period, _billing_interval: times },
    ...{ _schedule_next_payment: next, _schedule_end: end },
    _schedule_cancelled: subscription.cancelled ?? '0',
  };
  if (isInTables) {
    add(
      'wc_orders',
      cells({
        ...{ id, status, currency: 'EUR', type: 'shop_subscription', total_amount: '10' },
        ...{ parent_order_id: order, payment_method: 'stripe', customer_id: 3 },
        ...{ date_created_gmt: at, date_updated_gmt: at },
      }),
    );
    add('wc_orders_meta', ...metaRows('order_id', id, meta));
    return;
  }
  add(
    'posts',
    cells({
      ...{ ID: id, post_type: 'shop_subscription', post_parent: order, post_status: status },
      ...{ post_date_gmt: at, post_modified_gmt: at },
    }),
  );
  add('postmeta', ...metaRows('post_id', id, { ...meta, _payment_method: 'stripe' }));
}

const addressOf = (id: number) => ({
  ...{ first_name: 'Ada', last_name: `Nr. ${id}`, address_1: `Street ${id}`, city: 'Berlin' },
  ...{ postcode: '10115', country: 'DE', phone: '030 1' },
});

const refundMeta = ({ amount }: MadeRefund) => ({
  _refund_amount: amount,
  _refund_reason: 'Broken',
});

class Items {
  #last = 0;
  readonly #add: Add;

  constructor(add: Add) {
    this.#add = add;
  }

  #item(order: number, type: string, name: string, meta: Parameters<typeof metaRows>[2]): number {
    const id = ++this.#last;
    this.#add(
      'woocommerce_order_items',
      cells({ order_item_id: id, order_item_name: name, order_item_type: type, order_id: order }),
    );
    this.#add('woocommerce_order_itemmeta', ...metaRows('order_item_id', id, meta));
    return id;
  }

  /** @returns the ids of its lines */
  ofOrder({
    id,
    lines = [{}],
    shipping,
    shippingTax = '0',
    fee,
    feeTax = '0',
    coupons = [],
  }: MadeOrder): number[] {
    const made = lines.map((line) =>
      this.#item(id, 'line_item', 'Made-up item', {
        ...{ _product_id: line.product ?? 501, _variation_id: line.variation ?? 0 },
        ...{ _qty: line.quantity ?? '1', _line_total: line.total ?? '10' },
        ...{ _line_subtotal: line.subtotal ?? line.total ?? '10', _line_tax: line.tax ?? '0' },
        _line_subtotal_tax: line.tax,
        _reduced_stock: line.reduced,
      }),
    );
    if (shipping !== undefined)
      this.#item(id, 'shipping', 'Flat rate', { cost: shipping, total_tax: shippingTax });
    if (fee !== undefined) this.#item(id, 'fee', 'Fee', { _line_total: fee, _line_tax: feeTax });
    for (const used of coupons) {
      const { code, ...said } = typeof used === 'string' ? { code: used } : used;
      this.#item(id, 'coupon', code, { discount_amount: '1', ...said });
    }
    return made;
  }

  ofRefund({ id, lines = {} }: MadeRefund, of: readonly number[]) {
    for (const [place, amount] of Object.entries(lines))
      this.#item(id, 'line_item', 'Made-up item', {
        ...{
          _refunded_item_id: of[Number(place)],
          _line_total: `-${amount}`,
          _line_tax: '0',
          _qty: '-1',
        },
      });
  }
}
