import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchFiles } from '../../packages/import/src/fetched-files.ts';
import { fileImporter, filesIn } from '../../packages/import/src/records/file.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';

const opened = useStoreFixture();
const content = 'Twelve recipes';
let folder: string;
let url: string;
/** The ranges that the old shop was asked for. */
const ranges: (string | undefined)[] = [];

const oldShop = createServer(({ url: path, headers: { range } }, answer) => {
  ranges.push(range);
  const from = Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0);
  if (path === '/gone.pdf') answer.writeHead(404).end();
  else if (path === '/login') answer.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
  else if (from >= content.length) answer.writeHead(416).end();
  else answer.writeHead(from > 0 ? 206 : 200).end(content.slice(from));
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
  await new Promise<void>((resolve) => oldShop.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(oldShop.address() as AddressInfo).port}`;
});

afterAll(async () => {
  oldShop.close();
  await rm(folder, { recursive: true });
});

/** Inserts the files of a product as an import does. */
async function moveIn(product: number, addresses: readonly string[]) {
  const list = addresses.map((address) => ({ name: '', url: address, option_id: null }));
  const { rows } = fileImporter()(product, '2026-03-01T00:00:00.000Z', list);
  const records = JSON.stringify(rows.map(({ values }) => ({ ...values, version: 1 })));
  await opened.fixture.store.database.query(
    'insert into files select * from json_populate_recordset(null::files, $1)',
    [records],
  );
}

async function fetchAll() {
  const { token } = await opened.fixture.store.createKey({ scopes: ['files:read', 'files:write'] });
  const send = (async (address: string, init?: RequestInit) =>
    address.startsWith('https://shop.example')
      ? opened.fixture.store.fetch(new Request(address, init))
      : fetch(address, init)) as typeof fetch;
  const api = 'https://shop.example/api/svc/v1';
  return fetchFiles({ api, key: token, folder, send }, () => {});
}

test('Files that an import left at the shop are offered once they are fetched, and a second run fetches the rest', async () => {
  const { fixture } = opened;
  const product = (await fixture.newProduct()).id;
  await moveIn(product, [`${url}/recipes.pdf`, `${url}/gone.pdf`, `${url}/login`]);
  const user = await fixture.newUser();
  await fixture.api.post('/access', { user_id: user.id, product_id: product });
  const session = await fixture.store.session(user.id);
  const own = async () => (await session.get(`/me/access/${product}/files`)).body.data;
  expect(await own()).toEqual([]);

  // An earlier run was interrupted during a download.
  await writeFile(join(folder, '1'), content.slice(0, 6));
  const { fetched, failed } = await fetchAll();
  expect(ranges).toContain('bytes=6-');
  expect(fetched).toBe(1);
  expect(failed.map(({ name, reason }) => [name, reason])).toEqual([
    ['login', 'the shop answers with a page, not with a file'],
    ['gone.pdf', 'the shop answers 404'],
  ]);
  const [file] = await own();
  expect(file).toMatchObject({ name: 'recipes.pdf', size: content.length });
  const answer = await fixture.store.fetch(new Request(file.download_url));
  expect(await answer.text()).toBe(content);
  expect(await fetchAll()).toMatchObject({ fetched: 0, failed: [{}, {}] });
});

test('The files of a product are read with their names, addresses and options', () => {
  const php = (...files: object[]) =>
    `a:${files.length}:{${files
      .map(
        (file, at) =>
          `i:${at};a:${Object.keys(file).length}:{${Object.entries(file)
            .map(([key, value]) => `s:${key.length}:"${key}";s:${value.length}:"${value}";`)
            .join('')}}`,
      )
      .join('')}}`;
  const list = filesIn(
    php(
      { name: 'Theme', file: 'https://old.example/a/theme%201.zip', condition: 'all' },
      { name: '', file: 'http://old.example/b/', condition: '2' },
      { name: 'Local', file: '/srv/files/local.zip', condition: 'all' },
    ),
    ({ condition }) => (typeof condition === 'string' && condition !== 'all' ? condition : null),
  );
  const { rows, isWhole } = fileImporter()(7, '2026-03-01T00:00:00.000Z', list);
  expect(isWhole).toBe(false);
  expect(
    rows.map(({ values: { id, name, option_id, status } }) => [id, name, option_id, status]),
  ).toEqual([
    [1, 'Theme.zip', null, 'imported'],
    [2, 'file', '2', 'imported'],
  ]);
});
