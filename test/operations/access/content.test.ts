import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Content } from '../../../src/domain/access/content-schemas.ts';
import type { Verdict } from '../../../src/domain/access/schemas.ts';
import { checkIntegrity } from '../../../src/cli/integrity.ts';
import { useShop } from '../../harness/shop.ts';

const opened = useShop();
const shop = () => opened.shop;
const at = (instant: string) => shop().store.clock.set(instant);

let course: number;
let bonus: number;
let user: number;

beforeAll(async () => {
  await shop().set('timezone', 'Asia/Jakarta');
  await shop().set('site_url', 'https://shop.example/');
  course = (await shop().newProduct({ title: 'Course & "Co" <b>', slug: 'course' })).id;
  bonus = (await shop().newProduct({ title: 'Bonus' })).id;
});

beforeEach(async () => {
  at('2026-03-10T09:00:00Z');
  user = (await shop().newUser()).id;
});

const newContent = async (fields: object = {}) => {
  const body = { title: 'Lesson', product_ids: [course], ...fields };
  const reply = await shop().api.post('/access/content', body);
  expect(reply).toMatchObject({ status: 201, trips: 2 });
  return reply.body.data as Content;
};

const check = async ({ id }: Content, user_id = user): Promise<Verdict> => {
  const reply = await shop().api.get(`/access/content/${id}/check?user_id=${user_id}`);
  expect(reply).toMatchObject({ status: 200, trips: 1 });
  return reply.body;
};

const grant = async (product_id: number, fields: object = {}) => {
  const reply = await shop().api.post('/access', { user_id: user, product_id, ...fields });
  return reply.body.data.id as number;
};

describe('a content', () => {
  test('is published and open to buyers of one of its products, unless it says otherwise', async () => {
    const content = await newContent({ product_ids: [course, bonus, course] });
    expect(content).toMatchObject({
      title: 'Lesson',
      url: '',
      product_ids: [course, bonus],
      match: 'any',
      drip_day: 0,
      release_at: null,
      status: 'publish',
      version: 1,
    });
    expect((await shop().api.get(`/access/content/${content.id}`)).body.data).toEqual(content);
  });

  test.each(['put', 'patch', 'post'] as const)('is updated in part by %s', async (method) => {
    const content = await newContent({ url: '/lessons/1' });
    const path = `/access/content/${content.id}`;
    const reply = await shop().api[method](path, { drip_day: 3, nonsense: 1 });
    expect(reply).toMatchObject({
      status: 200,
      trips: 2,
      body: {
        data: { ...content, drip_day: 3, version: 2 },
        meta: { ignored_fields: ['nonsense'] },
      },
    });
    const stale = { headers: { 'if-match': '1' } };
    expect(await shop().api[method](path, { drip_day: 4 }, stale)).toMatchObject({ status: 409 });
  });

  test('takes products that exist, and keeps those that were deleted since', async () => {
    const unknown = { title: 'X', product_ids: [course, 999_999] };
    expect(await shop().api.post('/access/content', unknown)).toMatchObject({ status: 404 });
    const old = (await shop().newProduct()).id;
    const content = await newContent({ product_ids: [old] });
    await shop().api.delete(`/products/${old}`);
    const path = `/access/content/${content.id}`;
    expect(await shop().api.patch(path, { product_ids: [old, course] })).toMatchObject({
      status: 200,
      body: { data: { product_ids: [old, course] } },
    });
    expect(await shop().api.patch(path, { product_ids: [999_999] })).toMatchObject({
      status: 404,
    });
  });

  test.each([
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    'lesson',
    'https://',
    'ftp://x.example',
  ])('is at an address of the web or of the shop, not at %s', async (url) => {
    const body = { title: 'X', product_ids: [course], url };
    expect(await shop().api.post('/access/content', body)).toMatchObject({
      status: 400,
      body: { data: { params: { url: expect.any(String) } } },
    });
  });

  test('is listed by status and product, newest first, and gone once deleted', async () => {
    const product = (await shop().newProduct()).id;
    const [first, second] = [
      await newContent({ product_ids: [product] }),
      await newContent({ product_ids: [course, product], status: 'draft' }),
    ];
    const list = async (query: string) => {
      const reply = await shop().api.get(`/access/content?product_id=${product}${query}`);
      expect(reply).toMatchObject({ status: 200, trips: 1 });
      return (reply.body.data as Content[]).map(({ id }) => id);
    };
    expect(await list('')).toEqual([second.id, first.id]);
    expect(await list('&status=draft')).toEqual([second.id]);
    expect(await shop().api.delete(`/access/content/${second.id}`)).toMatchObject({ status: 200 });
    expect(await list('')).toEqual([first.id]);
    expect(await shop().api.get(`/access/content/${second.id}`)).toMatchObject({ status: 404 });
  });
});

