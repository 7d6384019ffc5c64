import { expect } from 'vitest';
import type { Order } from '../../../src/domain/order/schemas.ts';
import { type StoreFixture, useStoreFixture } from '../../harness/store-fixture.ts';

export function usePlacing() {
  const opened = useStoreFixture();

  async function place(product: object, order: object = {}) {
    const { fixture } = opened;
    const { id } = await fixture.newProduct(product);
    const user = await fixture.newUser();
    return fixture.api.post('/orders', { product_id: id, user_id: user.id, ...order });
  }

  async function placed(product: object, order: object = {}): Promise<Order> {
    const reply = await place(product, order);
    expect(reply.status).toBe(201);
    return reply.body.data;
  }

  async function expectRefused(
    product: object,
    order: object,
    param: string,
    code = 'rest_invalid_param',
  ) {
    const reply = await place(product, order);
    expect(reply).toMatchObject({ status: 400, body: { code } });
    expect(reply.body.data.params).toHaveProperty([param]);
  }

  return { opened, place, placed, expectRefused };
}

export const sizes = [
  {
    id: 'size',
    label: 'Size',
    options: [
      { id: 'small', label: 'Small' },
      { id: 'large', label: 'Large', extra_price: 700, extra_weight: 600 },
      { id: 'huge', label: 'Huge', extra_price: 900, active: false },
    ],
  },
  {
    id: 'wrap',
    label: 'Wrapping',
    required: false,
    options: [{ id: 'gift', label: 'Gift', extra_price: -100 }],
  },
];

export const parcel = {
  type: 'physical',
  price: 4000,
  variants: sizes,
  shipping: {
    active: true,
    weight_g: 500,
    options: [
      { id: 'reg', courier: 'JNE', service: 'REG', cost: 1000, per_kg: 300, free_above: 20_000 },
      { id: 'local', courier: 'GoSend', cost: 200, countries: ['ID', 'SG'] },
    ],
  },
};

export function useBuying() {
  const opened = useStoreFixture();

  const buy = async (product_id: number, fields: object = {}) => {
    const { id: user_id } = await opened.fixture.newUser();
    return opened.fixture.api.post('/orders', { product_id, user_id, ...fields });
  };

  const patch = (id: number, body: object, headers: Record<string, string> = {}) =>
    opened.fixture.api.patch(`/orders/${id}`, body, { headers });

  return { opened, buy, patch };
}

export type Query = Record<string, string | number | undefined>;

export async function listOrders(fixture: StoreFixture, query: Query) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  const { status, body, trips } = await fixture.api.get(`/orders?${search.toString()}`);
  expect({ status, trips }).toEqual({ status: 200, trips: 1 });
  return { data: body.data as Order[], meta: body.meta };
}

export const ids = (orders: readonly { id: number }[]) => orders.map(({ id }) => id);
