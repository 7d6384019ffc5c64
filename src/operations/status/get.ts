import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/schemas/replies.ts';
import { statusOf } from '../../actions/status/rules.ts';
import { StoreStatus } from '../../actions/status/schemas.ts';
import { findStatus } from '../../queries/status.ts';

export const getStatus = endpoint({
  id: 'status.get',
  route: ['GET /status'],
  summary: 'Get the status of the deployment',
  description:
    'Figures for whoever operates the store, each with the threshold at which somebody should look. Each call queries the database: ask once an hour, and `/readyz` more often.',
  access: apiKey('status:read'),
  effect: 'read',
  reply: [200, record(StoreStatus)],
}).handle(async ({ db, now }) => {
  const { found } = await db.query({ found: findStatus(now) });
  const [row] = found.rows;
  if (!row) throw new Error('The database answered no figures.');
  return one(statusOf(row));
});
