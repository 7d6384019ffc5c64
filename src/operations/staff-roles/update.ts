import { consoleSession } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/schemas/replies.ts';
import { IdParams } from '../../kernel/schemas/parameters.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { isSameRecord } from '../../lib/objects.ts';
import { toStaffRole, updatedStaffRole } from '../../domain/staff/rules.ts';
import { StaffRole, StaffRoleUpdate } from '../../domain/staff/schemas.ts';
import { findStaffRole, saveStaffRole } from '../../queries/staff.ts';

export const updateStaffRole = endpoint({
  id: 'staffRoles.update',
  namespace: 'console',
  route: ['PATCH /v1/staff-roles/:id'],
  summary: 'Update a role',
  description: 'The change takes effect with the next request of everybody who has the role.',
  access: consoleSession('manage_options'),
  fresh: true,
  effect: 'write',
  params: IdParams,
  body: StaffRoleUpdate,
  reply: [200, record(StaffRole)],
  errors: ['rest_not_found', 'staff_role_name_exists'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: { found: findStaffRole(params.id) },
    decide: ({ found }) => {
      const before = current(found, ifMatch, 'role');
      if (isRefusal(before)) return before;
      const role = updatedStaffRole(before.role, body, now);
      if (isSameRecord(before.role, role)) return { write: [], reply: one(toStaffRole(before)) };
      return {
        write: [saveStaffRole(before.role, role)],
        before: toStaffRole(before),
        reply: one(toStaffRole({ ...before, role })),
      };
    },
  }),
);
