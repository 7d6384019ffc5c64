import type { Hono } from 'hono';
import { consoleHeaders } from './console-headers.ts';
import { commonHeaders } from './finish.ts';
import { stateOf } from './request-state.ts';
import type { Services } from './services.ts';

/**
 * Serves the console's page at the addresses of its screens, which are no files. What the console asks, and files that
 * an older page still names, are somebody else's.
 */
export function serveConsolePage(app: Hono, { assets, config }: Services): void {
  app.get('/console/*', async (c, next) => {
    if (/^\/console\/(api|assets)\//.test(c.req.path)) return next();
    const page = await assets?.fetch(`${config.BASE_URL}/console/`);
    if (!page?.ok) return next();
    const headers = {
      ...commonHeaders(stateOf(c)),
      ...consoleHeaders,
      'content-type': 'text/html; charset=utf-8',
    };
    return new Response(page.body, { headers });
  });
}
