import { openShop, orderRequests, placeOrders } from './fill.ts';
import { measureRates } from './rates.ts';
import { onStage } from './stage.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 9);
await onStage(
  (what) => console.log(what),
  async ({ scene, service, floor }) => {
    const base = `${service}/api/svc/v1`;
    const key = await scene.credentials({ access: { kind: 'key' } } as never, {});
    const session = await scene.credentials({ access: { kind: 'session' } } as never, {});
    const shop = await openShop(scene);
    const place = orderRequests(base, key, shop);
    await placeOrders(place, 1000);
    await scene.store.database.query('analyze');
    const { rows } = await scene.store.database.query<{ id: string }>('select id from orders');
    const ids = rows.map(({ id }) => id);
    let i = 0;
    const get = (headers: Record<string, string>, path: () => string) => () => ({
      method: 'GET',
      url: base + path(),
      headers,
    });
    const only = process.env['ONLY'];
    const targets = [
      { name: 'floor', next: () => ({ method: 'GET', url: floor }) },
      { name: 'GET /orders', next: get(key, () => '/orders') },
      { name: 'GET /orders/{id}', next: get(key, () => `/orders/${ids[i++ % ids.length]}`) },
      { name: 'GET /me', next: get(session, () => '/me') },
      { name: 'POST /orders', next: place },
    ].filter(({ name }) => !only || name === 'floor' || name === only);
    const rates = await measureRates(
      targets,
      { rounds: ROUNDS, callers: 16, milliseconds: 1000 },
      () => process.stdout.write('.'),
    );
    console.table(rates);
  },
);
