import { describe, expect, test } from 'vitest';
import type { Content } from '../../../src/domain/access/content-schemas.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useContents } from './stage.ts';

const { fixture, at, course, bonus, user, newContent, check, grant } = useContents();

describe('a content', () => {
  test('is published and open to buyers of one of its products, unless it says otherwise', async () => {
    const content = await newContent({ product_ids: [course(), bonus(), course()] });
    expect(content).toMatchObject({
      title: 'Lesson',
      url: '',
      product_ids: [course(), bonus()],
      match: 'any',
      drip_day: 0,
      release_at: null,
      status: 'publish',
      version: 1,
    });
    expect((await fixture().api.get(`/access/content/${content.id}`)).body.data).toEqual(content);
  });

  test.each(['put', 'patch', 'post'] as const)('is updated in part by %s', async (method) => {
    const content = await newContent({ url: '/lessons/1' });
    const path = `/access/content/${content.id}`;
    const reply = await fixture().api[method](path, { drip_day: 3, nonsense: 1 });
    expect(reply).toMatchObject({
      status: 200,
      trips: 2,
      body: {
        data: { ...content, drip_day: 3, version: 2 },
        meta: { ignored_fields: ['nonsense'] },
      },
    });
    const stale = { headers: { 'if-match': '1' } };
    expect(await fixture().api[method](path, { drip_day: 4 }, stale)).toMatchObject({
      status: 409,
    });
  });

  test('takes products that exist, and keeps those that were deleted since', async () => {
    const unknown = { title: 'X', product_ids: [course(), 999_999] };
    expect(await fixture().api.post('/access/content', unknown)).toMatchObject({ status: 404 });
    const old = (await fixture().newProduct()).id;
    const content = await newContent({ product_ids: [old] });
    await fixture().api.delete(`/products/${old}`);
    const path = `/access/content/${content.id}`;
    expect(await fixture().api.patch(path, { product_ids: [old, course()] })).toMatchObject({
      status: 200,
      body: { data: { product_ids: [old, course()] } },
    });
    expect(await fixture().api.patch(path, { product_ids: [999_999] })).toMatchObject({
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
  ])('has a link to the web or to the shop, not to %s', async (url) => {
    const body = { title: 'X', product_ids: [course()], url };
    expect(await fixture().api.post('/access/content', body)).toMatchObject({
      status: 400,
      body: { data: { params: { url: expect.any(String) } } },
    });
  });

  test('is listed by status and product, newest first, and gone once deleted', async () => {
    const product = (await fixture().newProduct()).id;
    const [first, second] = [
      await newContent({ product_ids: [product] }),
      await newContent({ product_ids: [course(), product], status: 'draft' }),
    ];
    const list = async (query: string) => {
      const reply = await fixture().api.get(`/access/content?product_id=${product}${query}`);
      expect(reply).toMatchObject({ status: 200, trips: 1 });
      return (reply.body.data as Content[]).map(({ id }) => id);
    };
    expect(await list('')).toEqual([second.id, first.id]);
    expect(await list('&status=draft')).toEqual([second.id]);
    expect(await fixture().api.delete(`/access/content/${second.id}`)).toMatchObject({
      status: 200,
    });
    expect(await list('')).toEqual([first.id]);
    expect(await fixture().api.get(`/access/content/${second.id}`)).toMatchObject({ status: 404 });
  });
});

describe('the block message of a content', () => {
  const path = ({ id }: Content) => `/access/content/${id}/block-message`;

  test('has a default text, with its placeholders filled in', async () => {
    const content = await newContent({ drip_day: 10 });
    const read = async () => {
      const reply = await fixture().api.get(`${path(content)}?user_id=${user()}`);
      expect(reply).toMatchObject({ status: 200, trips: 1 });
      return reply.body.data.rendered;
    };
    const name = 'Course &amp; &quot;Co&quot; &lt;b&gt;';
    expect(await read()).toEqual({
      reason: 'not-bought',
      title: `This is part of ${name}`,
      message: `<p>Get ${name} to see it.</p>`,
    });
    await grant(course(), { end_active: '2026-03-19T18:00:00Z' });
    at('2026-03-13T08:00:00Z');
    expect(await read()).toMatchObject({
      reason: 'drip-content',
      message: `<p>This part of ${name} opens in 8 days.</p>`,
    });
    at('2026-03-20T18:00:00Z');
    // It is the 20th in Jakarta.
    expect(await read()).toEqual({
      reason: 'expired',
      title: 'Your access has ended',
      message: `<p>Your access to ${name} ended on 2026-03-20. <a href="https://shop.example/checkout/course">Renew it</a></p>`,
    });
    await fixture().set('site_url', '');
    const { message } = await read();
    await fixture().set('site_url', 'https://shop.example/');
    // A store without a site has no page to renew on.
    expect(message).toContain('<a href="">Renew it</a>');
  });

  test('is updated in part; its HTML keeps harmless tags and placeholders', async () => {
    const content = await newContent();
    const reply = await fixture().api.post(path(content), {
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
    expect((await fixture().api.get(path(content))).body.data).toEqual(reply.body.data);
    expect((await check(content)).detail.block).toEqual({
      title: 'Course &amp; &quot;Co&quot; &lt;b&gt;',
      message: `<p>Now <a href="https://shop.example/checkout/course">buy</a> <a href>it</a> {{unknown}}</p>`,
      redirect: 'https://shop.example/course',
    });
    await fixture().api.post(path(content), { messages: { 'not-bought': { title: 'Buy' } } });
    expect((await check(content)).detail.block).toMatchObject({
      title: 'Buy',
      message: expect.stringContaining('Now'),
    });
  });

  test('has no redirect while it is off, and redirects only to addresses of the web', async () => {
    const content = await newContent();
    await fixture().api.post(path(content), { redirect_link: '/course' });
    expect((await check(content)).detail.block).toMatchObject({ redirect: null });
    expect(
      await fixture().api.post(path(content), { redirect_link: 'javascript:alert(1)' }),
    ).toMatchObject({ status: 400 });
  });

  test('is empty for users who may see the content, and for users who must not know of it', async () => {
    const content = await newContent();
    await grant(course());
    const rendered = async () =>
      (await fixture().api.get(`${path(content)}?user_id=${user()}`)).body.data.rendered;
    expect(await rendered()).toEqual({ reason: 'ok', title: '', message: '' });
    await fixture().api.patch(`/users/${user()}`, { status: 'blocked' });
    expect(await rendered()).toEqual({ reason: 'user-blocked', title: '', message: '' });
    expect((await check(content)).detail.block).toBeNull();
  });
});

test('after these tests every derived figure is right', () => expectIntegrity(fixture()));
