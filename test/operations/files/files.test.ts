import { expect, test } from 'vitest';
import { runJobs } from '../../../src/jobs/index.ts';
import { largestFormFile, partSize } from '../../../src/domain/file/schemas.ts';
import type { ProductFile } from '../../../src/domain/file/schemas.ts';
import { formOf } from '../../harness/client.ts';
import { sha256, useFiles } from './stage.ts';
import { long } from '../../harness/long.ts';

const { fixture, course, upload, newFile, newBuyer, ownFiles, download } = useFiles();

/** Sends a part as a client does: bytes with their length. */
const sendPart = async (
  id: number,
  part: number,
  bytes: Uint8Array<ArrayBuffer>,
  length = bytes.length,
) => {
  const { token } = await fixture().store.createKey({ scopes: ['files:write'] });
  const response = await fixture().store.fetch(
    new Request(`https://shop.example/api/svc/v1/files/${id}/parts/${part}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-length': String(length) },
      body: bytes,
    }),
  );
  return {
    status: response.status,
    body: (await response.json()) as { data: ProductFile; code: string },
  };
};

const announced = async (fields: object) =>
  fixture().api.post('/files', { product_id: course().id, ...fields });

long('A large file is sent in parts of any order, and read once for its hash', async () => {
  const size = partSize + 3;
  const begun = await announced({ name: 'course.mp4', size });
  expect(begun).toMatchObject({ status: 201, trips: 2 });
  const { id, status, upload: state } = begun.body.data as ProductFile;
  expect({ status, state }).toEqual({
    status: 'uploading',
    state: { part_size: partSize, parts: 2, uploaded: [] },
  });
  const last = new TextEncoder().encode('end');
  const first = new Uint8Array(partSize).fill(7);
  expect((await sendPart(id, 2, last)).body.data.upload?.uploaded).toEqual([2]);
  expect((await fixture().api.post(`/files/${id}/complete`)).body.code).toBe('file_incomplete');
  // Both of two simultaneous parts are kept.
  const both = await Promise.all([sendPart(id, 1, first), sendPart(id, 2, last)]);
  expect(both.map((reply) => reply.status)).toEqual([200, 200]);
  expect((await fixture().api.get(`/files/${id}`)).body.data.upload.uploaded).toEqual([1, 2]);
  const done = await fixture().api.post(`/files/${id}/complete`);
  expect(done).toMatchObject({ status: 200, trips: 2 });
  const whole = Buffer.concat([first, last]);
  expect(done.body.data).toMatchObject({
    status: 'ready',
    size,
    sha256: sha256(whole),
    upload: null,
  });
  expect(await fixture().api.post(`/files/${id}/complete`)).toMatchObject({
    status: 200,
    trips: 1,
  });

  const { user_id } = await newBuyer();
  const own = (await ownFiles(user_id)).find((file) => file.id === id);
  const answer = await download(own?.download_url ?? '', { range: 'bytes=-4' });
  expect(answer).toMatchObject({ status: 206, text: '\u0007end' });
});

test('A part with a wrong length, number or file is refused, and a file is offered only once all its parts have arrived', async () => {
  const { id } = (await announced({ name: 'a.zip', size: 10 })).body.data as ProductFile;
  const ten = new Uint8Array(10);
  expect((await sendPart(id, 1, new Uint8Array(9))).body.code).toBe('rest_invalid_param');
  expect((await sendPart(id, 2, ten)).body.code).toBe('rest_invalid_param');
  expect((await sendPart(id, 101, ten)).status).toBe(400);
  expect((await sendPart(id, 1, ten, partSize + 1)).status).toBe(413);
  expect((await sendPart(id + 99, 1, ten)).status).toBe(404);
  const ready = await newFile();
  expect((await sendPart(ready.id, 1, ten)).body.code).toBe('file_not_uploading');
  const { user_id } = await newBuyer();
  expect((await ownFiles(user_id)).some((file) => file.id === id)).toBe(false);
});

long(
  'A file is refused if it is empty, too large for a form, or for an option or content that the product lacks',
  async () => {
    expect((await upload({}, '')).body.code).toBe('rest_invalid_param');
    const large = formOf({ product_id: course().id });
    large.append('file', new File([new Uint8Array(largestFormFile + 1)], 'a.bin'));
    expect((await fixture().api.post('/files', large)).status).toBe(413);
    expect((await upload({ product_id: 999 })).status).toBe(404);
    expect((await upload({ option_id: 'hardcover' })).status).toBe(404);
    expect((await upload({ content_id: 999 })).status).toBe(404);
    const other = await fixture().newProduct();
    const content = { title: 'Another lesson', product_ids: [other.id] };
    const { id } = (await fixture().api.post('/access/content', content)).body.data;
    expect((await upload({ content_id: id })).status).toBe(404);
    expect((await announced({ name: 'a.zip' })).status).toBe(400);
    expect((await announced({ name: 'a.zip', size: 1e10 })).status).toBe(400);
    expect((await announced({ name: 'a.zip', size: 5, optoin_id: 'basic' })).status).toBe(400);
  },
);

test('A seller lists, renames, moves and deletes files, and the next cron removes the object', async () => {
  const file = await newFile({ release: '2.4.1', position: 3 });
  expect(file).toMatchObject({
    release: '2.4.1',
    position: 3,
    type: 'text/plain',
    status: 'ready',
  });
  const listed = await fixture().api.get(`/files?product_id=${course().id}&status=ready`);
  expect(listed).toMatchObject({ status: 200, trips: 1 });
  expect(listed.body.data[0]).toEqual(file);
  const renamed = await fixture().api.patch(`/files/${file.id}`, {
    name: 'b.txt',
    option_id: 'basic',
  });
  expect(renamed.body.data).toMatchObject({ name: 'b.txt', option_id: 'basic', version: 2 });
  expect((await fixture().api.patch(`/files/${file.id}`, { size: 8 })).status).toBe(400);
  const { store } = fixture();
  const { rows } = await store.database.query<{ key: string }>(
    'select key from files where id = $1',
    [file.id],
  );
  const key = rows[0]?.key ?? '';
  expect(await store.bucket?.get(key)).not.toBeNull();
  expect((await fixture().api.delete(`/files/${file.id}`)).status).toBe(200);
  expect((await fixture().api.get(`/files/${file.id}`)).status).toBe(404);
  await runJobs(await store.services(), () => {});
  expect(await store.bucket?.get(key)).toBeNull();
  expect((await store.database.query('select from files where id = $1', [file.id])).rowCount).toBe(
    0,
  );
});

test('The same form under one Idempotency-Key is one file', async () => {
  const headers = { 'idempotency-key': 'one-file' };
  const send = async () => {
    const form = formOf({ product_id: course().id, file: new File(['once'], 'once.txt') });
    return fixture().api.post('/files', form, { headers });
  };
  const [one, two] = [await send(), await send()];
  expect(one.body.data.id).toBe(two.body.data.id);
  expect(two.headers.get('idempotency-replayed')).toBe('true');
});
