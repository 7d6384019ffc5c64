import { describe, expect, test } from 'vitest';
import { logLines } from '../../src/cli/log-lines.ts';

const show = (line: object) => logLines(JSON.stringify(line));

describe('A running store shows from its log', () => {
  const request = { level: 'info', method: 'GET', operation: 'orders.get', status: 200 };

  test('the line of a request', () => {
    expect(show({ ...request, trips: 1, db_ms: 3 })).toEqual({
      request: '  200 GET orders.get  1 trip, 3 ms',
    });
    expect(show({ ...request, trips: 2, db_ms: 5 }).request).toContain(' 2 trips, 5 ms');
  });

  test('the address of a request to an unknown path', () => {
    const nowhere = { ...request, operation: null, path: '/order', status: 404 };
    expect(show({ ...nowhere, trips: 0, db_ms: 0 }).request).toBe(
      '  404 GET /order  0 trips, 0 ms',
    );
  });

  test('why and where the database failed a request', () => {
    const failed = { ...request, status: 503, trips: 1, db_ms: 9, error: 'DatabaseUnavailable' };
    const stack = ['    at one (worker.js:1:2)', '    at two (worker.js:3:4)'];
    expect(show({ ...failed, cause: 'TypeError', database: 'fetch failed', stack })).toEqual({
      request: '  503 GET orders.get  1 trip, 9 ms',
      trouble:
        '    DatabaseUnavailable (TypeError): fetch failed\n      at one (worker.js:1:2)\n      at two (worker.js:3:4)',
    });
  });

  test('which job failed, and why', () => {
    const failed = { level: 'error', job: 'deliveries', error: 'DatabaseUnavailable', stack: [] };
    expect(show({ ...failed, http: 500, database: 'suspended' })).toEqual({
      trouble: '  job deliveries failed: DatabaseUnavailable (HTTP 500): suspended',
    });
  });

  test('which figures an alert is about', () => {
    const alert = { level: 'error', job: 'alerts', error: 'OutOfOrder', stack: [] };
    expect(show({ ...alert, figures: ['failing_webhooks', 'backup_age'] })).toEqual({
      trouble: '  alert: failing_webhooks, backup_age out of order',
    });
  });
});
