import { describe, expect, test } from 'vitest';
import { accessOf, missingOperations, operationOf, operations } from './operations.ts';
import { routes } from './routes.ts';

/** Routes under the contract's addresses that the contract does not have. */
const additions = [
  'DELETE /api/svc/v1/access/content/:id',
  'DELETE /api/svc/v1/reminder-templates/:id',
  'DELETE /api/svc/v1/sessions/:sid',
  'DELETE /api/svc/v1/user-groups/:id',
  'DELETE /api/svc/v1/webhooks/:id',
  'GET /api/svc/v1/access/content',
  'GET /api/svc/v1/access/content/:id',
  'GET /api/svc/v1/licenses/:id',
  'GET /api/svc/v1/me/settings',
  'GET /api/svc/v1/orders/:id/refunds',
  'GET /api/svc/v1/payouts',
  'GET /api/svc/v1/reminder-templates',
  'GET /api/svc/v1/user-groups',
  'GET /api/svc/v1/user-groups/:id',
  'GET /api/svc/v1/webhooks',
  'GET /api/svc/v1/webhooks/:id',
  'GET /api/svc/v1/webhooks/:id/deliveries',
  'PATCH /api/svc/v1/access/content/:id',
  'PATCH /api/svc/v1/me/settings',
  'PATCH /api/svc/v1/reminder-templates/:id',
  'PATCH /api/svc/v1/user-groups/:id',
  'PATCH /api/svc/v1/webhooks/:id',
  'POST /api/svc/v1/access/content',
  'POST /api/svc/v1/access/content/:id',
  'POST /api/svc/v1/orders/:id/refunds',
  'POST /api/svc/v1/payments/:gateway/callback',
  'POST /api/svc/v1/payouts',
  'POST /api/svc/v1/payouts/:id/cancel',
  'POST /api/svc/v1/reminder-templates',
  'POST /api/svc/v1/reminder-templates/:id',
  'POST /api/svc/v1/user-groups',
  'POST /api/svc/v1/user-groups/:id',
  'POST /api/svc/v1/users/:id/sessions/revoke',
  'POST /api/svc/v1/webhooks',
  'POST /api/svc/v1/webhooks/:id',
  'POST /api/svc/v1/webhooks/:id/deliveries/:log_id/resend',
  'POST /api/svc/v1/webhooks/:id/replay',
  'POST /api/svc/v1/webhooks/:id/rotate',
  'POST /api/svc/v1/webhooks/:id/test',
  'PUT /api/svc/v1/access/content/:id',
  'PUT /api/svc/v1/reminder-templates/:id',
  'PUT /api/svc/v1/user-groups/:id',
  'PUT /api/svc/v1/webhooks/:id',
];

const promised = routes.flatMap(({ method, path, endpoint }) => {
  const operation = operationOf({ method, path });
  return operation ? [{ method, path, endpoint, operation }] : [];
});

describe('an operation of the contract takes the credentials and the scope it says', () => {
  test.each(promised)('$method $path', ({ endpoint, operation }) => {
    expect(endpoint.access).toMatchObject(accessOf(operation));
  });
});

test('what the contract does not have is on the list of additions, and nothing else is', () => {
  const added = routes
    .filter((route) => route.endpoint.namespace !== 'root' && !operationOf(route))
    .map(({ method, path }) => `${method} ${path}`);
  expect(added.sort()).toEqual(additions.sort());
});

test('the contract has 127 operations, each served once or missing', () => {
  expect(operations).toHaveLength(127);
  expect(promised.length + missingOperations().length).toBe(127);
});

test('no two routes have the same method and address', () => {
  const places = routes.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`);
  expect(new Set(places).size).toBe(places.length);
});
