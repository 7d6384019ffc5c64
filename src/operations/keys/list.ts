import { collection, consoleSession, endpoint } from '../../kernel/endpoint/declare.ts';
import { toKey } from '../../domain/key/rules.ts';
import { ApiKey } from '../../domain/key/schemas.ts';
import { listKeys } from '../../queries/keys.ts';

export const listApiKeys = endpoint({
  id: 'keys.list',
  namespace: 'console',
  route: ['GET /v1/keys'],
  summary: 'List API keys',
  description: 'Newest first, revoked ones last; 500 at most.',
  access: consoleSession('manage_options'),
  effect: 'read',
  reply: [200, collection(ApiKey)],
}).handle(async ({ db, now }) => {
  const { found } = await db.query({ found: listKeys(now) });
  return { success: true as const, data: found.map((row) => toKey(row, now)) };
});
