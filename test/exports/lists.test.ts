import { beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { itemOf } from '../../src/kernel/endpoint/exports.ts';
import { endpoints } from '../../src/endpoints.ts';
import { crowd } from '../contract/crowd.ts';
import { listEndpoints } from '../contract/lists.ts';
import { mainRoute } from '../contract/routes.ts';
import { shapeOf } from '../contract/schemas.ts';
import { useScene } from '../contract/scene.ts';
import type { ApiClient, Reply } from '../harness/client.ts';
import { cellOf, parseCsv, recordsOf } from './csv.ts';

const stage = useScene();

beforeAll(() => crowd(stage.scene), 60_000);

const lists = endpoints.filter((endpoint) => itemOf(endpoint));

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
  expect(lists.map(({ id }) => id)).toEqual(expect.arrayContaining([...paged, 'users.downlines']));
});

describe('a file has the records of the list, page after page, in its order', () => {
  test.each(lists)('$id', async (endpoint) => {
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
