import { apiKey, endpoint, page } from '../../kernel/endpoint/declare.ts';
import { pageOf } from '../../kernel/lists/reply.ts';
import { pageWindow } from '../../kernel/lists/window.ts';
import { AuditEntry, AuditQuery } from '../../domain/audit/schemas.ts';
import { shownEntry } from '../../domain/audit/shown.ts';
import { listAudit } from '../../queries/audit.ts';

export const listAuditEndpoint = endpoint({
  id: 'audit.list',
  route: ['GET /audit'],
  summary: 'List the audit log',
  description: `Who changed what, newest first; pages follow \`meta.next_cursor\`. Each change in the administration console, by an administrator or by somebody acting as a user leaves an entry. So does each change by an API key, except a store's everyday traffic: new orders, confirmations and users, sessions of members, ended sessions, and licences in use. Orders have a history of their own.

Signing in to the console leaves an entry with country and browser (\`console.session.create\`), and so does each session that an API key issues for an administrator (\`sessions.create\`). The command line leaves one if it makes, rotates or revokes an API key, gives or takes a role, or makes a link that signs in to the console.

Entries are kept for the days of \`AUDIT_DAYS\`.`,
  access: apiKey('audit:read'),
  effect: 'read',
  query: AuditQuery,
  reply: [200, page(AuditEntry)],
}).handle(async ({ query, db, principal }) => {
  const { rows } = await db.query({ rows: listAudit(query, pageWindow(query)) });
  const shown = rows.map((row) => shownEntry(row, principal));
  return pageOf(query, shown, undefined);
});
