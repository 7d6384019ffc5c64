import { describe, expect, test } from 'vitest';
import { UnitOfWork } from '../../../src/kernel/database/unit-of-work.ts';
import { countAccess } from '../../../src/queries/access.ts';
import type { AccessProduct } from '../../../src/domain/access/schemas.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useAccess } from './stage.ts';

const { fixture, at, course, user, newUser, check, grant, products } = useAccess();

describe("a user's products", () => {
  const set = async (body: object) => {
    const reply = await fixture().api.post(`/users/${user()}/access-products`, body);
    expect(reply).toMatchObject({ status: 200, trips: 2 });
    expect(reply.body.data).toEqual(await products());
    return reply.body.data as AccessProduct[];
  };

  test('are each shown once, with the combined access of their grants', async () => {
    at('2026-03-10T09:00:00Z');
    await newUser();
    await grant({ end_active: '2026-03-11T09:00:00Z' });
    await grant({ end_active: '2026-03-20T09:00:00Z' });
    at('2026-03-12T10:00:00Z');
    const reply = await fixture().api.get(`/users/${user()}/access-products`);
    expect(reply).toMatchObject({ status: 200, trips: 1 });
    expect(reply.body.data).toEqual([
      {
        product_id: course(),
        name: 'Course',
        start: '2026-03-10T09:00:00.000Z',
        start_day: 2,
        end_active: '2026-03-20T09:00:00.000Z',
        status: 'active',
      },
    ]);
    expect(await fixture().api.get('/users/999999/access-products')).toMatchObject({ status: 404 });
  });

  test('are added by hand; adding again keeps the grant and its start', async () => {
    at('2026-03-10T09:00:00Z');
    await newUser();
    const other = (await fixture().newProduct()).id;
    expect(await set({ product_ids: [course(), other, course()] })).toMatchObject([
      { product_id: course(), status: 'active', end_active: null },
      { product_id: other, status: 'active' },
    ]);
    at('2026-03-15T09:00:00Z');
    expect(
      await set({ product_ids: [course()], end_active: '2026-04-01T00:00:00Z' }),
    ).toMatchObject([
      {
        product_id: course(),
        start: '2026-03-10T09:00:00.000Z',
        end_active: '2026-04-01T00:00:00.000Z',
      },
      { product_id: other, end_active: null },
    ]);
    const { body } = await fixture().api.get(`/access?user_id=${user()}`);
    expect(body.meta.pagination.total).toBe(2);
  });

  test('are replaced if they were granted by hand: purchases stay', async () => {
    at('2026-03-10T09:00:00Z');
    await newUser();
    const [bought, dropped, added] = [
      (await fixture().newProduct()).id,
      (await fixture().newProduct()).id,
      (await fixture().newProduct()).id,
    ];
    await fixture().newOrder({ product_id: bought, user_id: user(), status: 'completed' });
    await grant({ product_id: course(), source: 'import' });
    await set({ product_ids: [dropped] });
    expect(await set({ product_ids: [added], mode: 'replace' })).toMatchObject([
      { product_id: course(), status: 'active' },
      { product_id: bought, status: 'active' },
      { product_id: dropped, status: 'revoked' },
      { product_id: added, status: 'active' },
    ]);
    await set({ product_ids: [], mode: 'replace' });
    expect(await check(added)).toMatchObject({ reason: 'revoked' });
    expect(await check(bought)).toMatchObject({ reason: 'ok' });
  });

  test('are counted if the user has access now', async () => {
    at('2026-03-10T09:00:00Z');
    await newUser();
    await set({ product_ids: [course(), (await fixture().newProduct()).id] });
    await grant({ end_active: '2026-03-20T09:00:00Z' });
    await grant({ product_id: (await fixture().newProduct()).id, start: '2026-04-01T00:00:00Z' });
    const { connection } = await fixture().store.services();
    const now = fixture().store.clock.now();
    const { counted } = await new UnitOfWork(connection, undefined).query({
      counted: countAccess(user(), now),
    });
    expect(counted).toEqual([{ total: 2 }]);
  });

  test('that do not exist are refused, and nothing is granted', async () => {
    await newUser();
    const reply = await fixture().api.post(`/users/${user()}/access-products`, {
      product_ids: [course(), 999_999],
    });
    expect(reply).toMatchObject({
      status: 404,
      body: { data: { params: { product_ids: 'unknown id' } } },
    });
    expect(await products()).toEqual([]);
  });
});

test('after these tests every derived figure is right', () => expectIntegrity(fixture()));
