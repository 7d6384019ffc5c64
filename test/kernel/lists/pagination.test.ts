import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Place, encodeCursor } from '../../../src/kernel/lists/cursor.ts';
import { pageOf, pageOfChanges } from '../../../src/kernel/lists/reply.ts';
import { changeParameters, pageParameters } from '../../../src/kernel/lists/query.ts';
import { pageWindow } from '../../../src/kernel/lists/window.ts';
import { readPage } from '../../../src/kernel/lists/read.ts';

const Query = z.object(pageParameters);
const ChangeQuery = z.object(changeParameters);
const rows = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: from - index }));

const cursorAfter = (id: number) =>
  pageOf({ per_page: 1 }, [{ id }, { id: 1 }], 2).meta.next_cursor;

describe('A cursor', () => {
  test('is read back as the id it was made of', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), (id) => {
        const cursor = cursorAfter(id) ?? '';
        expect(cursor).toMatch(/^[A-Za-z0-9+/]+$/);
        expect(Query.parse({ cursor }).cursor).toEqual({ id });
      }),
    );
    expect(cursorAfter(7)).toBe('aWQ6Nw');
  });

  test('carries the times of a list that shows changes', () => {
    const [first, last] = [new Date(-9_999_999_999_999), new Date(9_999_999_999_999)];
    const instant = fc
      .oneof(
        fc.date({ min: first, max: last, noInvalidDate: true }),
        fc.constantFrom(first, last, ...[-1, 0, 1].map((time) => new Date(time))),
      )
      .map((date) => date.toISOString());
    const place: fc.Arbitrary<Place> = fc.oneof(
      fc.record({ id: fc.nat(), began: instant }),
      fc.record({ id: fc.nat(), began: instant, changed: instant }),
    );
    fc.assert(
      fc.property(place, (after) => {
        expect(Query.parse({ cursor: encodeCursor(after) }).cursor).toEqual(after);
      }),
    );
    const after = { id: 7, began: '1970-01-01T00:00:01.000Z', changed: '1969-12-31T23:59:59.999Z' };
    expect(encodeCursor(after)).toBe(btoa('id:7:1000:-1'));
  });

  test('rejects any other text', () => {
    const odd = ['id:1', 'id:', 'id:-1', 'id:1.5', 'id:1 ', ' id:1', 'ID:1', 'xid:1', 'id:1x', '1'];
    const long = `id:${'1'.repeat(16)}`;
    for (const text of [
      '',
      'x',
      '%',
      'ü',
      '!!',
      ...[...odd.slice(1), long].map((text) => btoa(text)),
    ]) {
      const { error } = Query.safeParse({ cursor: text });
      expect(error?.issues, text).toMatchObject([
        { path: ['cursor'], message: 'is not a cursor of this list' },
      ]);
    }
    expect(Query.safeParse({ cursor: btoa(`id:${'9'.repeat(15)}`) }).success).toBe(true);
  });

  test("can't be forged from other texts", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { success, data } = Query.safeParse({ cursor: text });
        if (success) expect(text.replace(/=+$/, '')).toBe(cursorAfter(data.cursor?.id ?? 0));
      }),
    );
  });
});

describe('The parameters of a list', () => {
  test.each([
    [
      { page: '1', per_page: '1' },
      { page: 1, per_page: 1 },
    ],
    [{ per_page: '100' }, { per_page: 100 }],
    [{ per_page: '101' }, { per_page: 100 }],
    [
      { page: '1000000', sort: 'id' },
      { page: 1_000_000, sort: 'id' },
    ],
    [{ sort: '-id' }, { sort: '-id' }],
    [{}, {}],
  ])('%j are read as %j', (given, read) => {
    expect(Query.parse(given)).toEqual(read);
  });

  test.each([
    ...[{ page: '0' }, { page: '-1' }, { page: '1000001' }, { page: 'x' }],
    ...[{ per_page: '0' }, { per_page: '1.5' }, { sort: 'name' }, { sort: '' }],
  ])('%j are refused', (given) => {
    expect(Query.safeParse(given).success).toBe(false);
  });

  test('are documented', () => {
    const { properties } = z.toJSONSchema(Query, { io: 'input' });
    expect(properties).toMatchObject({
      page: { description: expect.stringContaining('Page number, starting from 1.') },
      per_page: { description: 'Records per page, 25 by default, 100 at most.' },
      cursor: {
        type: 'string',
        description: '`meta.next_cursor` of the previous page; replaces `page`.',
      },
      sort: { description: expect.stringContaining('newest first') },
    });
  });

  test('include the time and the order of changes, where clients keep a copy', () => {
    const since = { updated_since: '2026-03-10T09:00:00Z', sort: 'updated_at' };
    expect(ChangeQuery.parse({ ...since, page: '2' })).toEqual({
      ...{ page: 2, sort: 'updated_at' },
      updated_since: '2026-03-10T09:00:00.000Z',
    });
    expect(ChangeQuery.parse({})).toEqual({});
    expect(Query.safeParse({ sort: 'updated_at' }).success).toBe(false);
    const { properties } = z.toJSONSchema(ChangeQuery, { io: 'input' });
    expect(properties).toMatchObject({
      sort: { description: expect.stringContaining('by the last change, latest last') },
      updated_since: { description: expect.stringContaining('meta.next_updated_since') },
    });
  });
});

