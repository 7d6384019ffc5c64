import { afterAll, expect, test } from 'vitest';
import { linksADay } from '../../../src/domain/file/downloads.ts';
import { signToken } from '../../../src/kernel/auth/session-token.ts';
import { long } from '../../harness/long.ts';
import { expectIntegrity, expectNoticed } from '../../harness/integrity.ts';
import { sha256, useFiles } from './stage.ts';

const { fixture, course, newFile, newBuyer, ownFiles, download, newLink } = useFiles();

afterAll(async () => {
  await expectIntegrity(fixture());
  const damage = 'update file_downloads set links = links || links';
  await expectNoticed(fixture(), 'files that are uploaded, and counts of their downloads', damage);
});

const codeOf = ({ text }: { text: string }) => (JSON.parse(text) as { code: string }).code;

test('A buyer downloads a file by its link, which takes two trips at first and one from then on', async () => {
  const { file, url, user_id } = await newLink('Hello', 'Kursus – 1.txt');
  expect(file).toMatchObject({ name: 'Kursus – 1.txt', size: 5, sha256: sha256('Hello') });
  const first = await download(url);
  expect(first).toMatchObject({ status: 200, text: 'Hello', trips: 2 });
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'content-type': 'text/plain',
    'content-length': '5',
    'content-disposition': `attachment; filename="Kursus _ 1.txt"; filename*=UTF-8''Kursus%20%E2%80%93%201.txt`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    etag: `"${file.sha256}"`,
  });
  expect(await download(url)).toMatchObject({ status: 200, text: 'Hello', trips: 1 });
  const { rows } = await fixture().store.database.query(
    'select cardinality(links) as links from file_downloads where user_id = $1',
    [user_id],
  );
  expect(rows).toEqual([{ links: 1 }]);
});

test('A link answers HEAD without being used, and one range of bytes', async () => {
  const { url, file, user_id } = await newLink('0123456789');
  const head = await download(url, {}, 'HEAD');
  expect(head).toMatchObject({ status: 200, text: '', trips: 1 });
  expect(head.headers.get('content-length')).toBe('10');
  const count = 'select from file_downloads where user_id = $1';
  expect((await fixture().store.database.query(count, [user_id])).rowCount).toBe(0);

  const ranges: [string, number, string, string?][] = [
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=0-0,1-1,0-9,0-9', 200, '0123456789'],
    ['bytes=4-2', 200, '0123456789'],
    ['bytes=-', 200, '0123456789'],
    ['lines=1-2', 200, '0123456789'],
    [`bytes=${'9'.repeat(400)}-`, 200, '0123456789'],
  ];
  for (const [range, status, text, said = null] of ranges) {
    const answer = await download(url, { range });
    expect(answer, range).toMatchObject({ status, text });
    expect(answer.headers.get('content-range')).toBe(said);
  }
  for (const range of ['bytes=10-', 'bytes=-0', 'bytes=99-100']) {
    const answer = await download(url, { range });
    expect([answer.status, codeOf(answer)], range).toEqual([416, 'download_range']);
  }
  const part = await download(url, { range: 'bytes=1-1' });
  expect(part.headers.get('content-security-policy')).toContain('sandbox');
  const resumed = { range: 'bytes=5-', 'if-range': `"${file.sha256}"` };
  expect(await download(url, resumed)).toMatchObject({ status: 206, text: '56789' });
  const changed = { range: 'bytes=5-', 'if-range': '"another"' };
  expect(await download(url, changed)).toMatchObject({ status: 200, text: '0123456789' });
});

test('A download ends with access: by a refund, a revoked grant, a blocked user, a deleted file', async () => {
  const ends = [
    async (order: number) => fixture().api.patch(`/orders/${order}`, { status: 'refunded' }),
    async (order: number) => {
      const [{ id }] = (await fixture().api.get(`/access?order_id=${order}`)).body.data;
      return fixture().api.delete(`/access/${id}`);
    },
    async (_: number, user: number) => fixture().api.patch(`/users/${user}`, { status: 'blocked' }),
  ];
  for (const end of ends) {
    const { url, order, user_id } = await newLink();
    await download(url);
    expect((await end(order, user_id)).status).toBe(200);
    for (const method of ['GET', 'HEAD']) {
      expect((await download(url, { range: 'bytes=1-' }, method)).status).toBe(403);
    }
  }
  const { url, file } = await newLink();
  await fixture().api.delete(`/files/${file.id}`);
  expect((await download(url)).status).toBe(404);
});

test('A link begins within 15 minutes, and is resumed for 24 hours', async () => {
  const [begun, late] = [await newLink(), await newLink()];
  await download(begun.url);
  const { clock } = fixture().store;
  clock.set('2026-03-10T09:16:00Z');
  expect(codeOf(await download(late.url))).toBe('download_expired');
  clock.set('2026-03-11T08:59:00Z');
  expect((await download(begun.url, { range: 'bytes=1-' })).status).toBe(206);
  clock.set('2026-03-11T09:01:00Z');
  expect(await download(begun.url)).toMatchObject({ status: 410, trips: NaN });
  clock.set('2026-03-10T09:00:00Z');
});

