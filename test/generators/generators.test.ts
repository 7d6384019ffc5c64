import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { buildAssets } from '../../src/cli/assets.ts';
import { runWorker } from '../../src/local/worker/index.ts';
import { document } from '../contract/openapi.ts';
import { builtWorker } from '../harness/built-worker.ts';
import { StoreFixture } from '../harness/store-fixture.ts';
import { useStore } from '../harness/store.ts';
import { type GeneratorName, generators, makeProgram } from './generators.ts';
import { long } from '../harness/long.ts';

const opened = useStore();

let folder: string;
let worker: Awaited<ReturnType<typeof runWorker>>;
let fixture: StoreFixture;
let product: { id: number };

beforeAll(async () => {
  const { store } = opened;
  // workerd uses the machine's clock, so keys must use it, too.
  store.clock.set(new Date().toISOString());
  folder = await mkdtemp(join(tmpdir(), 'generators-'));
  const directory = join(folder, 'assets');
  await buildAssets(await store.environment, directory);
  worker = await runWorker({
    script: await builtWorker(),
    bindings: await store.environment,
    neonUrl: store.neon.url,
    compatibilityDate: '2026-10-20',
    assets: { directory },
    log: () => {},
  });
  fixture = await StoreFixture.open(store);
  product = await fixture.newProduct();
});

afterAll(async () => {
  await worker.dispose();
  await rm(folder, { recursive: true });
});

const cases = (Object.keys(generators) as GeneratorName[]).flatMap((generator) =>
  ['openapi.json', 'openapi-3.0.json'].map((served) => ({ generator, served })),
);

long.each(inject('isLong') ? cases : cases.slice(0, 1))(
  'a client that $generator makes of /$served compiles strictly, sells and hears events',
  async ({ generator, served }) => {
    const { sell, heard } = await makeProgram(generator, {
      document: `${worker.url}/${served}`,
      baseUrl: worker.url,
      folder: join(folder, `${generator}-${served}`),
    });
    const { token } = await fixture.store.createKey();
    const user = await fixture.newUser();
    const sold = await sell(worker.url, token, { product_id: product.id, user_id: user.id });
    const order = await fixture.order(Number(sold['placed']));
    expect(order).toMatchObject({ product_id: product.id, user_id: user.id });
    expect(sold).toEqual({
      placed: order.id,
      again: order.id,
      read: { total: order.grand_total, statuses: ['on-hold', 'on-hold'], address: null },
      listed: [order.id],
      next: null,
      refused: 'rest_not_found',
    });
    expect(heard(eventOf('order.created'))).toBe('INV-000012: 630147');
    expect(heard(eventOf('user.deleted'))).toBe('user 1');
    expect(heard(eventOf('product.updated'))).toBe('product.updated');
  },
  60_000,
);

function eventOf(name: string): object {
  const content = document.webhooks[name]?.post.requestBody.content;
  return (content as Record<string, { example: object }>)['application/json']?.example ?? {};
}
