import { afterAll, expect, test } from 'vitest';
import { endpoints } from '../../src/endpoints.ts';
import { askedOf } from '../contract/kinds.ts';
import { Scene } from '../contract/scene.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { openStore } from '../harness/store.ts';
import { fuzz } from './fuzz.ts';

/** A scene, and the original state of its people, product, order and settings. */
interface Stage {
  readonly scene: Scene;
  readonly original: unknown;
}

let stage: Stage | undefined;
afterAll(close);

/** The scene; a new one if inputs have changed what the examples rely on. */
async function intactScene(): Promise<Scene> {
  if (!stage || (await propsOf(stage.scene)) !== stage.original) {
    await close();
    const scene = await Scene.open(await openStore());
    stage = { scene, original: await propsOf(scene) };
  }
  return stage.scene;
}

async function close(): Promise<void> {
  if (!stage) return;
  await expectIntegrity(stage.scene);
  await stage.scene.store.close();
}

async function propsOf({ store, buyer, affiliate, administrator, product, order }: Scene) {
  const { rows } = await store.database.query<{ props: string }>(
    `select concat((select string_agg(xmin::text, ' ') from users where id = any($1)),
                   (select xmin from products where id = $2),
                   (select xmin from orders where id = $3), (select xmin from settings)) as props`,
    [[buyer, affiliate, administrator], product, order],
  );
  return rows[0]?.props;
}

// The long form tries a thousand inputs for all endpoints: npm run test:long -- test/fuzz.
test.each(askedOf(endpoints))('$id answers 3 arbitrary inputs as documented', async (endpoint) => {
  const { failures } = await fuzz(await intactScene(), endpoint, 3);
  expect(failures).toEqual([]);
});
