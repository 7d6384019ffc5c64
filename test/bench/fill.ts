import type { Scene } from '../contract/scene.ts';
import { type Request, load } from './load.ts';

/** The people and things that orders are of. */
export interface Shop {
  products: number[];
  buyers: number[];
}

/** Makes products, and buyers with a sponsor. */
export async function openShop(scene: Scene): Promise<Shop> {
  const shop: Shop = { products: [], buyers: [] };
  for (let i = 0; i < 20; i++) {
    shop.products.push(await scene.newProduct({ affiliate: { enabled: true } }));
    shop.buyers.push(await scene.newUser({ affiliate_id: scene.affiliate }));
  }
  return shop;
}

/** Requests that order one product after the other, for one buyer after the other. */
export function orderRequests(base: string, headers: Record<string, string>, shop: Shop) {
  let sent = 0;
  return (): Request => {
    sent += 1;
    const product_id = shop.products[sent % shop.products.length];
    const user_id = shop.buyers[(sent >> 2) % shop.buyers.length];
    const body = JSON.stringify({ product_id, user_id, note: `Order ${sent}` });
    return { method: 'POST', url: `${base}/orders`, headers, body };
  };
}

/** Places that many orders. */
export const placeOrders = (next: () => Request, count: number) =>
  load(next, { callers: 8, count });