describe('the check of a content', () => {
  test('asks in a fixed order: blocked, published, bought, revoked, expired, open', async () => {
    const content = await newContent({ status: 'draft', drip_day: 5 });
    const set = (fields: object) => shop().api.patch(`/access/content/${content.id}`, fields);
    const reasons: string[] = [];
    const note = async () => reasons.push((await check(content)).reason);

    await shop().api.patch(`/users/${user}`, { status: 'blocked' });
    await note();
    await shop().api.patch(`/users/${user}`, { status: 'active' });
    await note();
    await set({ status: 'publish' });
    await note();
    await shop().api.delete(`/access/${await grant(course)}`);
    await note();
    await grant(course, { end_active: '2026-03-11T09:00:00Z' });
    at('2026-03-11T09:00:00Z');
    await note();
    await grant(course);
    await note();
    at('2026-03-16T09:00:00Z');
    await note();
    expect(reasons).toEqual([
      'user-blocked',
      'not-published',
      'not-bought',
      'revoked',
      'expired',
      'drip-content',
      'ok',
    ]);
  });

  test('opens it days after the access started, by the clocks of the store', async () => {
    await shop().set('timezone', 'Europe/Berlin');
    const content = await newContent({ drip_day: 2 });
    at('2026-03-28T08:00:00Z');
    await grant(course);
    // The clocks were put forward on the 29th: 09:00 there is an hour earlier.
    at('2026-03-30T06:59:59Z');
    expect(await check(content)).toMatchObject({
      can_access: false,
      reason: 'drip-content',
      detail: {
        start_day: 1,
        drip_day: 2,
        available_at: '2026-03-30T07:00:00.000Z',
        matched_product_ids: [course],
      },
    });
    at('2026-03-30T07:00:00Z');
    expect(await check(content)).toMatchObject({
      can_access: true,
      reason: 'ok',
      detail: { start_day: 2, available_at: '2026-03-30T07:00:00.000Z', block: null },
    });
    await shop().set('timezone', 'Asia/Jakarta');
  });

  test('opens it to nobody before its release, and to nobody who has not bought it', async () => {
    const content = await newContent({ release_at: '2026-04-01T00:00:00+07:00' });
    expect(await check(content)).toMatchObject({ reason: 'not-bought' });
    await grant(course);
    expect(await check(content)).toMatchObject({
      reason: 'drip-content',
      detail: { available_at: '2026-03-31T17:00:00.000Z' },
    });
    at('2026-03-31T17:00:00Z');
    expect(await check(content)).toMatchObject({ reason: 'ok' });
  });

  test('goes by the grant that opens it, not by one that lasts longer', async () => {
    const content = await newContent({ drip_day: 7 });
    const early = await grant(course, { end_active: '2026-04-30T00:00:00Z' });
    at('2026-03-17T09:00:00Z');
    await grant(course);
    expect(await check(content)).toMatchObject({ reason: 'ok', detail: { grant_id: early } });
  });

  test('of one that takes any of its products is passed with one', async () => {
    const content = await newContent({ product_ids: [course, bonus] });
    await shop().api.delete(`/access/${await grant(course)}`);
    expect(await check(content)).toMatchObject({ reason: 'revoked' });
    await grant(bonus);
    expect(await check(content)).toMatchObject({
      reason: 'ok',
      product_id: bonus,
      detail: { matched_product_ids: [bonus] },
    });
  });

  test('of one that takes all of its products is passed with all of them', async () => {
    const content = await newContent({ product_ids: [course, bonus], match: 'all', drip_day: 1 });
    await grant(course);
    expect(await check(content)).toMatchObject({
      reason: 'not-bought',
      product_id: bonus,
      detail: { matched_product_ids: [course], block: { message: '<p>Get Bonus to see it.</p>' } },
    });
    at('2026-03-11T09:00:00Z');
    await grant(bonus, { end_active: '2026-03-20T00:00:00Z' });
    expect(await check(content)).toMatchObject({
      reason: 'drip-content',
      product_id: bonus,
      detail: { available_at: '2026-03-12T09:00:00.000Z', matched_product_ids: [course, bonus] },
    });
    at('2026-03-12T09:00:00Z');
    expect(await check(content)).toMatchObject({ reason: 'ok' });
    at('2026-03-20T00:00:00Z');
    expect(await check(content)).toMatchObject({ reason: 'expired', product_id: bonus });
  });

  test('is 404 only for a user or a content that is not there', async () => {
    const content = await newContent();
    const ask = (id: number, who: number) =>
      shop().api.get(`/access/content/${id}/check?user_id=${who}`);
    expect(await ask(999_999, user)).toMatchObject({ status: 404 });
    expect(await ask(content.id, 999_999)).toMatchObject({
      status: 404,
      body: { data: { params: { user_id: 'unknown id' } } },
    });
    await shop().api.delete(`/users/${user}`);
    expect(await ask(content.id, user)).toMatchObject({ status: 404 });
  });
});

