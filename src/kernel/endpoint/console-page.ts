import type { Hono } from 'hono';
import { consoleHeaders } from './console-headers.ts';
import type { Deployment } from '../deployment/services.ts';
import { staticPage } from './static-page.ts';

/**
 * Serves the console's page at the addresses of its screens. The console's API and missing files are left to others.
 */
export function serveConsolePage(app: Hono, deployment: Deployment): void {
  app.get('/console/*', async (c, next) => {
    if (/^\/console\/(api|assets)\//.test(c.req.path)) return next();
    const answer = { status: 200, headers: consoleHeaders };
    return (await staticPage(c, deployment, '/console/', answer)) ?? next();
  });
}
