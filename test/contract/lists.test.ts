import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { crowd } from './crowd.ts';
import {
  combinations,
  listEndpoints,
  listsOf,
  miscounted,
  mispaged,
  overlooking,
  singles,
  valuesFor,
} from './lists.ts';
import { useScene } from './scene.ts';

const stage = useScene();

beforeAll(() => crowd(stage.scene), 60_000);

describe('with every filter, and every two, the total is the number of records in the pages', () => {
  test.each(listEndpoints)('$id', async (endpoint) => {
    for (const list of await listsOf(stage.scene, endpoint)) {
      expect(await miscounted(list, combinations(list)), list.name).toEqual([]);
    }
  });
});

describe('pages by cursor, by number and oldest first have the same records', () => {
  test.each(listEndpoints)('$id', async (endpoint) => {
    for (const list of await listsOf(stage.scene, endpoint)) {
      const some = Object.keys(list.filters).flatMap((name) => singles(list, name).slice(0, 2));
      const queries = [{}, ...some];
      expect(await mispaged(list, queries), list.name).toEqual([]);
    }
  });
});

describe('a total that overlooks a filter is noticed', () => {
  test.each(listEndpoints)('$id', async (endpoint) => {
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

test('a filter of a kind that has no values here is not passed over', async () => {
  for (const [name, schema] of [
    ['colour', z.string()],
    ['weight', z.string().regex(/^[0-9]+$/)],
    ['unheard_of_id', z.string().regex(/^[0-9]+$/)],
  ] as const) {
    await expect(valuesFor(name, schema, [], stage.scene)).rejects.toThrow(name);
  }
});
