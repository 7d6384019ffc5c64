import { describe, expect, test } from 'vitest';
import { accessOf, missingOperations, operationOf, operations } from './operations.ts';
import { endpointsFor, routes } from './routes.ts';

/** Operations that the service adds to the contract, by path. */
const additions = {
  '/access/content': 'GET POST',
  '/access/content/:id': 'DELETE GET PATCH POST PUT',
  '/affiliates/:affiliate_id/figures': 'GET',
  '/audit': 'GET',
  '/confirmations/:id/proof': 'GET',
  '/files': 'GET POST',
  '/files/:id': 'DELETE GET PATCH POST PUT',
  '/files/:id/complete': 'POST',
  '/files/:id/parts/:part': 'PUT',
  '/licenses/:id': 'GET',
  '/message-suppressions': 'GET',
  '/message-suppressions/:id': 'DELETE',
  '/message-templates': 'GET',
  '/message-templates/:kind/:medium': 'GET PATCH POST PUT',
  '/message-templates/:kind/:medium/preview': 'POST',
  '/message-templates/:kind/:medium/test': 'POST',
  '/messages': 'GET',
  '/messages/:id': 'GET',
  '/messages/:id/cancel': 'POST',
  '/messages/:id/resend': 'POST',
  '/messages/:sender/callback': 'GET POST',
  '/messages/senders': 'GET',
  '/unsubscribe/:key': 'GET POST',
  '/me/access/:product_id/files': 'GET',
  '/me/export': 'GET',
  '/me/figures': 'GET',
  '/me/license-keys': 'GET',
  '/me/media/:key': 'GET',
  '/me/settings': 'GET PATCH',
  '/me/users/:id': 'PATCH POST PUT',
  '/me/users/:id/sessions/revoke': 'POST',
  '/me/account-link': 'POST',
  '/me/subscriptions/:id': 'GET',
  '/me/subscriptions/:id/cancel': 'POST',
  '/me/subscriptions/:id/resume': 'POST',
  '/orders/:id/refunds': 'GET POST',
  '/orders/count': 'GET',
  '/orders/sum': 'GET',
  '/overview': 'GET',
  '/status': 'GET',
  '/products/figures': 'GET',
  '/payments/:gateway/callback': 'POST',
  '/payments/unexpected': 'GET',
  '/payments/unexpected/:id': 'POST',
  '/payments/mutations': 'GET',
  '/payments/mutations/:id': 'POST',
  '/payout-runs': 'GET POST',
  '/payout-runs/:id': 'GET',
  '/payout-runs/:id.csv': 'GET',
  '/payout-runs/:id/confirm': 'POST',
  '/payout-runs/:id/discard': 'POST',
  '/payout-runs/:id/lines': 'GET POST',
  '/payout-runs/:id/lines/:line': 'POST',
  '/payouts': 'GET POST',
  '/payouts/:id': 'GET',
  '/payouts/:id/cancel': 'POST',
  '/refunds': 'GET',
  '/refunds/:id': 'POST',
  '/reminder-templates': 'GET POST',
  '/reminder-templates/:id': 'DELETE PATCH POST PUT',
  '/sessions/:sid': 'DELETE',
  '/staff-roles': 'GET',
  '/me/state': 'GET',
  '/users/:id/state': 'GET',
  '/users/state': 'GET',
  '/risks': 'GET',
  '/risks/:id': 'POST',
  '/subscriptions': 'GET',
  '/subscriptions/:id': 'GET PATCH POST PUT',
  '/subscriptions/:id/cancel': 'POST',
  '/subscriptions/:id/pause': 'POST',
  '/subscriptions/:id/resume': 'POST',
  '/user-groups': 'GET POST',
  '/user-groups/:id': 'DELETE GET PATCH POST PUT',
  '/users/:id/account-link': 'POST',
  '/users/:id/export': 'GET',
  '/users/:id/sessions/revoke': 'POST',
  '/webhooks': 'GET POST',
  '/webhooks/:id': 'DELETE GET PATCH POST PUT',
  '/webhooks/:id/deliveries': 'GET',
  '/webhooks/:id/deliveries/:log_id': 'GET',
  '/webhooks/:id/deliveries/:log_id/resend': 'POST',
  '/webhooks/:id/figures': 'GET',
  '/webhooks/:id/replay': 'GET POST',
  '/webhooks/:id/rotate': 'POST',
  '/webhooks/:id/test': 'POST',
};

const ofConsole = {
  '/account-sessions': 'GET',
  '/account-sessions/:id': 'DELETE',
  '/links': 'POST',
  '/links/look': 'POST',
  '/links/request': 'POST',
  '/session': 'DELETE GET POST',
  '/session/code': 'POST',
  '/session/renew': 'POST',
  '/sessions': 'GET',
  '/sessions/:id': 'DELETE',
  '/setup': 'GET',
  '/setup/check': 'POST',
  '/sign-in': 'GET',
  '/v1/media': 'POST',
  '/v1/keys': 'GET POST',
  '/v1/keys/:id': 'GET PATCH',
  '/v1/keys/:id/revoke': 'POST',
  '/v1/keys/:id/rotate': 'POST',
  '/v1/keys/:id/use': 'GET',
  '/v1/staff-roles': 'POST',
  '/v1/staff-roles/:id': 'DELETE PATCH',
};

const promised = routes.flatMap(({ method, path, endpoint }) => {
  const operation = operationOf({ method, path });
  return operation ? [{ method, path, endpoint, operation }] : [];
});

describe('an operation of the contract takes the credentials and the scope it says', () => {
  test.each(promised)('$method $path', ({ endpoint, operation }) => {
    expect(endpoint.access).toMatchObject(accessOf(operation));
  });
});

test('the list of additions has exactly the operations that the contract lacks', () => {
  const added = routes
    .filter((route) => route.endpoint.namespace !== 'root' && !operationOf(route))
    .map(({ method, path }) => `${method} ${path}`);
  const listed = (among: Record<string, string>, prefix: string) =>
    Object.entries(among).flatMap(([path, methods]) =>
      methods.split(' ').map((method) => `${method} ${prefix}${path}`),
    );
  expect(added.sort()).toEqual(
    [...listed(additions, '/api/svc/v1'), ...listed(ofConsole, '/console/api')].sort(),
  );
});

test('only these operations are open to everybody', () => {
  const open = endpointsFor('open').filter(({ namespace }) => namespace !== 'root');
  expect(open.map(({ id }) => id).sort()).toEqual([
    'console.links.look',
    'console.links.request',
    'console.session.create',
    'console.signIn.get',
    'messages.callback',
    'messages.challenge',
    'messages.unsubscribe',
    'messages.unsubscribePage',
    'notify.sink',
    'payments.callback',
  ]);
});

test('every one of the 127 operations of the contract is served', () => {
  expect(operations).toHaveLength(127);
  expect(missingOperations()).toEqual([]);
});

test('no two routes have the same method and path', () => {
  const places = routes.map(
    ({ method, path, only }) => `${method} ${path.replace(/:\w+/g, ':')}?${JSON.stringify(only)}`,
  );
  expect(new Set(places).size).toBe(places.length);
});
