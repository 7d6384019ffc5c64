import { expect, test } from 'vitest';
import { formOf, fromConsole } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { pictures } from '../../lib/pictures.ts';

const opened = useStoreFixture();

const upload = async (id: number, file: Uint8Array) => {
  const { store } = opened.fixture;
  const client = store.client(fromConsole(await store.consoleSession(id)));
  return client.post('//console/api/v1/media', formOf({ file: new Blob([file]) }));
};

test('POST /console/api/v1/media stores a public picture, in two trips', async () => {
  const { id } = await opened.fixture.newStaff();
  const reply = await upload(id, pictures.png);
  expect(reply).toMatchObject({ status: 201, trips: 2, body: { data: { type: 'image/png' } } });
  const { url } = reply.body.data;
  const shown = await opened.fixture.store.fetch(new Request(url));
  expect(new Uint8Array(await shown.arrayBuffer())).toEqual(pictures.png);
});

test('POST /console/api/v1/media refuses other files, and callers without a role', async () => {
  const { id } = await opened.fixture.newStaff();
  expect(await upload(id, new TextEncoder().encode('<svg/>'))).toMatchObject({ status: 415 });
  const member = await opened.fixture.newUser();
  expect(await upload(member.id, pictures.png)).toMatchObject({ status: 403 });
});
