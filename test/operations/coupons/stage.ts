import { beforeAll, expect } from 'vitest';
import { useStoreFixture } from '../../harness/store-fixture.ts';

/** A product of 10,000, two buyers, a seller, and coupons for them. */
export function useCoupons() {
  const opened = useStoreFixture();
  const api = () => opened.fixture.api;
  let product: number;
  let buyers: number[];
  let seller: number;
  let coupons = 0;

  beforeAll(async () => {
    const { newAffiliate, newProduct, newUser } = opened.fixture;
    product = (await newProduct({ price: 10_000, affiliate: { enabled: true } })).id;
    seller = (await newAffiliate()).id;
    buyers = [(await newUser()).id, (await newUser()).id];
  });

  /**
   * Creates a record.
   * @returns its id
   */
  const created = async (path: string, body: object) => {
    const reply = await api().post(path, body);
    expect(reply.status, JSON.stringify(reply.body)).toBe(201);
    return reply.body.data.id as number;
  };

  /**
   * Creates a coupon.
   * @returns its code
   */
  const coupon = async (body: object) => {
    const code = `CODE-${++coupons}`;
    await created('/coupons', { code, ...body });
    return code;
  };

  const buy = (coupon_code: string, more: object = {}) =>
    api().post('/orders', { product_id: product, user_id: buyers[0], coupon_code, ...more });

  return {
    ...{ opened, api, product: () => product, buyers: () => buyers, seller: () => seller },
    ...{ created, coupon, buy },
  };
}
