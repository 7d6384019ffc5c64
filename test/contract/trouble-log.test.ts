import { afterEach, describe, expect, test } from 'vitest';
import type { Fault } from '../../src/local/neon/faults.ts';
import { runJobs } from '../../src/jobs/index.ts';
import { useScene } from './scene.ts';

const stage = useScene();
afterEach(() => stage.scene.store.neon.faults.clear());

const refused = (message: string, code: string | null = null) =>
  JSON.stringify({ message, code, severity: 'ERROR' });

/** Troubles of the database, and the words about them in the log. */
const troubles: Readonly<Record<string, { fault: Fault; reason: object }>> = {
  'a wrong password': {
    fault: {
      answer: { status: 400, body: refused("password authentication failed for user 'a'") },
    },
    reason: { database: "password authentication failed for user 'a'" },
  },
  'a spent quota': {
    fault: { answer: { status: 400, body: refused('compute time quota exceeded', 'XX000') } },
    reason: { sqlstate: 'XX000', database: 'compute time quota exceeded' },
  },
  'an endpoint that is disabled': {
    fault: { answer: { status: 500, body: 'endpoint is disabled' } },
    reason: { http: 500, database: 'Server error (HTTP status 500): endpoint is disabled' },
  },
  'a database that is not there': {
    fault: { answer: { status: 400, body: refused('database "b" does not exist', '3D000') } },
    reason: { sqlstate: '3D000', database: 'database "b" does not exist' },
  },
  'too many connections': {
    fault: { sqlState: '53300' },
    reason: { sqlstate: '53300', database: 'injected error 53300' },
  },
  'a connection that breaks': {
    fault: { cut: 'before parse' },
    reason: {
      cause: 'TypeError',
      database: 'Error connecting to database: TypeError: fetch failed',
    },
  },
  'an answer that is no JSON': {
    fault: { answer: { status: 200, body: '<html>Welcome, Dewi</html>' } },
    reason: { cause: 'SyntaxError' },
  },
  'a statement that is stopped': {
    fault: { answer: { status: 400, body: refused('canceling "Dewi"', '57014') } },
    reason: { sqlstate: '57014' },
  },
  'collisions without end': {
    fault: { sqlState: '40001', times: 3 },
    reason: { sqlstate: '40001' },
  },
};

describe('a 503 is logged as an error, with its reason and without data of a row', () => {
  test.each(Object.entries(troubles))('%s', async (_, { fault, reason }) => {
    const { scene } = stage;
    await scene.inTheWay(fault);
    const reply = await scene.api.get('/users');
    expect(reply.status).toBe(503);
    const { level, error, stack, ...line } = scene.store.logs.at(-1) ?? {};
    expect(level).toBe('error');
    expect(error).toBeOneOf(['DatabaseUnavailable', 'Collision']);
    const own = ['sqlstate', 'http', 'cause', 'constraint', 'routine', 'database'];
    expect(Object.fromEntries(own.filter((k) => k in line).map((k) => [k, line[k]]))).toEqual(
      reason,
    );
    expect(stack).not.toEqual([]);
    expect(JSON.stringify([line, stack, reply.body])).not.toContain('Dewi');
  });
});

test('a job that fails in the database logs the reason in the same words', async () => {
  const { scene } = stage;
  await scene.store.settled();
  scene.store.neon.faults.next({ answer: { status: 500, body: 'suspended' }, times: 1 });
  const lines: Record<string, unknown>[] = [];
  await runJobs(await scene.store.services(), (line) => lines.push(line));
  expect(lines).toEqual([
    {
      level: 'error',
      job: 'look for due jobs',
      error: 'DatabaseUnavailable',
      http: 500,
      database: 'Server error (HTTP status 500): suspended',
      stack: expect.any(Array),
    },
  ]);
});

test("a page too large for the database's answer is an error of its own, and no 503", async () => {
  const { scene } = stage;
  await scene.inTheWay({ answer: { status: 507, body: 'response is too large' } });
  const reply = await scene.api.get('/products?per_page=100');
  expect(reply.body).toEqual({
    code: 'rest_invalid_param',
    message: 'The answer is too large. Ask for fewer records with per_page.',
    data: { status: 400, params: { per_page: 'must be smaller for records of this size' } },
  });
});
