import type { Bench } from './targets.ts';
import { seller } from './scale/size.ts';
import { type ScaledStore, openPostgres, openScaledStore } from './scale/stage.ts';

interface Options {
  /** The port of the worker; 0 for a free one. */
  readonly port: number;
  /** The port of V8's inspector in the worker. */
  readonly inspectorPort?: number;
  /** Settings of PostgreSQL beside those of every bench. */
  readonly settings?: Record<string, string>;
}

const bar = (what: string, part: number) => {
  const { isTTY } = process.stderr;
  if (isTTY) process.stderr.write(`\r  ${what} ${Math.round(100 * part)} %`.padEnd(40));
  else if (part === 0) process.stderr.write(`  ${what}\n`);
};

/** Opens a copy of the store of ORDERS orders, on bare workerd. Writes of callers are discarded in the end. */
export async function openBench(
  closers: AsyncDisposableStack,
  { port, inspectorPort, settings }: Options,
): Promise<Bench> {
  const orders = Number(process.env['ORDERS'] ?? 100_000);
  console.error(`A store of ${orders} orders`);
  const postgres = await openPostgres(closers, () => {}, settings);
  const store = await openScaledStore(closers, postgres, orders, bar, { copy: true });
  const url = await store.serve({ port, inspectorPort });
  const named = await namedIn(store);
  console.error(`\r  Open at ${url}`.padEnd(40));
  return { url, api_base: `${url}/api/svc/v1`, database_url: store.databaseUrl, orders, ...named };
}

/** A key, a session of an affiliate who sells, and the records that requests refer to. */
async function namedIn({ fixture, size }: ScaledStore) {
  const tomorrow = Math.floor(Date.now() / 1000) + 86_400;
  const product_id = 7;
  const buyers: number[] = [];
  const licenses: Bench['licenses'] = [];
  for (let i = 0; i <= 20; i++) {
    const { id } = await fixture.newUser({ affiliate_id: seller(size, i % size.sellers) });
    const { body } = await fixture.api.post('/licenses', { product_id, user_id: id });
    const check = { license: body.data.code, string: `bench${i}.example` };
    await fixture.api.post('/licenses/register', check);
    buyers.push(id);
    licenses.push(check);
  }
  const [user_id = 0, ...user_ids] = buyers;
  return {
    api_key: (await fixture.store.createKey()).token,
    session: await fixture.store.token(seller(size, 1), { exp: tomorrow }),
    product_id,
    slug: (await fixture.product(product_id)).slug,
    order_id: size.orders / 2 + 5,
    user_id,
    user_ids,
    licenses,
  };
}
