import { describe, expect, test, vi } from 'vitest';
import { readPublishedConfig } from '../../src/config.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';

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

/** Starts the service with these modules, and sends requests. */
async function withModules(words: string) {
  const { store } = opened.fixture;
  Object.assign(await store.environment, { MODULES: words });
  store.restart();
  const ask = async (method: string, path: string) => {
    const url = `https://shop.example/api/svc/v1${path}`;
    const response = await store.fetch(new Request(url, { method }));
    const { code } = (await response.json()) as { code: string };
    return { status: response.status, code };
  };
  await store.client().get('//');
  return { ask, document: openApiDocument(readPublishedConfig(await store.environment)) };
}

const noRoute = { status: 404, code: 'rest_no_route' };
const noToken = { status: 401, code: 'svc_session_no_token' };

describe('A module', () => {
  test('that is off has no routes for any caller, and is in no document', async () => {
    const { ask, document } = await withModules('');
    expect(await ask('GET', '/me/wishlist')).toEqual(noRoute);
    expect(await ask('POST', '/me/wishlist')).toEqual(noRoute);
    expect(await ask('DELETE', '/me/wishlist/1')).toEqual(noRoute);
    expect(Object.keys(document.paths).filter((path) => path.includes('wishlist'))).toEqual([]);
    expect(document.tags.map(({ name }) => name)).not.toContain('Wishlist');
    expect(await ask('GET', '/me')).toEqual(noToken);
  });

  test('that is on works like the rest of the service', async () => {
    const { ask, document } = await withModules('wishlist');
    expect(await ask('GET', '/me/wishlist')).toEqual(noToken);
    expect(await ask('PUT', '/me/wishlist')).toEqual({
      status: 405,
      code: 'rest_method_not_allowed',
    });
    expect(Object.keys(document.paths)).toContain('/api/svc/v1/me/wishlist');
    expect(document.tags.map(({ name }) => name)).toContain('Wishlist');
  });

  test('with an unknown name stops the service from starting, and the error names it', async () => {
    await expect(withModules('wishlist telepathy')).rejects.toThrow('telepathy');
  });
});
