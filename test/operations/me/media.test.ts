import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runJobs } from '../../../src/jobs/index.ts';
import type { Order } from '../../../src/domain/order/schemas.ts';
import { long } from '../../harness/long.ts';
import { type ApiClient, formOf } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { joined, pictures, pngChunk, pngWith } from '../../lib/pictures.ts';

const opened = useStoreFixture();
const limit = 5 * 1_048_576;

/** Sessions of a buyer, another member, an affiliate, a shop manager and an administrator. */
let buyer: ApiClient, other: ApiClient, affiliate: ApiClient, manager: ApiClient, admin: ApiClient;
let buyersId = 0;
let affiliatesId = 0;
let order: Order;

beforeAll(async () => {
  const { fixture } = opened;
  const sessionOf = async (fields: object) => {
    const { id } = await fixture.newUser(fields);
    return { id, session: await fixture.store.session(id) };
  };
  ({ id: buyersId, session: buyer } = await sessionOf({}));
  ({ session: other } = await sessionOf({}));
  ({ id: affiliatesId, session: affiliate } = await sessionOf({ roles: ['affiliate'] }));
  manager = await fixture.store.session((await fixture.newStaff()).id);
  ({ session: admin } = await fixture.newAdministrator());
  await fixture.newProduct();
});

beforeEach(async () => {
  order = await opened.fixture.newOrder({ product_id: 1, user_id: buyersId });
});

const upload = (
  client: ApiClient,
  fields: object,
  file: Uint8Array = pictures.png,
  headers: Record<string, string> = {},
) =>
  client.post('/me/media/upload-image', formOf({ file: new Blob([file]), ...fields }), { headers });

const uploadProof = (client: ApiClient = buyer, file?: Uint8Array) =>
  upload(client, { purpose: 'proof', order_id: order.id }, file);

async function fetched(url: string, headers: Record<string, string> = {}) {
  const response = await opened.fixture.store.fetch(new Request(url, { headers }));
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
}

/** The path of an address, for a client. */
const pathOf = (url: string) => new URL(url).pathname.replace('/api/svc/v1', '');

