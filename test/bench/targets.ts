import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { getOrder } from '../../src/operations/orders/get.ts';
import { listOrdersEndpoint } from '../../src/operations/orders/list.ts';
import { showProduct } from '../../src/modules/shop/product.ts';
import type { Request } from './load.ts';

/** The addresses and ids of an open bench store. */
export interface Bench {
  readonly url: string;
  readonly api_base: string;
  readonly database_url: string;
  readonly orders: number;
  readonly api_key: string;
  readonly session: string;
  readonly product_id: number;
  readonly slug: string;
  readonly order_id: number;
  readonly user_id: number;
  readonly user_ids: readonly number[];
  readonly licenses: { license: string; string: string }[];
}

/** The read of an endpoint, and the input of its handler. */
export interface Read {
  readonly endpoint: Endpoint;
  readonly params?: object;
  readonly query?: object;
}

export interface Goal {
  readonly name: string;
  readonly requests: (bench: Bench) => () => Request;
  /** The required rate relative to a bare worker that sends the same query. */
  readonly ofBare?: number;
  readonly bare?: (bench: Bench) => Read;
}

/** Nine tenths down the list: page 3,600 of 100,000 orders. */
const deepPage = ({ orders }: Bench) => Math.floor((0.9 * orders) / 25);

export const goals: readonly Goal[] = [
  {
    name: 'list',
    requests: get('/orders'),
    ofBare: 0.45,
    bare: () => ({ endpoint: listOrdersEndpoint, query: {} }),
  },
  {
    name: 'order',
    requests: (bench) => get(`/orders/${bench.order_id}`)(bench),
    ofBare: 0.5,
    bare: ({ order_id }) => ({ endpoint: getOrder, params: { id: order_id } }),
  },
  { name: 'me', requests: get('/me', 'session') },
  { name: 'home-summary', requests: get('/me/home-summary', 'session') },
  {
    name: 'validate',
    requests: post('/licenses/validate', ({ licenses }, n) => licenses[n % licenses.length]),
  },
  { name: 'create', requests: placing(({ user_id }) => [user_id]) },
  { name: 'create-20-buyers', requests: placing(({ user_ids }) => user_ids) },
  {
    name: 'deep-page',
    requests: (bench) => get(`/orders?page=${deepPage(bench)}`)(bench),
  },
  // Other calls that apps make often.
  { name: 'me-orders', requests: get('/me/orders', 'session') },
  { name: 'products', requests: get('/products') },
  {
    name: 'access-check',
    requests: (bench) => {
      const { user_id, product_id } = bench;
      return get(`/access/check?user_id=${user_id}&product_id=${product_id}`)(bench);
    },
  },
  { name: 'checkout', requests: post('/checkout/calculate', orderOf) },
  {
    name: 'product-page',
    requests: (bench) => () => ({
      method: 'GET',
      url: `${bench.url}/product/${bench.slug}`,
      headers: { accept: 'text/html' },
    }),
    bare: ({ slug }) => ({ endpoint: showProduct, params: { slug } }),
  },
  { name: 'session', requests: post('/sessions', ({ user_id }) => ({ user_id })) },
];

function get(path: string, by: 'api_key' | 'session' = 'api_key') {
  return (bench: Bench) => () => ({
    method: 'GET',
    url: bench.api_base + path,
    headers: { authorization: `Bearer ${bench[by]}` },
  });
}

function post(path: string, body: (bench: Bench, n: number) => object | undefined) {
  return (bench: Bench) => {
    let sent = 0;
    return () => ({
      method: 'POST',
      url: bench.api_base + path,
      headers: { authorization: `Bearer ${bench.api_key}` },
      body: JSON.stringify(body(bench, sent++)),
    });
  };
}

function orderOf({ product_id, user_id }: Bench) {
  return { product_id, user_id };
}

/** Orders of twenty products in turn, for one buyer after the other. */
function placing(buyers: (bench: Bench) => readonly number[]) {
  return post('/orders', (bench, n) => {
    const users = buyers(bench);
    return { product_id: 1 + (n % 20), user_id: users[(n >> 2) % users.length] };
  });
}
