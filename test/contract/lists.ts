import * as z from 'zod';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { pageParameters } from '../../src/kernel/lists/query.ts';
import { endpoints } from '../../src/endpoints.ts';
import type { ApiClient } from '../harness/client.ts';
import { mainRoute } from './routes.ts';
import type { Scene } from './scene.ts';
import { shapeOf } from './schemas.ts';

type Query = Readonly<Record<string, string>>;

// oxlint-disable-next-line typescript/no-explicit-any -- records of every kind
type Row = any;

export interface Page {
  // oxlint-disable-next-line typescript/no-explicit-any -- records, or figures
  readonly data: any;
  readonly meta: { readonly pagination?: { total: number }; readonly next_cursor?: string | null };
}

export type Ask = (query: Query) => Promise<Page>;

/** A list as one caller sees it, with values for each of its filters. */
export interface List {
  readonly name: string;
  readonly ask: Ask;
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** True if it returns sums instead of records. */
  readonly figures: boolean;
}

/** Parameters that select what is shown of records; all others are filters. */
const presentation = new Set([
  ...Object.keys(pageParameters),
  ...['limit', 'offset', 'output', 'reveal'],
]);

export const listEndpoints = endpoints.filter(
  ({ effect, query }) => effect === 'read' && 'page' in shapeOf(query),
);

/** A list endpoint's lists, one for each caller who may get different records. */
export async function listsOf(scene: Scene, endpoint: Endpoint): Promise<List[]> {
  const shape = shapeOf(endpoint.query);
  const lists = [];
  for (const [caller, client] of await callersOf(scene, endpoint)) {
    const ask = await askFor(scene, endpoint, client);
    const { data } = await ask({ per_page: '100' });
    const filters: Record<string, string[]> = {};
    for (const [name, schema] of Object.entries(shape)) {
      if (name === 'meta') filters['meta[plan]'] = ['pro', 'nobody'];
      else if (!presentation.has(name)) {
        filters[name] = await valuesFor(name, schema, data, scene);
      }
    }
    lists.push({ name: `${endpoint.id} of ${caller}`, ask, filters, figures: 'output' in shape });
  }
  return lists;
}

async function callersOf(scene: Scene, endpoint: Endpoint): Promise<[string, ApiClient][]> {
  const administrator = await scene.session(scene.administrator, { admin: true });
  if (endpoint.access.kind === 'key') return [['a key', scene.api]];
  if (endpoint.access.kind === 'admin') return [['an administrator', administrator]];
  return [
    ['a buyer', await scene.session(scene.buyer)],
    ['an affiliate', await scene.session(scene.affiliate)],
    ['an administrator', administrator],
  ];
}