describe('the block message of a content', () => {
  const path = ({ id }: Content) => `/access/content/${id}/block-message`;

  test('has words of its own from the start, with what it speaks of filled in', async () => {
    const content = await newContent({ drip_day: 10 });
    const read = async () => {
      const reply = await shop().api.get(`${path(content)}?user_id=${user}`);
      expect(reply).toMatchObject({ status: 200, trips: 1 });
      return reply.body.data.rendered;
    };
    const name = 'Course &amp; &quot;Co&quot; &lt;b&gt;';
    expect(await read()).toEqual({
      reason: 'not-bought',
      title: `This is part of ${name}`,
      message: `<p>Get ${name} to see it.</p>`,
    });
    await grant(course, { end_active: '2026-03-19T18:00:00Z' });
    at('2026-03-13T08:00:00Z');
    expect(await read()).toMatchObject({
      reason: 'drip-content',
      message: `<p>This part of ${name} opens in 8 days.</p>`,
    });
    at('2026-03-20T18:00:00Z');
    // The 20th in Jakarta, where the 19th was over by then.
    expect(await read()).toEqual({
      reason: 'expired',
      title: 'Your access has ended',
      message: `<p>Your access to ${name} ended on 2026-03-20. <a href="https://shop.example/checkout/course">Renew it</a></p>`,
    });
    await shop().set('site_url', '');
    const { message } = await read();
    await shop().set('site_url', 'https://shop.example/');
    expect(message).toMatch(/<a href="https?:\/\/[^"]+\/checkout\/course">/);
  });

  test('is set in part; its HTML keeps what is harmless, its placeholders too', async () => {
    const content = await newContent();
    const reply = await shop().api.post(path(content), {
      redirect_active: true,
      redirect_link: 'https://shop.example/course',
      messages: {
        'not-bought': {
          title: '{{product-name}}<script>alert(1)</script>',
          message:
            '<p onclick="x()">Now <a href="{{renew-url}}">buy</a> <a href="javascript:x()">it</a> {{unknown}}</p>',
        },
      },
    });
    expect(reply).toMatchObject({
      status: 200,
      trips: 2,
      body: {
        data: {
          content_id: content.id,
          redirect_active: true,
          version: 2,
          messages: {
            'not-bought': {
              title: '{{product-name}}',
              message: '<p>Now <a href="{{renew-url}}">buy</a> <a href>it</a> {{unknown}}</p>',
            },
            expired: { title: 'Your access has ended' },
          },
        },
      },
    });
    expect((await shop().api.get(path(content))).body.data).toEqual(reply.body.data);
    expect((await check(content)).detail.block).toEqual({
      title: 'Course &amp; &quot;Co&quot; &lt;b&gt;',
      message: `<p>Now <a href="https://shop.example/checkout/course">buy</a> <a href>it</a> {{unknown}}</p>`,
      redirect: 'https://shop.example/course',
    });
    await shop().api.post(path(content), { messages: { 'not-bought': { title: 'Buy' } } });
    expect((await check(content)).detail.block).toMatchObject({
      title: 'Buy',
      message: expect.stringContaining('Now'),
    });
  });

  test('points the redirect nowhere while it is off, and only to addresses of the web', async () => {
    const content = await newContent();
    await shop().api.post(path(content), { redirect_link: '/course' });
    expect((await check(content)).detail.block).toMatchObject({ redirect: null });
    expect(
      await shop().api.post(path(content), { redirect_link: 'javascript:alert(1)' }),
    ).toMatchObject({ status: 400 });
  });

  test('says nothing to who may see the content, or must not know of it', async () => {
    const content = await newContent();
    await grant(course);
    const rendered = async () =>
      (await shop().api.get(`${path(content)}?user_id=${user}`)).body.data.rendered;
    expect(await rendered()).toEqual({ reason: 'ok', title: '', message: '' });
    await shop().api.patch(`/users/${user}`, { status: 'blocked' });
    expect(await rendered()).toEqual({ reason: 'user-blocked', title: '', message: '' });
    expect((await check(content)).detail.block).toBeNull();
  });
});

test('after all of this every derived figure is right', async () => {
  const checked = await checkIntegrity(shop().store.database);
  expect(checked.filter(({ differences }) => differences > 0)).toEqual([]);
});