describe('A picture of an affiliate', () => {
  test.each([
    ['png', 'image/png', 'png'],
    ['jpeg', 'image/jpeg', 'jpg'],
    ['gif', 'image/gif', 'gif'],
    ['transparentWebp', 'image/webp', 'webp'],
  ] as const)('of kind %s is kept and served to everybody as %s', async (kind, type, extension) => {
    const reply = await upload(affiliate, { purpose: 'creative' }, pictures[kind]);
    expect(reply).toMatchObject({ status: 201, trips: 2 });
    const { key, url, ...rest } = reply.body.data;
    expect(key).toMatch(new RegExp(`^[0-9A-Za-z]{32}\\.${extension}$`));
    expect(url).toBe(`https://shop.example/media/${key}`);
    expect(rest).toEqual({ width: 1, height: 1, type, size: pictures[kind].length });
    const { response, bytes } = await fetched(url);
    expect(bytes).toEqual(pictures[kind]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
  });

  test('has the type of its content, whatever name and type it is sent with', async () => {
    const form = formOf({ purpose: 'avatar' });
    form.append('file', new File([pictures.gif], 'run.html', { type: 'text/html' }));
    const { body } = await affiliate.post('/me/media/upload-image', form);
    expect(body.data).toMatchObject({ type: 'image/gif', key: expect.stringMatching(/\.gif$/) });
  });

  test('gets a key of its own each time', async () => {
    const replies = [1, 2].map(() => upload(affiliate, { purpose: 'avatar' }));
    const [one, two] = await Promise.all(replies);
    expect(one?.body.data.key).not.toBe(two?.body.data.key);
  });

  test('is gone with a user who is deleted, unless it is a creative', async () => {
    const { fixture } = opened;
    const { id } = await fixture.newAffiliate();
    const leaving = await fixture.store.session(id);
    const avatar = (await upload(leaving, { purpose: 'avatar' })).body.data;
    const creative = (await upload(leaving, { purpose: 'creative' })).body.data;
    await fixture.api.delete(`/users/${id}`);
    expect((await fetched(avatar.url)).response.status).toBe(404);
    expect((await fetched(creative.url)).response.status).toBe(200);
  });
});

test('each role may upload its own kinds of pictures', async () => {
  const people = { buyer, other, affiliate, manager, admin };
  const allowed: Record<string, Record<string, number>> = {
    creative: { buyer: 403, other: 403, affiliate: 201, manager: 201, admin: 201 },
    avatar: { buyer: 403, other: 403, affiliate: 201, manager: 201, admin: 201 },
    proof: { buyer: 201, other: 404, affiliate: 404, manager: 404, admin: 201 },
  };
  for (const [purpose, expected] of Object.entries(allowed)) {
    const replies = Object.entries(people).map(async ([name, client]) => {
      const { status } = await upload(client, { purpose, order_id: order.id });
      return [name, status];
    });
    expect(Object.fromEntries(await Promise.all(replies)), purpose).toEqual(expected);
  }
});

describe('A payment proof', () => {
  test('is shown to its uploader, the buyer and administrators, and is a 404 to others', async () => {
    for (const sender of [buyer, admin]) {
      const { body } = await uploadProof(sender);
      const { url } = body.data;
      for (const [client, status] of [
        [buyer, 200],
        [admin, 200],
        [other, 404],
        [affiliate, 404],
        [manager, 404],
      ] as const) {
        expect(await client.get(pathOf(url))).toMatchObject({ status, trips: 1 });
      }
      const { headers } = await buyer.get(pathOf(url));
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(headers.get('content-type')).toBe('image/png');
    }
  });

  test('is never shown without a session, nor among the public pictures', async () => {
    const { key, url } = (await uploadProof()).body.data;
    expect((await fetched(url)).response.status).toBe(401);
    expect((await fetched(`https://shop.example/media/${key}`)).response.status).toBe(404);
    const avatar = (await upload(affiliate, { purpose: 'avatar' })).body.data;
    expect((await affiliate.get(`/me/media/${avatar.key}`)).status).toBe(404);
  });

  test('can be used by a confirmation', async () => {
    const { url } = (await uploadProof()).body.data;
    const confirmed = await opened.fixture.api.post(`/orders/${order.id}/confirmations`, {
      proof: url,
    });
    expect(confirmed.body.data.detail.proof).toBe(url);
  });

  test('requires an order that waits for a payment', async () => {
    const missing = await upload(buyer, { purpose: 'proof' });
    expect(missing.body).toMatchObject({
      code: 'rest_missing_callback_param',
      data: { params: { order_id: 'is required for a proof' } },
    });
    await opened.fixture.api.patch(`/orders/${order.id}`, { status: 'completed' });
    expect((await uploadProof()).body.code).toBe('order_not_payable');
  });

  test('is seen by nobody once its order is erased', async () => {
    const { url } = (await uploadProof()).body.data;
    await opened.fixture.api.patch(`/orders/${order.id}`, { status: 'cancelled' });
    await opened.fixture.api.delete(`/orders/${order.id}?force=true`);
    expect((await buyer.get(pathOf(url))).status).toBe(404);
  });
});

describe('A file is refused', () => {
  test.each([
    ['no picture', joined('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415],
    ['a document', joined('%PDF-1.7'), 415],
    ['empty', new Uint8Array(), 415],
    ['cut short', pictures.png.subarray(0, 50), 400],
    ['with more behind the picture', joined(pictures.gif, '<script>alert(1)</script>'), 400],
    ['with a page inside', pngWith(pngChunk('tEXt', '<html>')), 400],
  ])('that is %s', async (_, file, status) => {
    const reply = await upload(affiliate, { purpose: 'creative' }, file);
    expect(reply).toMatchObject({
      status,
      body: { data: { params: { file: expect.any(String) } } },
    });
  });

  long('above 5 MiB, and not at 5 MiB', async () => {
    const padding = limit - pictures.png.length - 12;
    const largest = pngWith(pngChunk('teXt', 'x'.repeat(padding)));
    expect(largest).toHaveLength(limit);
    expect((await upload(affiliate, { purpose: 'creative' }, largest)).status).toBe(201);
    for (const size of [limit + 1, 2 * limit]) {
      const reply = await upload(affiliate, { purpose: 'creative' }, new Uint8Array(size));
      expect(reply).toMatchObject({ status: 413, body: { code: 'rest_payload_too_large' } });
    }
  });

  test('only after the caller was authorised', async () => {
    const reply = await upload(buyer, { purpose: 'creative' }, joined('nonsense'));
    expect(reply).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
  });
});

test('unknown fields are named, and a repeated field is refused', async () => {
  const reply = await upload(affiliate, { purpose: 'avatar', user_id: buyersId });
  expect(reply.body.meta.ignored_fields).toEqual(['user_id']);
  const form = formOf({ file: new Blob([pictures.png]), purpose: 'avatar' });
  form.append('purpose', 'proof');
  expect((await affiliate.post('/me/media/upload-image', form)).body).toMatchObject({
    code: 'rest_invalid_param',
    data: { params: { purpose: expect.any(String) } },
  });
});

test('a repeat under an Idempotency-Key is recognised, although no two forms have the same bytes', async () => {
  const headers = { 'idempotency-key': 'one-picture' };
  const fields = { purpose: 'creative' };
  const first = await upload(affiliate, fields, pictures.png, headers);
  const again = await upload(affiliate, fields, pictures.png, headers);
  expect(again).toMatchObject({ status: 201, body: first.body, trips: 1 });
  const another = await upload(affiliate, fields, pictures.gif, headers);
  expect(another).toMatchObject({ status: 422, body: { code: 'rest_idempotency_mismatch' } });
});

test('the cron removes the files of deleted records, and no others', async () => {
  const { fixture } = opened;
  const { store } = fixture;
  const { id } = await fixture.newAffiliate();
  const leaving = await store.session(id);
  const [avatar, creative, proofs] = [
    (await upload(leaving, { purpose: 'avatar' })).body.data,
    (await upload(leaving, { purpose: 'creative' })).body.data,
    (await uploadProof()).body.data,
  ];
  const kept = async () => {
    await runJobs(await store.services(), () => {});
    const files = [avatar, creative, proofs].map(async ({ key }) => store.bucket?.get(key));
    return (await Promise.all(files)).map((file) => file !== null);
  };
  expect(await kept()).toEqual([true, true, true]);
  await fixture.api.delete(`/users/${id}`);
  await fixture.api.patch(`/orders/${order.id}`, { status: 'cancelled' });
  await fixture.api.delete(`/orders/${order.id}?force=true`);
  expect(await kept()).toEqual([false, true, false]);
  const { rows } = await store.database.query('select key from media where key = any($1)', [
    [avatar.key, creative.key, proofs.key],
  ]);
  expect(rows).toEqual([{ key: creative.key }]);
});

describe('Nothing half-written is seen', () => {
  const rows = async () =>
    (await opened.fixture.store.database.query('select key from media order by key')).rows;

  test('when the files cannot be reached: 503, no row, and a repeat succeeds', async () => {
    const { bucket } = opened.fixture.store;
    if (!bucket) throw new Error('The store keeps files.');
    const before = await rows();
    const { put } = bucket;
    bucket.put = () => Promise.reject(new Error('R2 is out of order'));
    const headers = { 'idempotency-key': 'when-files-are-back' };
    const failed = await upload(affiliate, { purpose: 'avatar' }, pictures.png, headers);
    expect(failed).toMatchObject({ status: 503, body: { code: 'rest_unavailable' } });
    expect(failed.headers.get('retry-after')).toBe('1');
    expect(await rows()).toEqual(before);
    bucket.put = put;
    expect((await upload(affiliate, { purpose: 'avatar' }, pictures.png, headers)).status).toBe(
      201,
    );
  });

  test('when the row can not be written: 503, and the file is served to nobody', async () => {
    const { neon, bucket } = opened.fixture.store;
    if (!bucket) throw new Error('The store keeps files.');
    const before = await rows();
    const { put } = bucket;
    let key = '';
    bucket.put = (...file) => {
      [key] = file;
      return put(...file);
    };
    const write = neon.trips.total + 2;
    neon.faults.next({ cut: 'before commit', match: ({ number }) => number === write });
    expect((await upload(affiliate, { purpose: 'avatar' })).status).toBe(503);
    bucket.put = put;
    neon.faults.clear();
    expect(await rows()).toEqual(before);
    expect(await bucket.get(key)).not.toBeNull();
    expect((await fetched(`https://shop.example/media/${key}`)).response.status).toBe(404);
  });
});

test('a picture whose file is lost is not found', async () => {
  const { key } = (await upload(affiliate, { purpose: 'avatar' })).body.data;
  const { database } = opened.fixture.store;
  await database.query('update media set key = $1 where key = $2', ['lost.png', key]);
  expect((await fetched('https://shop.example/media/lost.png')).response.status).toBe(404);
});

test("a picture that an administrator uploads as another user is that user's, and in the audit log", async () => {
  const { id } = await opened.fixture.newAdministrator();
  const { store } = opened.fixture;
  const switched = await store.session(affiliatesId, store.switchedBy(id));
  expect((await upload(switched, { purpose: 'avatar' })).status).toBe(201);
  const { rows } = await store.database.query(
    'select operation from audit_log where actor_id = $1',
    [id],
  );
  expect(rows).toEqual([{ operation: 'me.media.uploadImage' }]);
});