/** Calls an endpoint with its example's path. A refusal counts as an empty list. */
async function askFor(scene: Scene, endpoint: Endpoint, client: ApiClient): Promise<Ask> {
  const example = await scene.example(endpoint);
  return async (query) => {
    const reply = await scene.call(client, mainRoute(endpoint), example, { query });
    if (reply.status === 403) return { data: [], meta: { pagination: { total: 0 } } };
    if (reply.status !== 200) throw new Error(`${endpoint.id}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
}

/**
 * Values of a filter from existing records.
 * @throws Error for an unknown kind of filter
 */
export async function valuesFor(
  name: string,
  schema: z.ZodType,
  rows: readonly Row[],
  scene: Pick<Scene, 'store'>,
): Promise<string[]> {
  const takes = (value: string) => schema.safeParse(value).success;
  const { enum: choices } = z.toJSONSchema(schema, { io: 'input' });
  if (choices) return choices.map(String);
  if (takes('x')) {
    if (name === 'search') return wordsOf(rows);
    if (name === 'payment_gateway') return [...new Set(rows.map((row) => row[name])), 'nobody'];
    if (name === 'address') return [...rows.flatMap(({ address }) => address ?? []), 'nobody'];
  } else if (takes('same-bank')) {
    return ['same-bank', 'self-email,velocity'];
  } else if (takes('2026-01-31')) {
    const at = [rows[rows.length >> 1], rows[0], rows.at(-1)].flatMap(
      (row) => row?.created_at ?? row?.at ?? [],
    );
    const [middle = '2026-01-31T17:00:00.000Z', newest = middle, oldest = middle] = at;
    return [middle.slice(0, 10), newest, oldest];
  } else if (takes('2026-01-31T17:00:00Z')) {
    const ends: string[] = rows.flatMap(({ end_date }) => end_date ?? []);
    return [ends.toSorted()[ends.length >> 1] ?? '2026-01-31T17:00:00Z', '2026-01-01T00:00:00Z'];
  } else if (takes('5xx')) {
    return [...new Set(rows.map(({ code }) => String(code))), '2xx', '5xx'];
  } else if (takes('7,8')) {
    return [
      rows
        .slice(0, 2)
        .map(({ id, product_id }) => id ?? product_id)
        .join() || '1',
      '999999999',
    ];
  } else if (takes('7') && name.endsWith('_id')) {
    return [...(await idsIn(name, scene)), '999999999'];
  }
  throw new Error(`Nothing is known to filter by ${name} with: teach valuesFor its kind.`);
}

/** Words of the records (frequent, rare and in between), an id, and a word that no record has. */
function wordsOf(rows: readonly Row[]): string[] {
  const counted = new Map<string, number>();
  const texts = rows.flatMap((row) => [
    ...[row.number, row.title, row.name, row.code, row.email, row.display_name],
    row.user?.display_name,
  ]);
  for (const word of texts.flatMap((text) => String(text ?? '').match(/[\w@.-]{3,}/g) ?? [])) {
    counted.set(word, (counted.get(word) ?? 0) + 1);
  }
  const words = [...counted].sort((a, b) => b[1] - a[1]).map(([word]) => word);
  const some = [words[0], words[words.length >> 1], words.at(-1)].filter((word) => word);
  return [...new Set([...some.map(String), String(rows[0]?.id ?? 1), 'nobody has this'])];
}

/** Ids to which records refer under this name, the most frequent first. */
async function idsIn(name: string, { store }: Pick<Scene, 'store'>): Promise<string[]> {
  const { rows: tables } = await store.database.query<{ table: string }>(
    `select quote_ident(table_name) as table from information_schema.columns
      where table_schema = 'public' and column_name = $1`,
    [name],
  );
  if (tables.length === 0) throw new Error(`Nothing is known to have a ${name}.`);
  const all = tables.map(({ table }) => `select ${name} as id from ${table}`).join(' union all ');
  const { rows } = await store.database.query<{ id: string }>(
    `select id from (${all}) found where id > 0 group by id order by count(*) desc, id limit 3`,
  );
  if (rows.length === 0) throw new Error(`No record has a ${name}.`);
  return rows.map(({ id }) => id);
}

export const singles = ({ filters }: List, name: string): Query[] =>
  (filters[name] ?? []).map((value) => ({ [name]: value }));

/** No filter, every value of each filter, and every two filters together. */
export function combinations(list: List): Query[] {
  const names = Object.keys(list.filters);
  const pairs = names.flatMap((one, i) =>
    names.slice(i + 1).map((other) => ({ ...singles(list, one)[0], ...singles(list, other)[0] })),
  );
  return [{}, ...names.flatMap((name) => singles(list, name)), ...pairs];
}

export async function follow(
  ask: Ask,
  query: Query,
): Promise<{ rows: Row[]; total: number | undefined }> {
  const first = await ask(query);
  const rows = [...first.data];
  for (let cursor = first.meta.next_cursor; cursor;) {
    const { data, meta } = await ask({ ...query, cursor });
    rows.push(...data);
    cursor = meta.next_cursor;
  }
  return { rows, total: first.meta.pagination?.total };
}

export async function turn(ask: Ask, query: Query): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const { data } = await ask({ ...query, page: String(page) });
    rows.push(...data);
    // Reads the second page even of a short list.
    if (page > 1 && data.length < Number(query['per_page'])) return rows;
  }
}

/** Names the queries whose total or sums differ from the records of the list. */
export async function miscounted(list: List, queries: readonly Query[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const query of queries) {
    const { rows, total } = await follow(list.ask, { ...query, per_page: '100' });
    const found = [total];
    const counted = [rows.length];
    if (list.figures) {
      const { data: count } = await list.ask({ ...query, output: 'count' });
      const { data: sum } = await list.ask({ ...query, output: 'sum' });
      found.push(count.count, sum.count, sum.sums[0]?.grand_total ?? 0);
      const amount = rows.reduce((all, { grand_total }) => all + grand_total, 0);
      counted.push(rows.length, rows.length, amount);
    }
    if (found.join() !== counted.join()) {
      wrong.push(`${JSON.stringify(query)}: ${found.join()}, and there are ${counted.join()}`);
    }
  }
  return wrong;
}

/** Names the queries whose pages by cursor, by number and oldest first have different records. */
export async function mispaged(list: List, queries: readonly Query[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const query of queries) {
    const { rows: whole } = await follow(list.ask, { ...query, per_page: '100' });
    const per_page = String(Math.max(2, Math.ceil(whole.length / 3)));
    const { rows: byCursor } = await follow(list.ask, { ...query, per_page });
    const { rows: ascending } = await follow(list.ask, { ...query, per_page, sort: 'id' });
    const ways = {
      byCursor,
      byNumber: await turn(list.ask, { ...query, per_page }),
      ascending: ascending.toReversed(),
      ascendingByNumber: (await turn(list.ask, { ...query, per_page, sort: 'id' })).toReversed(),
    };
    const expected = JSON.stringify(whole);
    for (const [way, rows] of Object.entries(ways)) {
      if (JSON.stringify(rows) !== expected) wrong.push(`${JSON.stringify(query)}: ${way}`);
    }
  }
  return wrong;
}

/** A list whose total ignores a filter, like that of a rollup that doesn't know it. */
export const overlooking = (list: List, name: string): List => ({
  ...list,
  ask: async (query) => {
    const answer = await list.ask(query);
    if (!(name in query) || !answer.meta?.pagination) return answer;
    const { [name]: _, ...others } = query;
    return { ...answer, meta: { ...answer.meta, ...totalOf(await list.ask(others)) } };
  },
});

const totalOf = ({ meta: { pagination } }: Page) => (pagination ? { pagination } : {});
