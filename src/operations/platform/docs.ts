import { open } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { html } from '../../kernel/endpoint/envelope.ts';
import { docsPage, docsPolicy } from './docs-page.ts';
import { service } from './service.ts';

export const docs = endpoint({
  id: 'platform.docs',
  namespace: 'root',
  route: ['GET /docs'],
  summary: 'Show this documentation',
  description: 'As a page, from which each operation can be tried on this store.',
  access: open('integrators read it before they have a key'),
  effect: 'read',
  reply: [200, html],
  headers: { 'cache-control': 'public, max-age=300', 'content-security-policy': docsPolicy },
}).handle(async () => docsPage(service.name));
