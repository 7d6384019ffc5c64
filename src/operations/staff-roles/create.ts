import { consoleSession } from '../../kernel/auth/access.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/schemas/replies.ts';
import { newStaffRole, toStaffRole } from '../../domain/staff/rules.ts';
import { StaffRole, StaffRoleCreate } from '../../domain/staff/schemas.ts';
import { insertStaffRole } from '../../queries/staff.ts';

export const createStaffRole = endpoint({
  id: 'staffRoles.create',
  namespace: 'console',
  route: ['POST /v1/staff-roles'],
  summary: 'Create a role',
  access: consoleSession('manage_options'),
  fresh: true,
  effect: 'write',
  body: StaffRoleCreate,
  reply: [201, record(StaffRole)],
  errors: ['staff_role_name_exists'],
}).handle(async ({ body, db, now }) =>
  db.change({
    load: { id: drawId('staff_roles') },
    decide: ({ id }) => {
      const role = newStaffRole(body, nextId(id), now);
      return { write: [insertStaffRole(role)], reply: one(toStaffRole({ role, people: 0 })) };
    },
  }),
);
