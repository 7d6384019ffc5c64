import { describe, expect, test } from 'vitest';
import { accessOf, missingOperations, operationOf, operations } from './operations.ts';
import { routes } from './routes.ts';

/** Routes under the contract's addresses that the contract does not have. */
const additions = [
  'DELETE /api/svc/v1/sessions/:sid',
  'POST /api/svc/v1/users/:id/sessions/revoke',
  'GET /api/svc/v1/me/settings',
  'PATCH /api/svc/v1/me/settings',
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
