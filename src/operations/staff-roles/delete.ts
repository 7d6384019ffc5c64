import { consoleSession } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { Deleted, deletedRecord, one } from '../../kernel/schemas/replies.ts';
import { IdParams } from '../../kernel/schemas/parameters.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { deleteStaffRole, findStaffRole } from '../../queries/staff.ts';

export const deleteRole = endpoint({
  id: 'staffRoles.delete',
  namespace: 'console',
  route: ['DELETE /v1/staff-roles/:id'],
  summary: 'Delete a role',
  description: 'A role can be deleted only if nobody has it. The built-in roles cannot be deleted.',
  access: consoleSession('manage_options'),
  fresh: true,
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found', 'staff_role_built_in', 'staff_role_in_use'],
}).handle(async ({ params, db, ifMatch }) =>
  db.change({
    load: { found: findStaffRole(params.id) },
    decide: ({ found }) => {
      const before = current(found, ifMatch, 'role');
      if (isRefusal(before)) return before;
      if (before.role.built_in) return refuse('staff_role_built_in');
      if (before.people > 0) return refuse('staff_role_in_use');
      return { write: [deleteStaffRole(before.role)], reply: one(deletedRecord(params.id)) };
    },
  }),
);
