import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { useScene } from './scene.ts';

// Common mistakes of callers, and helpful answers to them.
const stage = useScene();

/** Sends a body byte for byte. */
async function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  const { scene } = stage;
  const response = await scene.send(
    new Request(`https://shop.example/api/svc/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${(await scene.store.createKey()).token}`,
        'content-type': 'application/json',
        ...headers,
      },
      body,
    }),
  );
  const { code, message, data } = (await response.json()) as Record<string, unknown>;
  return { status: response.status, code, message, data };
}

const person = (name: string) =>
  JSON.stringify({ email: `${name}@mail.example`, first_name: name });

describe('a body that is not UTF-8 is refused, not stored with replaced characters', () => {
  const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

  test('if it names no charset', async () => {
    expect(await post('/users', latin1(person('René')))).toMatchObject({
      status: 400,
      code: 'rest_invalid_param',
      message: 'The body is not UTF-8.',
    });
  });

  test.each(['iso-8859-1', '"windows-1252"', 'utf-16le'])(
    'if it names the charset %s',
    async (charset) => {
      const type = { 'content-type': `application/json; charset=${charset}` };
      expect(await post('/users', latin1(person('Rene')), type)).toMatchObject({
        status: 415,
        code: 'rest_unsupported_media_type',
        message: 'Send the body as UTF-8.',
      });
    },
  );

  test.each(['utf-8', 'UTF-8', '"utf8"', 'us-ascii'])(
    'but accepted if it names %s',
    async (charset) => {
      const type = { 'content-type': `application/json; charset=${charset}` };
      const mail = stage.scene.newEmail();
      expect(await post('/users', JSON.stringify({ email: mail }), type)).toMatchObject({
        status: 201,
      });
    },
  );

  test('and a byte order mark before it does no harm', async () => {
    const body = `\uFEFF${JSON.stringify({ email: stage.scene.newEmail() })}`;
    expect(await post('/users', body)).toMatchObject({ status: 201 });
  });
});

test('a compressed body is refused, and the error names the compression', async () => {
  const body = new Uint8Array(gzipSync(person('packed')));
  expect(await post('/users', body, { 'content-encoding': 'gzip' })).toMatchObject({
    status: 415,
    code: 'rest_unsupported_media_type',
    message: 'Send the body without a Content-Encoding.',
  });
  const plain = JSON.stringify({ email: stage.scene.newEmail() });
  expect((await post('/users', plain, { 'content-encoding': 'identity' })).status).toBe(201);
});

test('an error in JSON is reported by line and column', async () => {
  expect(await post('/users', '{\n  "email": "a@mail.example",\n}')).toMatchObject({
    status: 400,
    message: 'The body is not a valid JSON object: line 3, column 1 is wrong.',
  });
  expect((await post('/users', '[1]')).message).toBe('The body is not a valid JSON object.');
});

test('a parameter that is given twice is reported as such', async () => {
  const reply = await stage.scene.api.get('/orders?per_page=5&per_page=6');
  expect(reply.body).toMatchObject({
    code: 'rest_invalid_param',
    data: { params: { per_page: 'is given more than once' } },
  });
  expect((await stage.scene.api.get('/orders?output=count&output=sum')).body).toMatchObject({
    data: { params: { output: 'is given more than once' } },
  });
});

test.each([
  ['/orders?page=-1', { page: 'must be a whole number from 1 to 1000000' }],
  ['/orders?per_page=0', { per_page: 'must be a whole number from 1 to 100' }],
  ['/orders?per_page=x', { per_page: 'must be a whole number from 1 to 100' }],
  ['/users/1/downlines?per_page=0', { per_page: 'must be a whole number from 1 to 1000' }],
  ['/commissions?limit=0', { limit: 'must be a whole number from 1 to 100' }],
  ['/webhooks/1/figures?days=91', { days: 'must be a whole number from 1 to 90' }],
  ['/orders?user_id=0', { user_id: 'must be a whole number, 1 or more' }],
  [
    '//api/svc-notify/v1/feed?webhook_id=1&since_id=-1',
    { since_id: 'must be a whole number, 0 or more' },
  ],
])('the error of %s states the limits of a whole number', async (path, params) => {
  expect((await stage.scene.api.get(path)).body.data.params).toEqual(params);
});

test('the answer stays short, however many mistakes a request has', async () => {
  const options = Array.from({ length: 90 }, () => ({ label: '', extra_price: -1, stock: 'x' }));
  const variants = [{ label: 'Size', options }];
  const reply = await stage.scene.api.post('/products', { title: 'T', price: 1, variants });
  expect(reply.status).toBe(400);
  expect(Object.keys(reply.body.data.params)).toHaveLength(50);
  expect(reply.body.message).toMatch(/^Missing parameter\(s\): variants\..* and others\.$/);
  expect(JSON.stringify(reply.body).length).toBeLessThan(6000);
});

describe('an unknown address says where to look', () => {
  test.each(['/', '/api', '/api/svc/v1', '/orders'])('%s', async (path) => {
    const reply = await stage.scene.client().get(`/${path}`);
    if (path === '/') expect(reply.body.links.documentation).toMatch(/\/docs$/);
    else expect(reply.body.message).toContain('/docs');
  });
});
