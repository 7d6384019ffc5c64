import type { Client, DatabaseError } from 'pg';
import { Refused } from '../support/refusals.ts';
import { storeTableNames } from '../support/store-tables.ts';

/** PostgreSQL's code for a statement that the role has no right to. */
const lacksRights = '42501';

interface Rights {
  readonly role: string;
  /** The owners of the store's tables, functions and types; none for an empty database. */
  readonly owners: readonly string[];
  /** The statements that would give the role the rights it lacks. */
  readonly grants: readonly string[];
}

/** Sequences and indexes belong to the owners of their tables. */
const owners = `
  select relowner as owner from pg_class join pg_namespace n on n.oid = relnamespace
   where nspname = 'public' and relname = any ($1)
      or nspname = 'drizzle' and relname = '__drizzle_migrations'
  union
  select proowner from pg_proc
   where pronamespace = to_regnamespace('public') and proname ~ '^svc_'
  union
  select typowner from pg_type
   where typnamespace = to_regnamespace('public') and typname ~ '^svc_'`;

/** SQL: a statement that gives the rights of an owner. A superuser's objects go to the role, not the rights. */
const rightsOf = (owner: string) => `
  case when (select rolsuper from pg_roles where rolname = ${owner})
    then format('alter … owner to %I, for each table, function and type of the store that %I owns', current_user, ${owner})
    else format('grant %I to %I with inherit true', ${owner}, current_user) end`;

async function readRights(client: Client): Promise<Rights> {
  const { rows } = await client.query<Rights>(
    `with owners as (${owners})
     select current_user as role,
            array(select pg_get_userbyid(owner)::text from owners order by 1) as owners,
            array(
              select ${rightsOf('r.rolname')} from owners join pg_roles r on r.oid = owner
               where not pg_has_role(owner, 'USAGE')
              union all
              select format('grant create on schema public to %I', current_user)
               where not has_schema_privilege(to_regnamespace('public'), 'CREATE')
              union all
              select format('grant create on database %I to %I', current_database(), current_user)
               where not exists (select from owners)
                 and not has_database_privilege(current_database(), 'CREATE')) as grants`,
    [storeTableNames],
  );
  return rows[0] as Rights;
}

/**
 * Checks that the role of a direct string can migrate: it needs the rights of the owner of what the store has, and may
 * create more.
 * @param name the name of the database in the error
 * @returns the roles that own the store's tables, or will
 * @throws Refused naming the statements that give the missing rights
 */
export async function checkMigratingRole(client: Client, name: string): Promise<readonly string[]> {
  const { role, owners, grants } = await readRights(client);
  if (grants.length > 0)
    throw new Refused(
      `The role ${role} of the ${name} cannot migrate the store. ${wayOut(owners, role, grants)}`,
    );
  return owners.length === 1 ? owners : [...owners, role];
}

/**
 * Checks that the worker's role can read and write all tables, also those of later versions, and call the functions.
 * @param owners the roles that own the tables, or will
 * @param name the name of the database in the error
 * @throws Refused naming the statements that give the missing rights
 */
export async function checkWorkingRole(
  client: Client,
  owners: readonly string[],
  name: string,
): Promise<void> {
  const { rows } = await client.query<{ role: string; grants: string[] }>(
    `select current_user as role,
            array_remove(array[
              case when not reads
                then format('grant pg_read_all_data, pg_write_all_data to %I with inherit true', current_user) end,
              case when not calls
                then format('grant execute on all functions in schema public to %I', current_user) end
            ], null) as grants
       from (
         select coalesce(bool_or(pg_has_role(oid, 'USAGE')), false)
                  and bool_and(rolsuper or pg_has_role(oid, 'USAGE'))
                or pg_has_role('pg_read_all_data', 'USAGE') and pg_has_role('pg_write_all_data', 'USAGE') as reads,
                not exists (select from pg_proc
                             where pronamespace = to_regnamespace('public') and proname ~ '^svc_'
                               and not has_function_privilege(oid, 'EXECUTE')) as calls
           from pg_roles where rolname = any ($1)) found`,
    [owners],
  );
  const { role = '', grants = [] } = rows[0] ?? {};
  if (grants.length > 0)
    throw new Refused(
      `The role ${role} of the ${name} cannot read and write all tables of the store. ${wayOut(owners, role, grants)}`,
    );
}

function wayOut([owner]: readonly string[], role: string, grants: readonly string[]): string {
  const own =
    owner === undefined || owner === role ? 'Let' : `Use ${owner}, the owner of its tables, or let`;
  return `${own} a superuser run: ${grants.join('; ')}`;
}

/**
 * Works as the owner of the store's tables, so that whatever a member of the owner makes is the owner's too. An owner that
 * may not create anything itself is left out.
 */
export async function actAsOwner(client: Client): Promise<void> {
  const { role, owners } = await readRights(client);
  if (owners.length === 1 && owners[0] !== role)
    await client.query(
      `select set_config('role', $1, false)
        where pg_has_role($1, 'SET')
          and has_schema_privilege($1, to_regnamespace('public'), 'CREATE')
          and has_schema_privilege($1, to_regnamespace('drizzle'), 'USAGE')
          and has_schema_privilege($1, to_regnamespace('drizzle'), 'CREATE')
          and has_database_privilege($1, current_database(), 'CREATE')`,
      [owners[0]],
    );
}

/**
 * Does work that may lack rights.
 * @throws Refused naming them
 */
export async function explainingRights(client: Client, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if ((error as DatabaseError).code === lacksRights) await checkMigratingRole(client, 'database');
    throw error;
  }
}
