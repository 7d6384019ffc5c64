import { readFile, rm } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { buildFolder, writeConfiguration } from '../../src/cli/store/configuration.ts';

const name = 'configured-by-a-test';
const plain = {
  ...{ name, namespace: 2001, owner: 'a@shop.example', currency: 'IDR' },
  address: 'https://api.shop.example',
};

afterAll(() => rm(buildFolder(name), { recursive: true }));

const written = async (more: object): Promise<unknown> =>
  JSON.parse(await readFile(await writeConfiguration({ ...plain, ...more }, 'own'), 'utf8'));

test('A store has the limits and bindings of its file, and otherwise those of wrangler.toml', async () => {
  expect(await written({})).toMatchObject({
    routes: [{ pattern: 'api.shop.example', custom_domain: true }],
    ratelimits: [
      { namespace_id: '2001', simple: { limit: 600, period: 60 } },
      { namespace_id: '2002', simple: { limit: 30, period: 60 } },
    ],
    vars: { STORE_ID: 'own', CALLER_LIMIT: '600/60', FAILURE_LIMIT: '30/60' },
  });
  expect(await written({})).not.toHaveProperty('send_email');
  const more = { limits: { caller: 60 }, email: true, pictures: true };
  expect(await written(more)).toMatchObject({
    ratelimits: [{ simple: { limit: 60 } }, { simple: { limit: 30 } }],
    vars: { CALLER_LIMIT: '60/60', FAILURE_LIMIT: '30/60' },
    send_email: [{ name: 'EMAIL' }],
    r2_buckets: [{ binding: 'MEDIA', bucket_name: `sales-api-${name}-media` }],
  });
});

test('A worker inherits only the named secrets, and without names all of them', async () => {
  expect(await written({})).not.toHaveProperty('unsafe');
  const config = await writeConfiguration(plain, 'own', ['FONNTE_TOKEN']);
  expect(JSON.parse(await readFile(config, 'utf8'))).toMatchObject({
    secrets: { required: ['FONNTE_TOKEN'] },
    unsafe: { metadata: { keep_bindings: [] } },
  });
});
