import { type Size, seller } from './size.ts';

/** An address in one of the stores; `//` starts one outside the API's namespace. */
interface Side {
  readonly store: 'big' | 'small';
  readonly path: (n: number) => string;
  /** The user of the session; undefined for an API key. */
  readonly user?: Caller;
}

interface Caller {
  readonly id: number;
  readonly admin: boolean;
}

/** Two sides; one may cost at most `limit` times the p95 of the other. */
export interface Comparison {
  readonly name: string;
  readonly limit: number;
  readonly large: Side;
  readonly base: Side;
}

type Path = (size: Size, n: number) => string;

/** Returns numbers spread between 1 and `most`, the same in every run. */
const some = (n: number, most: number) => 1 + ((n * 7919) % most);
/** A completed order of an affiliate, with a licence. */
const order = (n: number, { orders }: Size) => 40 * some(n, orders / 40 - 1) + 5;
const person = (n: number, { users }: Size) => some(n, users);
const affiliate = (n: number, size: Size) => seller(size, n % size.sellers);

/** The time of an order, which was not changed since. */
const placedAt = ({ orders }: Size, id: number) =>
  new Date(Date.UTC(2024, 0, 1) + (id * 730 * 86_400_000) / orders).toISOString();

const march = 'date_start=2025-03-01&date_end=2025-03-31';
/** Whole months and parts of months. */
const ragged = 'date_start=2025-01-03&date_end=2025-12-20';
const covered = (n: number, size: Size) => [
  '',
  'status=completed',
  `product_id=${some(n, 100)}`,
  `affiliate_id=${affiliate(n, size)}`,
  march,
  `status=completed&${march}`,
];
const names = ['all', 'status', 'product', 'affiliate', 'month', 'month and status'];

/** Lists an address with each set of filters that the stored totals cover. */
const byFilters = (title: string, path: string): [string, Path][] =>
  names.map((name, i) => [
    `${title}, ${name}`,
    (size, n) => `${path}${path.includes('?') ? '&' : '?'}${covered(n, size)[i]}`,
  ]);

/** Lists, searches, counts, sums, summaries and single records. */
const reads: readonly [string, Path][] = [
  ...byFilters('orders', '/orders'),
  ...byFilters('orders, count', '/orders?output=count'),
  ...byFilters('orders, sum', '/orders?output=sum'),
  ['orders of a buyer', (size, n) => `/orders?user_id=${person(n, size)}`],
  [
    'orders by number',
    (size, n) => `/orders?search=INV-${String(order(n, size)).padStart(6, '0')}`,
  ],
  [
    'orders by part of a number',
    (size, n) => `/orders?search=${String(order(n, size)).padStart(6, '0')}`,
  ],
  ['orders by e-mail', (size, n) => `/orders?search=user${person(n, size)}@people.example`],
  ['orders by name', (size, n) => `/orders?search=no${person(n, size)}`],
  ['order', (size, n) => `/orders/${order(n, size)}`],
  ['refunds of an order', (size, n) => `/orders/${order(n, size)}/refunds`],
  ...byFilters('commissions', '/commissions').map(([name, path]): [string, Path] => [
    name,
    (size, n) => path(size, n).replace('completed', 'added'),
  ]),
  ...['pending', 'paid', 'unpaid', 'cancelled'].map((status): [string, Path] => [
    `commissions, ${status}`,
    () => `/commissions?status=${status}`,
  ]),
  ['commissions of an order', (size, n) => `/commissions?order_id=${order(n, size)}`],
  ['commission', (size, n) => `/commissions/${3 * order(n, size)}`],
  ...['orders', 'users', 'commissions', 'licenses'].map((list): [string, Path] => [
    `${list}, by their last change`,
    () => `/${list}?sort=updated_at`,
  ]),
  [
    'orders that changed lately',
    (size) => `/orders?sort=updated_at&updated_since=${placedAt(size, size.orders - 200)}`,
  ],
  [
    'orders that changed lately, newest first',
    (size) => `/orders?updated_since=${placedAt(size, size.orders - 200)}`,
  ],
  ['orders by meta', (size, n) => `/orders?meta[batch]=${some(n, size.orders / 1000)}`],
  ['users', () => '/users'],
  ['users by e-mail', (size, n) => `/users?search=user${person(n, size)}@people.example`],
  ['users by name', (size, n) => `/users?search=no${person(n, size)}`],
  ['users of a sponsor', (size, n) => `/users?affiliate_id=${some(n, size.tree)}`],
  ['users by ids', (size, n) => `/users?ids=${person(n, size)},${person(n + 1, size)}`],
  ['users, active', () => '/users?status=active'],
  ['user', (size, n) => `/users/${person(n, size)}`],
  ['user by e-mail', (size, n) => `/users/lookup?email=user${person(n, size)}@people.example`],
  ['user by phone', (size, n) => `/users/lookup?phone=%2B62${811_000_000 + person(n, size)}`],
  ['uplines', (_, n) => `/users/${some(n, 1000)}/uplines?limit=50`],
  [
    'whether a user bought',
    (size, n) => `/users/${person(n, size)}/has-bought?product_id=${some(n, 100)}`,
  ],
  ['products of a user', (size, n) => `/users/${person(n, size)}/access-products`],
  ['products', () => '/products'],
  ['products by title', (_, n) => `/products?search=product ${some(n, 90) + 9}`],
  ['coupons', () => '/coupons'],
  ['coupons, active', () => '/coupons?status=active'],
  ['coupon', (_, n) => `/coupons/SAVE${some(n, 20)}`],
  ['access', () => '/access'],
  ['access of a user', (size, n) => `/access?user_id=${person(n, size)}`],
  [
    'access check',
    (size, n) => `/access/check?user_id=${person(n, size)}&product_id=${some(n, 100)}`,
  ],
  ['licences', () => '/licenses'],
  ['licences, active', () => '/licenses?status=active'],
  ['licences of a user', (size, n) => `/licenses?user_id=${person(n, size)}`],
  ['licences of an order', (size, n) => `/licenses?order_id=${order(n, size)}`],
  ['licences by string', (size, n) => `/licenses?search=site${order(n, size)}.example`],
  ['licences by part of a string', (size, n) => `/licenses?search=${order(n, size)}.`],
  ['licence by string', (size, n) => `/licenses/by-string/site${order(n, size)}.example`],
  ['reminders', () => '/reminders'],
  ['reminders, sent', () => '/reminders?status=sent'],
  ['reminders of an order', (size, n) => `/reminders?order_id=${order(n, size)}`],
  ['confirmations', () => '/confirmations'],
  ['confirmations, pending', () => '/confirmations?status=approved'],
  ['confirmations of an order', (size, n) => `/confirmations?order_id=${order(n, size)}`],
  ['payouts', () => '/payouts'],
  ['payouts, paid', () => '/payouts?status=paid'],
  ['payouts of an affiliate', (size, n) => `/payouts?affiliate_id=${affiliate(n, size)}`],
  ['webhooks', () => '/webhooks'],
  ['deliveries', () => '/webhooks/1/deliveries'],
  ['deliveries, successful', () => '/webhooks/1/deliveries?status=success'],
  ['what an affiliate earned', (size, n) => `/affiliates/${affiliate(n, size)}/commission-info`],
  ...['day', 'product', 'target', 'sub'].map((by): [string, Path] => [
    `figures of an affiliate by ${by}`,
    (size, n) => `/affiliates/${affiliate(n, size)}/figures?by=${by}`,
  ]),
  [
    'figures of an affiliate in a month',
    (size, n) => `/affiliates/${affiliate(n, size)}/figures?by=sub&${march}`,
  ],
  ['links', (size, n) => `/affiliates/${affiliate(n, size)}/links?product_id=${some(n, 100)}`],
  ['products to promote', (size, n) => `/affiliates/${affiliate(n, size)}/products`],
  [
    'affiliate by phone',
    (size, n) => `/affiliates/lookup?phone=%2B62${811_000_000 + person(n, size)}`,
  ],
];

