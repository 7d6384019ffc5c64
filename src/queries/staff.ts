import { and, eq, sql } from 'drizzle-orm';
import { type Write, build, guard, sendIf } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import { type StaffRoleRow, staffRoles } from '../schema/staff.ts';
import { users } from '../schema/users.ts';

export const findStaffRole = (id: number | null | undefined) =>
  sendIf(Boolean(id), () => shownRoles().where(eq(staffRoles.id, id ?? 0)));

const people = sql`(select count(*) from users u where u.staff_role_id = "staff_roles"."id")`
  .mapWith(Number)
  .as('people');

const shownRoles = () => build.select({ role: staffRoles, people }).from(staffRoles);

export const listStaffRoles = () => shownRoles().orderBy(staffRoles.id);

export const insertStaffRole = (role: StaffRoleRow) => build.insert(staffRoles).values(role);

export const saveStaffRole = (before: StaffRoleRow, after: StaffRoleRow) =>
  updateRow(staffRoles, before, after);

/** Deletes a role, unless somebody has it. */
export const deleteStaffRole = ({ id, version }: StaffRoleRow): Write<'staff_role_in_use'> =>
  guard(
    build
      .delete(staffRoles)
      .where(
        and(
          eq(staffRoles.id, id),
          eq(staffRoles.version, version),
          sql`not exists (select from ${users} where ${users.staff_role_id} = ${id})`,
        ),
      )
      .returning({ id: staffRoles.id }),
    'staff_role_in_use',
  );