describe('The window of a page', () => {
  const usual = {
    ...{ limit: 26, offset: 0, ascending: false, after: undefined, counted: true },
    byChange: false,
  };

  test.each([
    [{}, usual],
    [{ page: 3 }, { ...usual, offset: 50 }],
    [
      { page: 3, per_page: 10 },
      { ...usual, limit: 11, offset: 20 },
    ],
    [
      { page: 3, offset: 7, per_page: 10 },
      { ...usual, limit: 11, offset: 7 },
    ],
    [{ page: 3, offset: 0 }, usual],
    [{ sort: 'id' as const }, { ...usual, ascending: true }],
    [{ sort: '-id' as const }, usual],
    [{ sort: 'updated_at' as const }, { ...usual, ascending: true, byChange: true }],
    [
      { sort: 'updated_at' as const, cursor: { id: 9, changed: '2026-03-10T09:00:00.000Z' } },
      {
        ...usual,
        ...{ ascending: true, byChange: true, counted: false },
        ...{ after: 9, changed: '2026-03-10T09:00:00.000Z' },
      },
    ],
    [
      { cursor: { id: 9 }, page: 3, offset: 7 },
      { ...usual, after: 9, counted: false },
    ],
    [{ cursor: { id: 0 } }, { ...usual, after: 0, counted: false }],
  ])('of %j is %j', (query, window) => {
    expect(pageWindow(query)).toEqual(window);
  });
});

describe('A page', () => {
  test('holds no more records than its size, and links to the next page if there are more', () => {
    const { data, meta } = pageOf({ per_page: 2 }, rows(9, 3), 5);
    expect(data).toEqual(rows(9, 2));
    expect(meta).toEqual({
      pagination: { page: 1, per_page: 2, total: 5, total_pages: 3 },
      next_cursor: cursorAfter(8),
    });
  });

  test('is the last if there are no more records', () => {
    expect(pageOf({ per_page: 2 }, rows(9, 2), 2).meta).toEqual({
      pagination: { page: 1, per_page: 2, total: 2, total_pages: 1 },
      next_cursor: null,
    });
    expect(pageOf({}, [], 0)).toEqual({
      success: true,
      data: [],
      meta: {
        pagination: { page: 1, per_page: 25, total: 0, total_pages: 0 },
        next_cursor: null,
      },
    });
  });

  test('that is read by cursor has no total', () => {
    expect(pageOf({ cursor: { id: 9 }, per_page: 2 }, rows(8, 3), undefined).meta).toEqual({
      next_cursor: cursorAfter(7),
    });
  });

  test.each([
    [{ page: 4, per_page: 10 }, 4],
    [{ offset: 0, per_page: 10 }, 1],
    [{ offset: 9, per_page: 10, page: 4 }, 1],
    [{ offset: 10, per_page: 10 }, 2],
    [{ offset: 60 }, 3],
  ])('of %j is number %d', (query, page) => {
    expect(pageOf(query, rows(9, 1), 100).meta.pagination?.page).toBe(page);
  });
});

describe('A page of changes', () => {
  const now = new Date('2026-03-10T09:00:00.000Z');
  const [started, updated_at] = ['2026-03-10T08:00:00.000Z', '2026-03-09T07:00:00.000Z'];
  const changes = rows(9, 3).map((row) => ({ ...row, updated_at }));

  test('says from when to ask for further ones: 15 seconds before the request', () => {
    expect(pageOfChanges({ per_page: 3 }, changes, 3, now)).toEqual({
      success: true,
      data: changes,
      meta: {
        pagination: { page: 1, per_page: 3, total: 3, total_pages: 1 },
        next_cursor: null,
        next_updated_since: '2026-03-10T08:59:45.000Z',
      },
    });
  });

  test('counts from the request of the first page, which its cursor passes on', () => {
    const first = pageOfChanges({ per_page: 2 }, changes, 3, now);
    expect(first.meta.next_cursor).toBe(encodeCursor({ id: 8, began: now.toISOString() }));
    const next = pageOfChanges({ per_page: 2, cursor: { id: 8, began: started } }, changes, 3, now);
    expect(next.meta).toMatchObject({
      next_cursor: encodeCursor({ id: 8, began: started }),
      next_updated_since: '2026-03-10T07:59:45.000Z',
    });
  });

  test('continues after the last change, if changes are its order', () => {
    const { meta } = pageOfChanges({ per_page: 1, sort: 'updated_at' }, changes, 3, now);
    const after = { id: 9, began: now.toISOString(), changed: updated_at };
    expect(meta.next_cursor).toBe(encodeCursor(after));
    const byId = pageOfChanges({ per_page: 1, sort: 'id' }, changes, 3, now);
    expect(byId.meta.next_cursor).toBe(encodeCursor({ id: 9, began: now.toISOString() }));
  });
});

describe('Reading a page', () => {
  /** Answers each statement with its name, and records the statements. */
  const asked: string[][] = [];
  const db = {
    query: async (statements: object) => {
      asked.push(Object.keys(statements));
      return { $rows: [{ id: 3 }], $count: [{ total: 12 }], user: [{ id: 1 }] } as never;
    },
  };
  const statement = {} as never;

  test('takes one trip, with the total if the window asks for it, and with the other queries', async () => {
    asked.length = 0;
    const list = (window: object) => {
      expect(window).toEqual(pageWindow({ page: 2 }));
      return statement;
    };
    const page = await readPage(db, { page: 2 }, list, () => statement, { user: statement });
    expect(page).toEqual({ rows: [{ id: 3 }], total: 12, user: [{ id: 1 }] });
    expect(asked).toEqual([['$rows', '$count', 'user']]);
  });

  test('asks for no total by cursor', async () => {
    asked.length = 0;
    const uncounted = {
      query: async (statements: object) => {
        asked.push(Object.keys(statements));
        return { $rows: [] } as never;
      },
    };
    const page = await readPage(
      uncounted,
      { cursor: { id: 5 } },
      () => statement,
      () => statement,
    );
    expect(page).toEqual({ rows: [], total: undefined });
    expect(asked).toEqual([['$rows']]);
  });
});
