import { open } from '../../kernel/auth/access.ts';
import { release } from '../../kernel/deployment/release.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { Status } from '../../domain/service/service.ts';

export const healthz = endpoint({
  id: 'platform.healthz',
  namespace: 'root',
  route: ['GET /healthz'],
  summary: 'Check whether the worker runs',
  description: 'Answers without querying the database.',
  access: open('load balancers have no credentials'),
  effect: 'read',
  reply: [200, Status],
}).handle(async () => ({ status: 'ok', ...release }));