test('Links that were changed, made for another purpose or signed for another store open nothing', async () => {
  const { url, user_id, file } = await newLink();
  const token = url.split('/').at(-1) ?? '';
  const { authority } = await fixture().store.services();
  const iat = Math.floor(fixture().store.clock.now().getTime() / 1000);
  const { issuer: iss, audience: aud } = authority;
  const claims = { iss, aud, iat, nbf: iat, exp: iat + 60 };
  const own = { ...claims, sub: user_id, file: file.id, jti: crypto.randomUUID() };
  const signed = (type: string, of: typeof claims) => signToken(type, of, authority.sessionKeys);
  const foreign = [
    token.slice(0, -4),
    `${token}a`,
    await fixture().store.token(user_id),
    await signed('svc-session+jwt', own),
    await signed('svc-file+jwt', { ...own, aud: 'https://other.example' }),
    await signed('svc-file+jwt', claims),
    'x',
    '..%2F..%2Ffiles',
  ];
  for (const each of foreign) {
    expect(await download(`https://shop.example/download/${each}`)).toMatchObject({ status: 410 });
  }
  const session = fixture().store.client({ authorization: `Bearer ${token}` });
  expect((await session.get('/me')).status).toBe(401);
});

long('A person uses no more than 50 links of a file a day, however many come at once', async () => {
  const { file, user_id } = await newLink();
  const links = await Promise.all(
    Array.from({ length: linksADay + 10 }, async () => {
      const own = await ownFiles(user_id);
      return own.find(({ id }) => id === file.id)?.download_url ?? '';
    }),
  );
  const answers = await Promise.all(links.map((url) => download(url)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(linksADay);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  const begun = links[answers.findIndex(({ status }) => status === 200)] ?? '';
  expect((await download(begun)).status).toBe(200);
});

test('A file of a variant opens for orders with that option, and for grants that no order gave', async () => {
  const { id } = await newFile({ option_id: 'workbook' });
  const sees = async (user: number) => (await ownFiles(user)).some((file) => file.id === id);
  const variants = (option_id: string) => ({ variants: [option_id] });
  expect(await sees((await newBuyer(variants('workbook'))).user_id)).toBe(true);
  expect(await sees((await newBuyer(variants('basic'))).user_id)).toBe(false);
  expect(await sees((await newBuyer()).user_id)).toBe(false);
  const guest = await fixture().newUser();
  await fixture().api.post('/access', { user_id: guest.id, product_id: course().id });
  expect(await sees(guest.id)).toBe(true);
});

test('A file of protected content opens when the content does, and never without it', async () => {
  const content = { title: 'Lesson', product_ids: [course().id], drip_day: 2 };
  const content_id = (await fixture().api.post('/access/content', content)).body.data.id as number;
  const { id } = await newFile({ content_id });
  const { user_id } = await newBuyer();
  const sees = async () => (await ownFiles(user_id)).some((file) => file.id === id);
  expect(await sees()).toBe(false);
  fixture().store.clock.set('2026-03-12T09:00:00Z');
  expect(await sees()).toBe(true);
  await fixture().api.delete(`/access/content/${content_id}`);
  expect(await sees()).toBe(false);
  fixture().store.clock.set('2026-03-10T09:00:00Z');
});

test('People who never had access to a product see none of its files, and people who lost it get an empty list', async () => {
  await newFile();
  const { id } = await fixture().newUser();
  const stranger = await fixture().store.session(id);
  expect((await stranger.get(`/me/access/${course().id}/files`)).status).toBe(404);
  const { user_id, order } = await newBuyer();
  await fixture().api.patch(`/orders/${order}`, { status: 'refunded' });
  expect(await ownFiles(user_id)).toEqual([]);
});

test('A name can neither end the header nor reverse its text', async () => {
  const name = `a"; filename="evil.exe\u202Egpj.%41\\..\\b'*.txt`;
  const { url, file } = await newLink('x', name);
  expect(file.name).toBe(`b'*.txt`);
  const renamed = { name: `x\r\nSet-Cookie: a=b"; filename*=UTF-8''evil.exe` };
  expect((await fixture().api.patch(`/files/${file.id}`, renamed)).status).toBe(200);
  const { headers } = await download(url);
  expect(headers.get('set-cookie')).toBeNull();
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename="xSet-Cookie: a=b_; filename*=UTF-8''evil.exe"; filename*=UTF-8''xSet-Cookie%3A%20a%3Db%22%3B%20filename%2A%3DUTF-8%27%27evil.exe`,
  );
});

test('No log line contains a link', async () => {
  const { url } = await newLink();
  fixture().store.logs.length = 0;
  await download(url);
  await download(`${url}x`);
  expect(JSON.stringify(fixture().store.logs)).not.toContain(url.slice(-40));
});
