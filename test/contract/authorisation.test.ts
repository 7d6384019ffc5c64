import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reply } from '../harness/client.ts';
import { type Caller, everyCaller, served, verdictOn } from './callers.ts';
import { askedOf } from './kinds.ts';
import { endpoints } from '../../src/endpoints.ts';
import { consolePlacesOf } from '../../src/kernel/endpoint/routes.ts';
import { fromConsole } from '../harness/client.ts';
import { type Route, pathParameters, routesOf } from './routes.ts';
import { useScene } from './scene.ts';

// The rights of callers on every route, by the endpoint's `access`; the long proofs test every caller.

const stage = useScene();
let callers: Caller[];
let before: Record<string, string>;

beforeAll(async () => {
  callers = await everyCaller(stage.scene);
  before = await written();
});

afterAll(async () => {
  expect(await written(), 'a request of the matrix has written').toEqual(before);
});

/**
 * Returns the stored rows, except the audit log, in which switching back leaves a row, and the sessions of the console,
 * one of which signs out.
 */
async function written(): Promise<Record<string, string>> {
  const { audit_log: _, console_sessions: __, ...others } = await stage.scene.contents();
  return others;
}

/** A request without effect for any caller: of missing records, and without a key. */
const emptyHanded = (route: Route) => ({
  params: Object.fromEntries([
    ...pathParameters(route, 'id').map((name) => [name, 999_999_999]),
    ...pathParameters(route, 'text').map((name) => [name, 'nobody-has-this']),
  ]),
  headers: {
    ...(route.ofConsole && fromConsole()),
    'if-match': 'no version',
    'idempotency-key': 'no key',
  },
});

const seen = ({ status, body, trips }: Reply): string =>
  status === 401 || status === 403
    ? `${status} ${body.code} “${body.message}” after ${trips} trips`
    : served;

/** Every route, and whether it repeats its endpoint's first route under another method or path. */
const rows = endpoints.flatMap((endpoint) =>
  [...routesOf(endpoint), ...consolePlacesOf([endpoint])].map((route, index) => ({
    ...route,
    repeats: index > 0,
  })),
);

/** Endpoints that are tested with every caller; others are tested with one caller for each verdict. */
const inFull = new Set(askedOf(endpoints));

const oneOfEach = (route: Route): Caller[] => [
  ...new Map(callers.map((caller) => [verdictOn(route, caller.identity), caller])).values(),
];

describe('everybody is answered as the declaration says', () => {
  test.each(rows)('$method $path', async ({ repeats, ...route }) => {
    const { scene } = stage;
    const cells = (repeats || !inFull.has(route.endpoint) ? oneOfEach(route) : callers).map(
      async ({ name, identity, headers }) => {
        const reply = await scene.call(scene.client(headers), route, {}, emptyHanded(route));
        expect(reply.status, name).toBeLessThan(500);
        return { name, seen: seen(reply), said: verdictOn(route, identity) };
      },
    );
    const row = await Promise.all(cells);
    // Switching back has ended the session that other rows use.
    if (route.endpoint.id === 'me.switchBack') {
      await scene.store.database.query('delete from revoked_sessions');
    }
    if (route.endpoint.id === 'console.session.delete') {
      await scene.store.database.query('update console_sessions set ended_at = null');
    }
    const table = (verdict: 'seen' | 'said') =>
      Object.fromEntries(row.map((cell) => [cell.name, cell[verdict]]));
    expect(table('seen')).toEqual(table('said'));
  });
});
