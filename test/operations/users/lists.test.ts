import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { userRoles } from '../../../src/schema/lists.ts';
import { shopManagerId } from '../../../src/schema/staff.ts';
import type { User } from '../../../src/domain/user/schemas.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();

describe('A list of users', () => {
  let users: User[] = [];
  beforeAll(async () => {
    const { fixture } = opened;
    const sponsors = [await fixture.newUser(), await fixture.newUser()];
    for (let n = 0; n < 24; n++) {
      const { id } = await fixture.newUser({
        display_name: `${['Zoé', 'Q_u%een', 'Ben'][n % 3]} ${n}`,
        phone: `0-${n}-0`,
        affiliate_id: n % 4 > 1 ? sponsors[n % 2]?.id : null,
        status: n % 5 === 0 ? 'blocked' : 'active',
      });
      const roles = [userRoles[1 + (n % 3)], 'member'];
      await fixture.store.database.query(
        'update users set roles = $2, staff_role_id = $3 where id = $1',
        [id, roles, n % 3 === 0 ? shopManagerId : null],
      );
      users.unshift(await fixture.user(id));
    }
  });

  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

  test('finds by any combination of filters exactly the users that match', async () => {
    const { fixture } = opened;
    const listed = users.map(({ id }) => id).join(',');
    const sponsor_ids = [...new Set(users.map((user) => user.affiliate_id ?? 0))];
    const query = fc.record({
      role: maybe(fc.constantFrom(...userRoles)),
      staff: maybe(fc.boolean()),
      status: maybe(fc.constantFrom('active', 'blocked')),
      affiliate_id: maybe(fc.constantFrom(...sponsor_ids.filter(Boolean))),
      search: maybe(fc.constantFrom('zoÉ', 'q_u', 'u%e', 'ben 2', '0-1', '%', '_', 'zo', '%%%')),
      sort: maybe(fc.constantFrom('id', '-id')),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ role, staff, status, affiliate_id, search, sort }) => {
        const words = search?.toLowerCase();
        const found = users.filter(
          (user) =>
            (role === undefined || user.roles.includes(role)) &&
            (staff === undefined || (user.staff_role_id !== null) === staff) &&
            (status === undefined || user.status === status) &&
            (affiliate_id === undefined || user.affiliate_id === affiliate_id) &&
            (words === undefined ||
              (words.length > 2 &&
                [user.display_name, user.email, user.phone].some((text) =>
                  text.toLowerCase().includes(words),
                ))),
        );
        const given = {
          role,
          staff,
          status,
          affiliate_id,
          search,
          sort,
          ids: listed,
          per_page: 100,
        };
        const said = Object.entries(given).filter(([, value]) => value !== undefined);
        const parameters = new URLSearchParams(
          said.map(([name, v]): [string, string] => [name, `${v}`]),
        );
        const { status: code, body } = await fixture.api.get(`/users?${parameters.toString()}`);
        expect(code).toBe(200);
        expect(body.data).toEqual(sort === 'id' ? found.toReversed() : found);
        expect(body.meta.pagination.total).toBe(found.length);
      }),
      { numRuns: 60 },
    );
  });

  test('has the same records by page as by cursor, and counts everybody', async () => {
    const { fixture } = opened;
    const { rows } = await fixture.store.database.query<{ id: string }>(
      `select id from users where status <> 'anonymised' order by id desc`,
    );
    const all = rows.map(({ id }) => Number(id));
    const seen: number[] = [];
    for (let cursor = ''; ;) {
      const { body } = await fixture.api.get(`/users?per_page=11&cursor=${cursor}`);
      seen.push(...body.data.map(({ id }: User) => id));
      if (body.meta.next_cursor === null) break;
      cursor = body.meta.next_cursor;
    }
    expect(seen).toEqual(all);
    const second = await fixture.api.get('/users?per_page=11&page=2');
    expect(second.body.data.map(({ id }: User) => id)).toEqual(all.slice(11, 22));
    expect(second.body.meta.pagination.total).toBe(all.length);
  });

  test('searches for an id with fewer than three characters', async () => {
    const { fixture } = opened;
    const [first] = (await fixture.api.get('/users?sort=id&per_page=1')).body.data;
    const found = await fixture.api.get(`/users?search=${first.id}`);
    expect(found.body.data.map(({ id }: User) => id)).toEqual([first.id]);
    expect((await fixture.api.get('/users?search=zo')).body.data).toEqual([]);
  });

  test('refuses invalid values of a filter', async () => {
    for (const query of ['role=owner', 'status=anonymised', 'ids=1,x', 'affiliate_id=0']) {
      const reply = await opened.fixture.api.get(`/users?${query}`);
      expect(reply, query).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      expect(Object.keys(reply.body.data.params)).toEqual([query.split('=')[0]]);
    }
  });
});
