import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../harness/long.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const stage = useStoreFixture();

/**
 * Users in a line, each the sponsor of the next.
 * @returns their ids, the topmost first
 */
async function line(length: number): Promise<number[]> {
  const ids: number[] = [];
  for (let i = 0; i < length; i++) {
    ids.push((await stage.fixture.newUser({ affiliate_id: ids.at(-1) ?? null })).id);
  }
  return ids;
}

const get = (id: number | undefined, what: string, query = '') =>
  stage.fixture.api.get(`/users/${id}/${what}?${query}`);

/**
 * Makes many users past the API.
 * @param sponsors index of each one's sponsor, or null
 */
async function plant(sponsors: readonly (number | null)[]): Promise<number[]> {
  const { database, clock } = stage.fixture.store;
  const { rows } = await database.query<{ ids: string[] }>(
    `with made as (
       insert into users (display_name, created_at, updated_at)
       select 'Leaf ' || n, $2, $2 from generate_series(1, $1::int) n returning id
     ) select array_agg(id order by id) as ids from made`,
    [sponsors.length, clock.now()],
  );
  const ids = (rows[0]?.ids ?? []).map(Number);
  await database.query(
    `update users u set affiliate_id = s.sponsor
       from unnest($1::bigint[], $2::bigint[]) s (id, sponsor) where u.id = s.id`,
    [ids, sponsors.map((index) => (index === null ? null : ids[index]))],
  );
  return ids;
}

const patch = (id: number, body: object) => stage.fixture.api.patch(`/users/${id}`, body);

describe('A sponsor', () => {
  test('can be any other existing user', async () => {
    const { fixture } = stage;
    const [user, sponsor, gone] = [
      await fixture.newUser(),
      await fixture.newUser(),
      await fixture.newUser(),
    ];
    expect((await patch(user.id, { affiliate_id: sponsor.id })).status).toBe(200);
    expect((await patch(user.id, { affiliate_id: null })).body.data.affiliate_id).toBeNull();
    await fixture.api.delete(`/users/${gone.id}`);
    for (const affiliate_id of [gone.id, 999_999]) {
      expect(await patch(user.id, { affiliate_id })).toMatchObject({
        status: 404,
        body: { code: 'rest_not_found', data: { params: { affiliate_id: expect.any(String) } } },
      });
    }
    expect(await patch(user.id, { affiliate_id: user.id })).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param', data: { params: { affiliate_id: expect.any(String) } } },
    });
  });

  test("can't be a user below, at any depth", async () => {
    const { fixture } = stage;
    const line = [await fixture.newUser()];
    for (let depth = 1; depth < 6; depth++) {
      line.unshift(await fixture.newUser({ affiliate_id: line[0]?.id }));
    }
    const top = line.at(-1)?.id ?? 0;
    for (const { id } of line.slice(0, -1)) {
      const reply = await patch(top, { affiliate_id: id });
      expect(reply).toMatchObject({ status: 409, trips: 1, body: { code: 'rest_upline_cycle' } });
    }
    expect((await patch(line[0]?.id ?? 0, { affiliate_id: top })).status).toBe(200);
  });
});

describe('Uplines', () => {
  test('are the sponsors one above the other, nearest first', async () => {
    const ids = await line(4);
    const { body, trips } = await get(ids[3], 'uplines');
    expect(trips).toBe(1);
    const sponsor = await stage.fixture.user(ids[2] ?? 0);
    expect(body.data[0]).toEqual({
      tier: 1,
      id: ids[2],
      parent_id: ids[1],
      display_name: sponsor.display_name,
      email: sponsor.email,
      phone: '',
      group_id: null,
      joined_at: sponsor.created_at,
      direct_count: 1,
    });
    expect(body.data.map(({ tier, id }: { tier: number; id: number }) => [tier, id])).toEqual([
      [1, ids[2]],
      [2, ids[1]],
      [3, ids[0]],
    ]);
    expect(body.meta).toEqual({ limit: 10, truncated: false, next_cursor: null });
    const list = await get(ids[3], 'uplines', 'return=id&limit=2');
    expect(list.body).toMatchObject({
      data: [ids[2], ids[1]],
      meta: { limit: 2, truncated: true },
    });
    expect((await get(ids[0], 'uplines')).body.data).toEqual([]);
  });

  test('are read 50 tiers up at most', async () => {
    const ids = await plant(Array.from({ length: 60 }, (_, i) => (i === 0 ? null : i - 1)));
    const { body } = await get(ids[59], 'uplines', 'limit=500&return=id');
    expect(body).toMatchObject({ data: ids.slice(9, 59).toReversed(), meta: { limit: 50 } });
    expect(body.meta.truncated).toBe(true);
  });
});

