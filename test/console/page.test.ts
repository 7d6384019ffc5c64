import { expect, test } from 'vitest';
import { consoleHeaders } from '../../src/kernel/endpoint/console-headers.ts';
import { inBrowser, useConsole } from './harness/console.ts';

inBrowser('the page', () => {
  const at = useConsole();
  const get = (path: string) => fetch(at.console.url + path);

  test('is the same at every screen’s address, with the same headers', async () => {
    const [file, screen] = [await get('/console/'), await get('/console/orders/118')];
    expect([file.status, screen.status]).toEqual([200, 200]);
    expect(await screen.text()).toBe(await file.text());
    const names = [
      ...Object.keys(consoleHeaders),
      ...['x-frame-options', 'referrer-policy', 'x-content-type-options'],
      ...['cross-origin-resource-policy', 'strict-transport-security'],
    ];
    for (const name of names) {
      expect(screen.headers.get(name), name).toBe(file.headers.get(name));
      expect(file.headers.get(name), name).not.toBeNull();
    }
    expect(file.headers.get('content-security-policy')).toBe(
      consoleHeaders['content-security-policy'],
    );
  });

  test('its files are cached permanently, and a missing file is a 404', async () => {
    const text = await (await get('/console/')).text();
    const [, script = ''] = /src="(\/console\/assets\/[^"]+)"/.exec(text) ?? [];
    const cached = (await get(script)).headers.get('cache-control');
    expect(cached).toBe('public, max-age=31536000, immutable');
    const gone = await get('/console/assets/index-gone.js');
    expect([gone.status, (await get('/console/api/v1/nothing')).status]).toEqual([404, 404]);
  });
});
