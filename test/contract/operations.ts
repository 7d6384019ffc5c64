import type { Access } from '../../src/kernel/auth/access.ts';
import operations from './operations.json' with { type: 'json' };
import { type Route, routes } from './routes.ts';

export type Operation = (typeof operations)[number];

export { operations };

/** The method and address of an operation or a route, without the names of parameters. */
const placeOf = (method: string, path: string) => `${method} ${path.replace(/:\w+|\{\w+\}/g, '*')}`;

const roots: Record<string, string> = { api: '/api/svc/v1', notify: '/api/svc-notify/v1' };

const placeOfOperation = ({ method, path, namespace }: Operation) =>
  placeOf(method, `${roots[namespace]}${path}`);

const promised = new Map(operations.map((operation) => [placeOfOperation(operation), operation]));
const served = new Set(routes.map(({ method, path }) => placeOf(method, path)));

/** The contract's operation of a route; undefined for the service's additions. */
export const operationOf = ({ method, path }: Pick<Route, 'method' | 'path'>) =>
  promised.get(placeOf(method, path));

export const missingOperations = () =>
  operations.filter((operation) => !served.has(placeOfOperation(operation)));

/** Returns the access that the contract requires of an operation's route. */
export function accessOf({ auth, scopes }: Operation): Pick<Access, 'kind'> {
  switch (auth) {
    case 'api_key':
      return Object.assign({ kind: 'key' } as const, { scopes });
    case 'session':
      return { kind: 'session' };
    case 'session_admin':
      return { kind: 'admin' };
    default:
      return { kind: 'open' };
  }
}