describe('Downlines', () => {
  test('come tier by tier, with the number of users that each one brought in', async () => {
    const [root = 0, a, b, c] = await plant([null, 0, 0, 1]);
    const { body, trips } = await get(root, 'downlines');
    expect(trips).toBe(1);
    const facts = body.data.map((user: Record<string, number>) => [
      user['tier'],
      user['id'],
      user['parent_id'],
      user['direct_count'],
    ]);
    expect(facts).toEqual([
      [1, a, root, 1],
      [1, b, root, 0],
      [2, c, a, 0],
    ]);
    expect(body.meta).toEqual({ limit: 10, truncated: false, next_cursor: null });
    const first = await get(root, 'downlines', 'limit=1&return=id');
    expect(first.body).toMatchObject({ data: [a, b], meta: { limit: 1, truncated: true } });
  });

  test('of a thousand and more come in pages of a thousand', async () => {
    const sponsors = Array.from({ length: 2501 }, (_, i) => (i === 0 ? null : (i - 1) >> 1));
    const [root, ...below] = await plant(sponsors);
    const first = await get(root, 'downlines', 'return=id&limit=50');
    expect(first.body.data).toEqual(below.slice(0, 1000));
    expect(first.body.meta.truncated).toBe(true);
    const seen = [...first.body.data];
    let cursor = first.body.meta.next_cursor;
    while (cursor) {
      const { body } = await get(root, 'downlines', `return=id&limit=50&cursor=${cursor}`);
      seen.push(...body.data);
      cursor = body.meta.next_cursor;
    }
    expect(seen).toEqual(below);
  });

  test('are the same in pages of any size as in a walk through the tree', async () => {
    const shapes = fc.record({
      above: fc.array(fc.nat(40), { minLength: 1, maxLength: 40 }),
      size: fc.integer({ min: 1, max: 12 }),
      depth: fc.integer({ min: 1, max: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(shapes, async ({ above, size, depth }) => {
        const sponsors = [null, ...above.map((n, i) => n % (i + 1))];
        const ids = await plant(sponsors);
        const children = (index: number) =>
          sponsors.flatMap((sponsor, i) => (sponsor === index ? [i] : []));
        const walk: (number | undefined)[] = [];
        let tier = [0];
        for (let n = 0; n < depth; n++) {
          tier = tier.flatMap(children);
          walk.push(...tier.map((index) => ids[index]));
        }
        const deeper = tier.some((index) => children(index).length > 0);
        const seen: number[] = [];
        let cursor = '';
        for (;;) {
          const query = `return=id&limit=${depth}&per_page=${size}${cursor && `&cursor=${cursor}`}`;
          const { body } = await get(ids[0], 'downlines', query);
          seen.push(...body.data);
          cursor = body.meta.next_cursor;
          expect(body.meta.truncated).toBe(cursor !== null || deeper);
          if (cursor === null) break;
        }
        expect(seen).toEqual(walk);
      }),
      { numRuns: runs(25) },
    );
  });

  test('move along with their sponsor', async () => {
    const ids = await line(4);
    const elsewhere = await stage.fixture.newUser();
    const moved = { affiliate_id: elsewhere.id };
    expect((await stage.fixture.api.patch(`/users/${ids[1]}`, moved)).status).toBe(200);
    expect((await get(ids[0], 'downlines', 'return=id')).body.data).toEqual([]);
    const below = await get(elsewhere.id, 'downlines', 'return=id');
    expect(below.body.data).toEqual(ids.slice(1));
    expect((await get(ids[3], 'uplines', 'return=id')).body.data).toEqual([
      ids[2],
      ids[1],
      elsewhere.id,
    ]);
  });
});

test.each([
  ['uplines', 'limit=0'],
  ['downlines', 'limit=-1'],
  ['downlines', 'return=all'],
  ['downlines', 'cursor=aWQ6MQ'],
  ['downlines', 'cursor=%C3%A4'],
])('%s refuse %s', async (what, query) => {
  const user = await stage.fixture.newUser();
  const reply = await get(user.id, what, query);
  expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
});

test('an unknown user has neither uplines nor downlines', async () => {
  for (const what of ['uplines', 'downlines']) {
    expect(await get(999_999, what)).toMatchObject({
      status: 404,
      body: { code: 'rest_not_found' },
    });
  }
});
