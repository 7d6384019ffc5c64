import type { Hono } from 'hono';
import { docsHeaders } from './docs-headers.ts';
import type { Deployment } from '../deployment/services.ts';
import { staticPage } from './static-page.ts';

export const missingPage = '/docs/404';

/** Serves the documentation's page for unknown addresses, but not for missing files. */
export function serveMissingPage(app: Hono, deployment: Deployment): void {
  app.get('/docs/*', async (c, next) => {
    if (/\.\w+$/.test(c.req.path)) return next();
    const answer = { status: 404, headers: docsHeaders };
    return (await staticPage(c, deployment, missingPage, answer)) ?? next();
  });
}
