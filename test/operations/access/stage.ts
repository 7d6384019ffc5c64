import { beforeAll, beforeEach, expect } from 'vitest';
import type { Content } from '../../../src/domain/access/content-schemas.ts';
import type { Access, AccessProduct, Verdict } from '../../../src/domain/access/schemas.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

/** A store with a course, and the access of the newest user. */
export function useAccess() {
  const opened = useStoreFixture();
  const fixture = () => opened.fixture;
  const at = (instant: string) => fixture().store.clock.set(instant);
  let course: number;
  let user: number;

  beforeAll(async () => {
    course = (await fixture().newProduct({ title: 'Course' })).id;
  });

  const newUser = async () => (user = (await fixture().newUser()).id);

  const check = async (product_id = course): Promise<Verdict> => {
    const reply = await fixture().api.get(`/access/check?user_id=${user}&product_id=${product_id}`);
    expect(reply).toMatchObject({ status: 200, trips: 1 });
    return reply.body;
  };

  const grant = async (fields: object = {}) => {
    const body = { user_id: user, product_id: course, ...fields };
    const reply = await fixture().api.post('/access', body);
    expect(reply).toMatchObject({ status: 201, trips: 2 });
    return reply.body.data as Access;
  };

  const move = async (order: number, status: string) => {
    const reply = await fixture().api.patch(`/orders/${order}`, { status });
    expect(reply).toMatchObject({ status: 200, trips: 2 });
  };

  const products = async () =>
    (await fixture().api.get(`/users/${user}/access-products`)).body.data as AccessProduct[];

  return {
    ...{ fixture, at, course: () => course, user: () => user },
    ...{ newUser, check, grant, move, products },
  };
}

/** A store in Jakarta with a course and a bonus, and a new user for each test. */
export function useContents() {
  const opened = useStoreFixture();
  const fixture = () => opened.fixture;
  const at = (instant: string) => fixture().store.clock.set(instant);
  let course: number;
  let bonus: number;
  let user: number;

  beforeAll(async () => {
    await fixture().set('timezone', 'Asia/Jakarta');
    await fixture().set('site_url', 'https://shop.example/');
    course = (await fixture().newProduct({ title: 'Course & "Co" <b>', slug: 'course' })).id;
    bonus = (await fixture().newProduct({ title: 'Bonus' })).id;
  });

  beforeEach(async () => {
    at('2026-03-10T09:00:00Z');
    user = (await fixture().newUser()).id;
  });

  const newContent = async (fields: object = {}) => {
    const body = { title: 'Lesson', product_ids: [course], ...fields };
    const reply = await fixture().api.post('/access/content', body);
    expect(reply).toMatchObject({ status: 201, trips: 2 });
    return reply.body.data as Content;
  };

  const check = async ({ id }: Content): Promise<Verdict> => {
    const reply = await fixture().api.get(`/access/content/${id}/check?user_id=${user}`);
    expect(reply).toMatchObject({ status: 200, trips: 1 });
    return reply.body;
  };

  const grant = async (product_id: number, fields: object = {}) => {
    const reply = await fixture().api.post('/access', { user_id: user, product_id, ...fields });
    return reply.body.data.id as number;
  };

  return {
    ...{ fixture, at, course: () => course, bonus: () => bonus, user: () => user },
    ...{ newContent, check, grant },
  };
}
