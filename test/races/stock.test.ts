import { describe, expect, test } from 'vitest';
import type { Reply } from '../harness/client.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock, times, transaction } from './queue.ts';

const opened = useStoreFixture();

const set = (id: number, body: object) => () => opened.fixture.api.patch(`/products/${id}`, body);

async function buyer(product_id: number, fields: object = {}) {
  const { id: user_id } = await opened.fixture.newUser();
  return () => opened.fixture.api.post('/orders', { product_id, user_id, ...fields });
}

const conflict = { status: 409, body: { code: 'rest_conflict' } };

describe('A change of stock during a sale', () => {
  test.each([
    ['of the product', 'stock_was', (stock: object) => stock],
    [
      'of an option',
      'variants.0.options.0.stock_was',
      (stock: object) => ({
        variants: [{ id: 'size', label: 'Size', options: [{ id: 's', label: 'S', ...stock }] }],
      }),
    ],
  ])('%s is refused if the sale came first', async (_, param, written) => {
    const { fixture } = opened;
    const { id, version } = await fixture.newProduct(written({ stock: 5 }));
    const sell = await buyer(id, param === 'stock_was' ? {} : { variants: ['s'] });
    const held = fixture.store.neon.faults.next({ statement: 'from product_stock', hold: true });
    const setting = set(id, written({ stock: 6, stock_was: 5 }))();
    await held.reached;
    expect((await sell()).status).toBe(201);
    held.release();
    expect(await setting).toMatchObject({
      status: 409,
      body: { code: 'rest_conflict', data: { params: { [param]: 'is 4 by now' } } },
    });
    const product = await fixture.product(id);
    expect(product.version).toBe(version);
    expect(product.stock ?? product.variants[0]?.options[0]?.stock).toBe(4);
  });

  test('loses none of 8 sales, whichever comes first', async () => {
    const { fixture } = opened;
    const { id } = await fixture.newProduct({ stock: 10 });
    const sales = times(8, await buyer(id));
    const setting = set(id, { stock: 100, stock_was: 10 });
    const lock = `select from product_stock where product_id = ${id} for update`;
    const [result, ...sold] = await behindLock<Reply>(fixture.store, lock, [setting, ...sales]);
    expect(sold.map(({ status }) => status)).toEqual(Array(8).fill(201));
    if (result?.status !== 200) expect(result).toMatchObject(conflict);
    expect((await fixture.product(id)).stock).toBe((result?.status === 200 ? 100 : 10) - 8);
  });

  test('control: a comparison before the write undoes the sale', async () => {
    const { fixture } = opened;
    const { id } = await fixture.newProduct({ stock: 1 });
    const sell = await buyer(id);
    const broken = transaction(fixture.store, async (client) => {
      const counter = `from product_stock where product_id = ${id}`;
      const { rows } = await client.query<{ units: string }>(`select units ${counter}`);
      if (Number(rows[0]?.units) !== 1) return false;
      expect((await sell()).status).toBe(201);
      await client.query(`update product_stock set units = 1 where product_id = ${id}`);
      return true;
    });
    expect(await broken()).toBe(true);
    expect((await fixture.product(id)).stock).toBe(1);
    expect((await fixture.api.get(`/orders?product_id=${id}`)).body.data).toHaveLength(1);
  });
});