const rankings: readonly [string, Path][] = [
  '',
  'calculate=revenue',
  `calculate=total&product_id=7`,
  `calculate=quantity&${march}`,
  `product_id=7&${ragged}`,
  'calculate=clicks',
  `calculate=conversion&${march}`,
].flatMap((query): [string, Path][] => [
  [`leaderboard ${query}`, () => `/affiliates/leaderboard?${query}`],
  [`rank ${query}`, (size, n) => `/affiliates/${affiliate(n, size)}/rank?${query}`],
]);

/** Addresses that members read about themselves, and administrators about everybody. */
const own = [
  '/me',
  '/me/orders',
  '/me/orders?scope=buyer',
  '/me/home-summary',
  '/me/commission-summary',
  `/me/commission-summary?${march}`,
  '/me/commissions',
  '/me/products',
  '/me/links?product_id=7',
  '/me/figures?by=sub',
  '/me/rank',
  '/me/leaderboard',
  '/me/access',
];
const asAdministrator = ['/me/admin-summary', '/me/orders', '/me/orders?status_group=unpaid'];

const cursor = (id: number) => encodeURIComponent(btoa(`id:${id}`).replace(/=+$/, ''));
const everything = 100_000_000;

/** All comparisons: the big store with the small one, and far pages of a list with its first. */
export function comparisons(big: Size, small: Size): Comparison[] {
  const sizes = { big, small };
  const side = (store: 'big' | 'small', path: Path, user?: (size: Size) => Caller): Side => ({
    store,
    path: (n) => path(sizes[store], n),
    ...(user && { user: user(sizes[store]) }),
  });
  const grown = (name: string, path: Path, user?: (size: Size) => Caller) => {
    return { name, limit: 1.5, large: side('big', path, user), base: side('small', path, user) };
  };
  const member = (size: Size) => ({ id: affiliate(1, size), admin: false });
  const administrator = (size: Size) => ({ id: size.users, admin: true });
  return [
    ...[...reads, ...rankings].map(([name, path]) => grown(name, path)),
    ...own.map((path) => grown(`own: ${path}`, () => path, member)),
    ...asAdministrator.map((path) => grown(`administrator: ${path}`, () => path, administrator)),
    {
      name: 'leaderboard of months and the days around them',
      // More sellers sold on more of these days, and each day on which one sold is read.
      limit: 5,
      large: side('big', () => `/affiliates/leaderboard?${ragged}`),
      base: side('small', () => `/affiliates/leaderboard?${ragged}`),
    },
    {
      name: 'feed of 1,000,000 and of 1,000',
      limit: 1.5,
      large: side('big', ({ log }, n) => `//feed?webhook_id=1&since_id=${some(n, log - 200)}`),
      base: side('big', (_, n) => `//feed?webhook_id=2&since_id=${some(n, 800)}`),
    },
    {
      name: 'downlines, 100 at once, of 120,000 and of 100',
      limit: 3,
      large: side('big', () => '/users/1/downlines?limit=50&per_page=100'),
      base: side('small', ({ smallTree }) => `/users/${smallTree}/downlines?limit=50&per_page=100`),
    },
    ...['orders', 'commissions', 'users', 'licenses', 'access'].map((list) => {
      const at = (id: number) => side('big', () => `/${list}?cursor=${cursor(id)}`);
      return {
        name: `${list}, the last page and the first`,
        limit: 1.2,
        large: at(100),
        base: at(everything),
      };
    }),
  ];
}
