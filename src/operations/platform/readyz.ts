import { open } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { ping } from '../../queries/settings.ts';
import { Status } from './service.ts';

export const readyz = endpoint({
  id: 'platform.readyz',
  namespace: 'root',
  route: ['GET /readyz'],
  summary: 'Check whether the service can answer',
  description: 'Queries the database once; 503 when it does not answer.',
  access: open('load balancers have no credentials'),
  effect: 'read',
  reply: [200, Status],
}).handle(async ({ db }) => {
  await db.query({ alive: ping() });
  return { status: 'ok' };
});
