import { edd } from '../../../packages/import/src/edd/source.ts';
import type { Cell, Table } from '../dump-writer.ts';
import { cellsOf, shopTables } from '../shops.ts';

export type Row = Readonly<Record<string, Cell | number>>;

export const options: readonly Row[] = [
  { option_name: 'blogname', option_value: 'Plugins &amp; more' },
  { option_name: 'home', option_value: 'https://plugins.example' },
  { option_name: 'timezone_string', option_value: 'UTC' },
];

export const download = (id: number, title: string, meta: Readonly<Record<string, string>>) => ({
  post: {
    ID: id,
    post_type: 'download',
    post_title: title,
    post_name: title.toLowerCase(),
    post_status: 'publish',
    post_date_gmt: '2023-01-01 00:00:00',
  } satisfies Row,
  meta: Object.entries(meta).map(([meta_key, meta_value]) => ({
    post_id: id,
    meta_key,
    meta_value,
  })),
});

/** An order of one customer, by default a completed sale. */
export const order = (id: number, fields: Row = {}): Row => ({
  id,
  parent: 0,
  order_number: '',
  status: 'complete',
  type: 'sale',
  user_id: 0,
  customer_id: 1,
  email: 'one@mail.example',
  gateway: 'stripe',
  mode: 'live',
  currency: 'USD',
  total: '50.000000000',
  date_created: '2024-03-01 10:00:00',
  date_modified: '2024-03-01 10:05:00',
  date_completed: '2024-03-01 10:05:00',
  ...fields,
});

/** An item of an order, by default one plugin at its price. */
export const item = (id: number, order_id: number, fields: Row = {}): Row => ({
  id,
  parent: 0,
  order_id,
  product_id: 21,
  product_name: 'Plugin',
  cart_index: 0,
  status: 'complete',
  quantity: 1,
  amount: '50.000000000',
  subtotal: '50.000000000',
  discount: '0.000000000',
  tax: '0.000000000',
  total: '50.000000000',
  ...fields,
});

export function eddTables(
  downloads: readonly ReturnType<typeof download>[],
  rows: Readonly<Record<string, readonly Row[]>>,
): Table[] {
  const all: Readonly<Record<string, readonly Row[]>> = {
    options,
    posts: downloads.map(({ post }) => post),
    postmeta: downloads.flatMap(({ meta }) => meta),
    edd_customers: [
      {
        id: 1,
        user_id: 0,
        email: 'one@mail.example',
        name: 'One Buyer',
        date_created: '2024-02-01 00:00:00',
      },
    ],
    ...rows,
  };
  return shopTables(
    edd,
    Object.fromEntries(Object.entries(all).map(([name, list]) => [name, list.map(cellsOf)])),
  );
}
