import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { isLong } from '../harness/long.ts';
import { crowd } from './crowd.ts';
import { askedOf } from './kinds.ts';
import {
  type List,
  combinations,
  follow,
  listEndpoints,
  listsOf,
  miscounted,
  mispaged,
  overlooking,
  singles,
  turn,
  valuesFor,
} from './lists.ts';
import { useScene } from './scene.ts';
import { shapeOf } from './schemas.ts';

const stage = useScene();

beforeAll(() => crowd(stage.scene), 60_000);

/** Queries of a list: each filter once; in the long proofs every value of each filter, and every two filters. */
const asked = (list: List) => (isLong ? combinations(list) : [{}, ...firsts(list)]);

const firsts = (list: List) =>
  Object.keys(list.filters).flatMap((name) => singles(list, name).slice(0, 1));

describe('with every filter, and every two, the total is the number of records in the pages', () => {
  test.each(listEndpoints)('$id', async (endpoint) => {
    for (const list of await listsOf(stage.scene, endpoint)) {
      expect(await miscounted(list, asked(list)), list.name).toEqual([]);
    }
  });
});

describe('pages by cursor, by number and oldest first have the same records', () => {
  test.each(listEndpoints)('$id', async (endpoint) => {
    for (const list of await listsOf(stage.scene, endpoint)) {
      const some = Object.keys(list.filters).flatMap((name) => singles(list, name).slice(0, 2));
      const queries = isLong ? some : firsts(list).slice(0, 1);
      expect(await mispaged(list, [{}, ...queries]), list.name).toEqual([]);
    }
  });
});

describe('the list of changes', () => {
  const changing = listEndpoints.filter(({ query }) => 'updated_since' in shapeOf(query));

  test('covers orders, users, products, commissions, licences and subscriptions', () => {
    expect(changing.map(({ id }) => id).toSorted()).toEqual([
      ...['commissions.list', 'licenses.list', 'orders.list', 'products.list'],
      ...['subscriptions.list', 'users.list'],
    ]);
  });

  test.each(changing)(
    'of $id has all changes since an instant, the latest last, page after page',
    async (endpoint) => {
      const { store } = stage.scene;
      for (const { ask } of await listsOf(stage.scene, endpoint)) {
        const all = await follow(ask, { sort: 'updated_at', per_page: '100' });
        const times = all.rows.map(({ updated_at }) => updated_at as string);
        expect(times).toEqual(times.toSorted());
        const middle = times[times.length >> 1] ?? '';
        const query = { sort: 'updated_at', updated_since: middle };
        const since = await follow(ask, { ...query, per_page: '2' });
        expect(since.rows).toEqual(all.rows.filter(({ updated_at }) => updated_at >= middle));
        expect(await turn(ask, { ...query, per_page: '2' })).toEqual(since.rows);
        const { meta } = await ask({ ...query, per_page: '1' });
        const behind = new Date(store.clock.now().getTime() - 15_000).toISOString();
        expect(meta).toMatchObject({ next_updated_since: behind });
        store.clock.advance(60);
        const cursor = meta.next_cursor ?? '';
        expect((await ask({ ...query, cursor })).meta).toMatchObject({
          next_updated_since: behind,
        });
        await expect(ask({ cursor })).rejects.toThrow('is not a cursor of this list');
      }
    },
  );
});

describe('a total that ignores a filter is noticed', () => {
  test.each(askedOf(listEndpoints))('$id', async (endpoint) => {
    const lists = await listsOf(stage.scene, endpoint);
    for (const name of Object.keys(lists[0]?.filters ?? {})) {
      const wrong: string[] = [];
      for (const list of lists) {
        for (const query of singles(list, name)) {
          if (wrong.length === 0)
            wrong.push(...(await miscounted(overlooking(list, name), [query])));
        }
      }
      expect(wrong, name).not.toEqual([]);
    }
  });
});

test('a filter of a kind without test values is not skipped silently', async () => {
  for (const [name, schema] of [
    ['colour', z.string()],
    ['weight', z.string().regex(/^[0-9]+$/)],
    ['unheard_of_id', z.string().regex(/^[0-9]+$/)],
  ] as const) {
    await expect(valuesFor(name, schema, [], stage.scene)).rejects.toThrow(name);
  }
});
