import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { collection, one } from '../../kernel/schemas/replies.ts';
import { toStaffRole } from '../../domain/staff/rules.ts';
import { StaffRole } from '../../domain/staff/schemas.ts';
import { listStaffRoles } from '../../queries/staff.ts';

export const listRoles = endpoint({
  id: 'staffRoles.list',
  route: ['GET /staff-roles'],
  summary: 'List roles in the console',
  description:
    'The rights of people who work in the console. Administrators have all rights without a role; they make and change roles in the console.',
  access: apiKey('users:read'),
  effect: 'read',
  reply: [200, collection(StaffRole)],
}).handle(async ({ db }) => {
  const { roles } = await db.query({ roles: listStaffRoles() });
  return one(roles.map(toStaffRole));
});
