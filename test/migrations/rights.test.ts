import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrateDatabase, migrateTo, migrations } from '../../src/cli/migrations/migrate.ts';
import { checkMigratingRole, checkWorkingRole } from '../../src/cli/migrations/rights.ts';
import { Refused } from '../../src/cli/support/refusals.ts';
import { RoleDatabase } from '../harness/roles.ts';

let database: RoleDatabase;

beforeEach(async () => {
  database = await RoleDatabase.open();
});

afterEach(() => database.close());

/** Migrates an empty database as its owner, except for the last migration. */
async function openFormerStore(): Promise<string> {
  const owner = await database.owner();
  await migrateTo(database.urlOf(owner), migrations.at(-2)?.hash ?? '');
  return owner;
}

/** Gives a role what one from Neon's console has, and every grant short of the owner's rights. */
async function createSecond(): Promise<string> {
  const second = await database.role('second');
  await database.client.query(`grant pg_read_all_data, pg_write_all_data to ${second};
    grant create on database ${database.name} to ${second};
    grant all on schema public, drizzle to ${second};
    grant all on all tables in schema public, drizzle to ${second};
    grant all on all functions in schema public to ${second}`);
  return second;
}

/** Names the owners of all that migrations made. */
async function owners(): Promise<string[]> {
  const { rows } = await database.client.query<{ owner: string }>(
    `select distinct pg_get_userbyid(owner) as owner from (
       select relowner as owner, relnamespace as space, oid from pg_class
       union all select proowner, pronamespace, oid from pg_proc
       union all select typowner, typnamespace, oid from pg_type) as every
      where space::regnamespace::text in ('public', 'drizzle')
        and not exists (select from pg_depend d where d.objid = every.oid and deptype = 'e')
      order by 1`,
  );
  return rows.map(({ owner }) => owner);
}

test('A role without the rights of the owner is refused by a migration, which names the missing grant', async () => {
  const owner = await openFormerStore();
  const second = await createSecond();
  const migrated = migrateDatabase(database.urlOf(second));
  await expect(migrated).rejects.toThrow(
    new Refused(
      `The role ${second} of the database cannot migrate the store. Use ${owner}, the owner of its tables, or let a superuser run: grant ${owner} to ${second} with inherit true`,
    ),
  );
});

test('Whatever a member of the owner makes by a migration belongs to the owner', async () => {
  const owner = await openFormerStore();
  const member = await database.role('member');
  await database.client.query(`grant ${owner} to ${member} with inherit true`);
  await migrateDatabase(database.urlOf(member));
  expect(await owners()).toEqual([owner]);
  await migrateDatabase(database.urlOf(owner));
});

test('A superuser leaves the tables of a store to their owner', async () => {
  const owner = await openFormerStore();
  await migrateDatabase(database.urlOf('postgres'));
  expect(await owners()).toEqual([owner]);
});

test.each([
  ['may create nothing in its schema', 'revoke create on schema public from OWNER'],
  ['may not create schemas', 'revoke create on database NAME from OWNER'],
  [
    'may not use the journal',
    'alter schema drizzle owner to postgres; revoke all on schema drizzle from OWNER',
  ],
])('A superuser migrates a store whose owner %s', async (_, statements) => {
  const owner = await openFormerStore();
  await database.client.query(
    statements.replaceAll('OWNER', owner).replaceAll('NAME', database.name),
  );
  await migrateDatabase(database.urlOf('postgres'));
  expect(await owners()).toEqual([owner, 'postgres']);
});

test('A function of a superuser is to be given to the owner, who becomes no superuser', async () => {
  const owner = await openFormerStore();
  await database.client.query('alter function svc_roll_up_commissions owner to postgres');
  const client = new Client({ connectionString: database.urlOf(owner) });
  await client.connect();
  await expect(checkMigratingRole(client, 'database')).rejects.toThrow(
    `Let a superuser run: alter … owner to ${owner}, for each table, function and type of the store that postgres owns`,
  );
  // The worker needs no more than to call it.
  await checkWorkingRole(client, [owner, 'postgres'], 'database');
  await client.end();
});

test('A role that may not create tables is refused by the first migration, and migrates with the grants that it names', async () => {
  const role = await database.role('first');
  const grants = `grant create on schema public to ${role}; grant create on database ${database.name} to ${role}`;
  await expect(migrateDatabase(database.urlOf(role))).rejects.toThrow(
    new Refused(
      `The role ${role} of the database cannot migrate the store. Let a superuser run: ${grants}`,
    ),
  );
  await database.client.query(grants);
  await migrateDatabase(database.urlOf(role));
  expect(await owners()).toEqual([role]);
});

test('A role without the rights of the owner may open a store that has nothing to migrate', async () => {
  await migrateDatabase(database.urlOf(await database.owner()));
  await migrateDatabase(database.urlOf(await createSecond()));
});
