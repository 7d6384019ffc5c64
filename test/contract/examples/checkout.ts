import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';

export const checkout: Examples = {
  'checkout.calculate': ({ product }) => ({ body: { product_id: product } }),
  'checkout.quote': ({ product }) => ({ query: { product_id: String(product) } }),

  'coupons.list': () => ({}),
  'coupons.get': async (scene) => ({ params: { id: (await newCoupon(scene)).code } }),
  'coupons.create': () => ({ body: { code: newCode() } }),
  'coupons.update': async (scene) => ({
    params: { id: (await newCoupon(scene)).id },
    body: { limit_use: 5 },
  }),
  'coupons.delete': async (scene) => ({ params: { id: (await newCoupon(scene)).id } }),
};

let codes = 0;
const newCode = () => `WELCOME${++codes}`;

async function newCoupon(scene: Scene): Promise<{ id: number; code: string }> {
  const code = newCode();
  return { ...(await scene.create('/coupons', { code })), code };
}
