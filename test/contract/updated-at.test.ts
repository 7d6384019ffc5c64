import { beforeAll, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { endpoints } from '../../src/endpoints.ts';
import { runJobs } from '../../src/jobs/index.ts';
import { crowd } from './crowd.ts';
import { askedOf } from './kinds.ts';
import { mainRoute } from './routes.ts';
import { useScene } from './scene.ts';

const stage = useScene();

/** Columns that change without `updated_at`: those that the guide names, and internal ones. */
const silent = {
  orders: ['product_title'],
  users: ['sessions_valid_after'],
  products: [],
  commissions: [],
  licenses: ['activation_count', 'resets'],
  subscriptions: [],
};

/** Records the rows whose columns change while `updated_at` isn't set to the present. */
beforeAll(async () => {
  const { database } = stage.scene.store;
  await database.query(`
    create table unmoved (present timestamptz, place text);
    create table present (at timestamptz);
    insert into present values (null);
    create function note_unmoved() returns trigger language plpgsql as $$
    begin
      insert into unmoved select p.at, tg_table_name || ' ' || string_agg(n.key, ', ')
        from present p, jsonb_each(to_jsonb(new)) n
       where n.value is distinct from to_jsonb(old) -> n.key and n.key <> all (coalesce(tg_argv::text[], '{}'))
         and n.key <> 'version' and new.updated_at <> p.at
       group by p.at;
      return null;
    end $$`);
  for (const [table, columns] of Object.entries(silent)) {
    const names = columns.map((name) => `'${name}'`).join(', ');
    await database.query(
      `create trigger zz_unmoved after update on ${table} for each row execute function note_unmoved(${names})`,
    );
  }
});

/** Returns the changes during work that left `updated_at` unchanged. */
async function unmovedBy(work: () => Promise<unknown>): Promise<string[]> {
  const { clock, database } = stage.scene.store;
  clock.advance(1);
  await database.query('update present set at = $1', [clock.now()]);
  await work();
  await stage.scene.store.settled();
  await database.query('update present set at = null');
  const { rows } = await database.query<{ place: string }>('delete from unmoved returning place');
  return rows.map(({ place }) => place);
}

test.each(askedOf(endpoints).filter(({ effect }) => effect === 'write'))(
  '$id moves updated_at of every record that it changes',
  async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    await scene.store.settled();
    expect(await unmovedBy(() => scene.call(caller, mainRoute(endpoint), example))).toEqual([]);
  },
);

long(
  'The jobs move updated_at of every record that they change',
  async () => {
    const { scene } = stage;
    await crowd(scene);
    for (const days of [1, 4, 30, 400]) {
      scene.store.clock.advance(days * 86_400);
      const services = await scene.store.services();
      expect(await unmovedBy(() => runJobs(services, () => {}))).toEqual([]);
    }
  },
  60_000,
);

test('A new currency moves updated_at of the products', async () => {
  const { scene } = stage;
  await scene.store.database.query('update settings set currency = null');
  const set = { currency: 'USD' };
  expect(await unmovedBy(() => scene.api.patch('/settings', set))).toEqual([]);
});

test('control: a write that leaves updated_at unchanged is detected', async () => {
  const { database } = stage.scene.store;
  const raise = 'update products set price = price + 1 where id = (select max(id) from products)';
  expect(await unmovedBy(() => database.query(raise))).toEqual(['products price']);
});
