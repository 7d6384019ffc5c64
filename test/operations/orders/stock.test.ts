import { describe, expect, test } from 'vitest';
import { useBuying } from './stage.ts';

const { opened, buy, patch } = useBuying();

describe('Stock', () => {
  const sizes = (small: number | null) => [
    {
      id: 'size',
      label: 'Size',
      required: false,
      options: [
        {
          id: 'small',
          label: 'Small',
          stock: small,
        },
        {
          id: 'large',
          label: 'Large',
        },
      ],
    },
  ];
  const left = async (id: number) => {
    const { stock, variants } = await opened.fixture.product(id);
    return [stock, ...variants.flatMap(({ options }) => options.map(({ stock }) => stock))];
  };

  const count = async (id: number, stock: number | null) => {
    const stock_was = (await opened.fixture.product(id)).stock;
    const reply = await opened.fixture.api.patch(`/products/${id}`, { stock, stock_was });
    expect(reply.status).toBe(200);
  };

  test('is taken by an order, of the product and of each of its options that count', async () => {
    const { fixture } = opened;
    const { id, version } = await fixture.newProduct({ stock: 10, variants: sizes(4) });
    await fixture.newOrder({ product_id: id, quantity: 3, variants: ['small'] });
    expect(await left(id)).toEqual([7, 1, null]);
    await fixture.newOrder({ product_id: id, quantity: 3, variants: ['large'] });
    expect(await left(id)).toEqual([4, 1, null]);
    const refused = await buy(id, { quantity: 2, variants: ['small'] });
    expect(refused).toMatchObject({ status: 409, trips: 1, body: { code: 'out_of_stock' } });
    expect((await buy(id, { quantity: 5 })).body.code).toBe('out_of_stock');
    expect(await left(id)).toEqual([4, 1, null]);
    expect((await fixture.product(id)).version).toBe(version);
  });

  test('is released when an order is cancelled and claimed again when it is reopened', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct({ stock: 3, variants: sizes(3) });
    const variants = ['small'];
    const { id } = await fixture.newOrder({ product_id, quantity: 2, variants });
    await patch(id, { status: 'cancelled' });
    expect(await left(product_id)).toEqual([3, 3, null]);
    await patch(id, { status: 'on-hold' });
    expect(await left(product_id)).toEqual([1, 1, null]);
    await patch(id, { status: 'cancelled' });
    const other = await fixture.newOrder({ product_id, quantity: 2, variants });
    const reopened = await patch(id, { status: 'on-hold' });
    expect(reopened).toMatchObject({ status: 409, body: { code: 'out_of_stock' } });
    expect(await fixture.order(id)).toMatchObject({ status: 'cancelled', version: 4 });
    await patch(other.id, { status: 'cancelled' });
    expect((await patch(id, { status: 'on-hold' })).status).toBe(200);
    expect(await left(product_id)).toEqual([1, 1, null]);
  });

  test('is not released by an order from before it was counted, but is claimed when the order is reopened', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct();
    const { id } = await fixture.newOrder({ product_id, quantity: 2 });
    await count(product_id, 5);
    await patch(id, { note: 'Later.' });
    await patch(id, { status: 'cancelled' });
    expect(await left(product_id)).toEqual([5]);
    await patch(id, { status: 'on-hold' });
    expect(await left(product_id)).toEqual([3]);
  });

  test('that is counted only after an order was placed limits its new quantity, and is claimed by the change', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct({ variants: sizes(null) });
    const { id } = await fixture.newOrder({ product_id, quantity: 2, variants: ['small'] });
    await count(product_id, 5);
    const refused = await patch(id, { quantity: 6 });
    expect(refused).toMatchObject({ status: 409, body: { code: 'out_of_stock' } });
    expect(await fixture.order(id)).toMatchObject({ quantity: 2, version: 1 });
    expect(await left(product_id)).toEqual([5, null, null]);
    expect((await patch(id, { quantity: 4 })).status).toBe(200);
    expect(await left(product_id)).toEqual([1, null, null]);
    await patch(id, { quantity: 3 });
    expect(await left(product_id)).toEqual([2, null, null]);
    await patch(id, { status: 'cancelled' });
    expect(await left(product_id)).toEqual([5, null, null]);
  });

  test('that is no longer counted limits no order that claimed it', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct({ stock: 1 });
    const { id } = await fixture.newOrder({ product_id });
    await count(product_id, null);
    expect((await patch(id, { quantity: 4 })).status).toBe(200);
    expect((await patch(id, { status: 'cancelled' })).status).toBe(200);
    expect(await left(product_id)).toEqual([null]);
  });

  test('is not claimed by an order that is created as cancelled', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct({ stock: 1 });
    await fixture.newOrder({ product_id, status: 'cancelled' });
    expect(await left(product_id)).toEqual([1]);
  });

  test('is released by a refund only if the setting says so', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct({ stock: 2 });
    const sold = async () => (await fixture.newOrder({ product_id, status: 'completed' })).id;
    await patch(await sold(), { status: 'refunded' });
    expect(await left(product_id)).toEqual([1]);
    await fixture.set('restock_on_refund', true);
    try {
      await patch(await sold(), { status: 'refunded' });
      expect(await left(product_id)).toEqual([1]);
    } finally {
      await fixture.set('restock_on_refund', false);
    }
  });
});
