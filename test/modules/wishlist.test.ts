import { beforeAll, expect, test, vi } from 'vitest';
import type { ApiClient } from '../harness/client.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock } from '../races/queue.ts';

vi.mock('../../src/modules/index.ts', async () => {
  const { wishlist } = await import('../../docs/examples/wishlist/index.ts');
  const { refuseUnknown } = await import('../../src/kernel/endpoint/module.ts');
  return {
    modules: [wishlist],
    modulesOf: ({ MODULES }: { MODULES: string[] }) => {
      refuseUnknown(MODULES, ['wishlist']);
      return MODULES.length > 0 ? [wishlist] : [];
    },
  };
});

const opened = useStoreFixture();
let anna: ApiClient, ben: ApiClient;
let annasId = 0;

beforeAll(async () => {
  const { fixture } = opened;
  ({ id: annasId } = await fixture.newUser());
  anna = await fixture.store.session(annasId);
  ben = await fixture.store.session((await fixture.newUser()).id);
});

const wish = (client: ApiClient, product_id: number) => client.post('/me/wishlist', { product_id });

test('members see their own wishes, newest first, and take them back', async () => {
  const { fixture } = opened;
  const bread = await fixture.newProduct({ title: 'Bread', price: 700 });
  const cake = await fixture.newProduct({ title: 'Cake' });
  const first = await wish(anna, bread.id);
  expect(first).toMatchObject({
    status: 201,
    trips: 2,
    body: { data: { product_id: bread.id, title: 'Bread', price: 700 } },
  });
  const second = await wish(anna, cake.id);
  await wish(ben, cake.id);
  const listed = await anna.get('/me/wishlist');
  expect(listed).toMatchObject({ status: 200, trips: 1 });
  expect(listed.body.data).toEqual([second.body.data, first.body.data]);
  expect(listed.body.meta).toMatchObject({ effective_user_id: annasId, pagination: { total: 2 } });
  const path = `/me/wishlist/${first.body.data.id}`;
  expect((await ben.delete(path)).status).toBe(404);
  expect((await anna.delete(path)).status).toBe(200);
  expect((await anna.delete(path)).status).toBe(404);
  expect((await anna.get('/me/wishlist')).body.data).toEqual([second.body.data]);
});

test('a product is wished for once, even if both wishes arrive at the same time', async () => {
  const { fixture } = opened;
  const { id } = await fixture.newProduct();
  const replies = await behindLock(
    fixture.store,
    'lock table wishes in share row exclusive mode',
    [1, 2, 3].map(() => () => wish(anna, id)),
  );
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
});

test('a product that is not offered cannot be wished for', async () => {
  const { fixture } = opened;
  const draft = await fixture.newProduct({ status: 'draft' });
  for (const id of [draft.id, 999_999]) expect((await wish(anna, id)).status).toBe(404);
  const gone = await fixture.newProduct();
  await wish(anna, gone.id);
  await fixture.api.delete(`/products/${gone.id}`);
  const { body } = await anna.get('/me/wishlist');
  expect(body.data.map(({ product_id }: { product_id: number }) => product_id)).not.toContain(
    gone.id,
  );
});

test('administrators see the most wished-for products, members do not', async () => {
  const { fixture } = opened;
  const star = await fixture.newProduct({ title: 'Star' });
  for (let i = 0; i < 3; i++) {
    await wish(await fixture.store.session((await fixture.newUser()).id), star.id);
  }
  const manager = await fixture.newStaff();
  const administrator = await fixture.newAdministrator();
  const session = await fixture.store.session(manager.id);
  for (const client of [session, administrator.session]) {
    const reply = await client.get('/me/wishlist/popular');
    expect(reply).toMatchObject({ status: 200, trips: 1 });
    expect(reply.body.data[0]).toEqual({ product_id: star.id, title: 'Star', wishes: 3 });
  }
  const forbidden = { status: 403, body: { code: 'rest_forbidden' } };
  expect(await anna.get('/me/wishlist/popular')).toMatchObject(forbidden);
});
