import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { itemOf } from '../../src/kernel/endpoint/exports.ts';
import { endpoints } from '../../src/endpoints.ts';
import { cellOf, parseCsv, recordsOf } from '../exports/csv.ts';
import type { ApiClient, Reply } from '../harness/client.ts';
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
import { mainRoute } from './routes.ts';
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

const exported = endpoints.filter((endpoint) => itemOf(endpoint));

/** The callers who see a list differently. */
async function callers({ access }: Endpoint): Promise<ApiClient[]> {
  const { scene } = stage;
  const administrator = await scene.session(scene.administrator, { admin: true });
  if (access.kind === 'key') return [scene.api];
  if (access.kind === 'admin') return [administrator];
  return [await scene.session(scene.buyer), await scene.session(scene.affiliate), administrator];
}

async function followed(ask: (query: Record<string, string>) => Promise<Reply>, query: object) {
  const rows: unknown[] = [];
  for (let cursor: string | undefined; cursor !== null;) {
    const { status, body } = await ask({ ...query, per_page: '7', ...(cursor && { cursor }) });
    if (status !== 200) return { status, rows };
    rows.push(...body.data);
    cursor = body.meta.next_cursor;
  }
  return { status: 200, rows };
}

test('every paged list has its files', () => {
  const paged = listEndpoints.map(({ id }) => id);
  expect(exported.map(({ id }) => id)).toEqual(
    expect.arrayContaining([...paged, 'users.downlines']),
  );
});

describe('a file has the records of the list, page after page, in its order', () => {
  test.each(exported)('$id', async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    let compared = 0;
    for (const client of await callers(endpoint)) {
      const ask = (query: Record<string, string>, headers = {}) =>
        scene.call(client, mainRoute(endpoint), example, { query, headers });
      for (const query of shapeOf(endpoint.query)['sort'] ? [{}, { sort: 'id' }] : [{}]) {
        const { status, rows } = await followed(ask, query);
        const ndjson = await ask(query, { accept: 'application/x-ndjson' });
        const csv = await ask(query, { accept: 'text/csv' });
        expect([ndjson.status, csv.status]).toEqual([status, status]);
        if (status !== 200) continue;
        const lines = ((ndjson.body ?? '') as string).split('\n');
        expect(lines.pop()).toBe('');
        expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
        const records = recordsOf(csv.body);
        const columns = parseCsv(csv.body)[0] ?? [];
        expect(columns[0]).toMatch(/^((product_)?id|tier)$/);
        expect(records).toEqual(
          rows.map((row) => Object.fromEntries(columns.map((name) => [name, cellOf(row, name)]))),
        );
        compared += rows.length;
      }
    }
    expect(compared, 'records').toBeGreaterThan(0);
  });
});
