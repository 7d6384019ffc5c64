import { deliverDue } from '../../src/kernel/events/delivery.ts';
import type { Scene } from '../contract/scene.ts';
import { Receiver } from '../kernel/events/receiver.ts';
import { type Shop, openShop } from './fill.ts';
import type { Request } from './load.ts';
import { type Rate, measureRates } from './rates.ts';
import { onStage } from './stage.ts';

// What a coupon costs an order, whether orders of one product wait for each other, and how many events
// a second reach receivers that answer at once. Fails where orders of one product are less than 0.7 of
// those of sixteen.

const ROUNDS = Number(process.env['ROUNDS'] ?? 7);
const least = 0.7;

await onStage(
  (what) => console.log(what),
  async ({ scene, service }) => {
    const key = await scene.credentials({ access: { kind: 'key' } } as never, {});
    const shop = await openShop(scene);
    const order = (fields: object) => orders(`${service}/api/svc/v1`, key, shop, fields);
    await scene.api.post('/coupons', {
      code: 'TENTH',
      discount: { value: 10, type: 'percentage' },
    });
    const first = { product_id: shop.products[0] };
    const [, coupon, single] = await compare([
      { name: 'orders of sixteen products', next: order({}) },
      { name: 'orders with a coupon', next: order({ coupon_code: 'TENTH' }) },
      { name: 'orders of one product', next: order(first) },
    ]);
    console.log(`A coupon leaves ${coupon?.ratio.toFixed(2)} of the orders a second.`);
    console.log(`${Math.round(await eventsASecond(scene, 1))} events a second to one receiver.`);
    console.log(`${Math.round(await eventsASecond(scene, 5))} events a second to five.`);
    if ((single?.ratio ?? 0) >= least) return;
    console.log(`Orders of one product are less than ${least} of those of sixteen.`);
    process.exitCode = 1;
  },
);

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

async function compare(targets: Parameters<typeof measureRates>[0]): Promise<Rate[]> {
  const limits = { rounds: ROUNDS, callers: 16, milliseconds: 1000 };
  const rates = await measureRates(targets, limits, () => process.stdout.write('.'));
  console.log();
  console.table(rates);
  return rates;
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
