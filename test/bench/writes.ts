import { deliverDue } from '../../src/kernel/events/delivery.ts';
import type { Scene } from '../contract/scene.ts';
import { Receiver } from '../kernel/events/receiver.ts';
import type { Request } from './load.ts';
import { measureRates, ratioOf } from './rates.ts';
import type { Stage } from './stage.ts';

/** The part of orders of sixteen products that orders of one must reach. */
const least = 0.7;

/**
 * Prints what a coupon costs an order, whether orders of one product wait for each other, and how many
 * events a second reach receivers that answer at once.
 * @returns whether orders of one product are quick enough
 */
export async function measureWrites({ scene, service }: Stage): Promise<boolean> {
  process.stderr.write('Orders, and events');
  const key = await scene.credentials({ access: { kind: 'key' } } as never, {});
  const shop = await openShop(scene);
  const order = (fields: object) => orders(`${service}/api/svc/v1`, key, shop, fields);
  await scene.api.post('/coupons', {
    code: 'TENTH',
    discount: { value: 10, type: 'percentage' },
  });
  const [sixteen, coupon, single] = await measureRates(
    [
      { name: 'of sixteen products', next: order({}) },
      { name: 'with a coupon', next: order({ coupon_code: 'TENTH' }) },
      { name: 'of one product', next: order({ product_id: shop.products[0] }) },
    ],
    { rounds: 7, callers: 16, milliseconds: 1000 },
    () => process.stderr.write('.'),
  );
  if (!sixteen || !coupon || !single) return false;
  console.log(`\nA coupon leaves ${ratioOf(coupon, sixteen).toFixed(2)} of the orders a second.`);
  const ratio = ratioOf(single, sixteen);
  console.log(`Orders of one product are ${ratio.toFixed(2)} of those of sixteen, goal ${least}.`);
  console.log(`${Math.round(await eventsASecond(scene, 1))} events a second to one receiver.`);
  console.log(`${Math.round(await eventsASecond(scene, 5))} events a second to five.`);
  return ratio >= least;
}

/** Requests that order one of sixteen products after the other, unless `fields` name one. */
function orders(base: string, headers: Record<string, string>, shop: Shop, fields: object) {
  let sent = 0;
  return (): Request => {
    sent += 1;
    const product_id = shop.products[sent % 16];
    const user_id = shop.buyers[(sent >> 4) % shop.buyers.length];
    const body = JSON.stringify({ product_id, user_id, ...fields });
    return { method: 'POST', url: `${base}/orders`, headers, body };
  };
}

/** Has 500 events wait for each of that many receivers, and delivers them. */
async function eventsASecond({ api, store }: Scene, receivers: number): Promise<number> {
  const receiver = new Receiver();
  await receiver.open();
  for (let i = 0; i < receivers; i++) {
    await api.post('/webhooks', { url: receiver.url(`/${i}`), events: ['ping'] });
  }
  await store.database.query(
    `insert into outbox (webhook_id, event_id, event, object_id, data, created_at, next_attempt_at)
     select w.id, gen_random_uuid(), 'ping', w.id, '{}', $1, $1
       from webhooks w, generate_series(1, 500) where w.deleted_at is null`,
    [store.clock.now()],
  );
  const started = performance.now();
  await deliverDue(await store.services(), 'healthy');
  const seconds = (performance.now() - started) / 1000;
  await receiver.close();
  await store.database.query('update webhooks set deleted_at = $1', [store.clock.now()]);
  return receiver.received.length / seconds;
}

/** The people and things that orders are of. */
interface Shop {
  products: number[];
  buyers: number[];
}

/** Makes products, and buyers with a sponsor. */
async function openShop(scene: Scene): Promise<Shop> {
  const shop: Shop = { products: [], buyers: [] };
  for (let i = 0; i < 20; i++) {
    shop.products.push(await scene.newProduct({ affiliate: { enabled: true } }));
    shop.buyers.push(await scene.newUser({ affiliate_id: scene.affiliate }));
  }
  return shop;
}
