import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { type NeonEndpoint, startNeonEndpoint } from '../../src/local/neon/index.ts';

export interface Clone {
  /** The address over TCP, for clients besides the service. */
  readonly url: string;
  /** The address of the socket, which takes less processor time. */
  readonly near: string;
  readonly neon: NeonEndpoint;
  /** Returns the clone when its store is closed. */
  release(): Promise<void>;
}

/** Emptied clones of this process. Their connections stay open, because new ones would compile the functions again. */
const spare: Clone[] = [];

export async function takeClone(): Promise<Clone> {
  return spare.pop() ?? reusable(await cloneOf('template_store'));
}

export async function cloneOf(template: string): Promise<Clone> {
  const server = inject('postgresUrl');
  const name = `store_${randomUUID().replaceAll('-', '')}`;
  const admin = new Client({ connectionString: server });
  await admin.connect();
  // Copying files takes half the processor time of copying pages.
  await admin.query(`create database ${name} template ${template} strategy file_copy`);
  await admin.end();
  const { port } = new URL(server);
  const near = `postgres://postgres@${encodeURIComponent(inject('postgresFolder'))}:${port}/${name}`;
  const neon = await startNeonEndpoint({ resolve: () => near, poolSize: 80 });
  const url = server.replace(/\/postgres$/, `/${name}`);
  return { url, near, neon, release: () => neon.close() };
}

/** Returns a clone that is emptied for another store on release, unless more than its rows has changed. */
async function reusable(clone: Clone): Promise<Clone> {
  const { near, neon } = clone;
  const client = new Client({ connectionString: near });
  // Some tests stop PostgreSQL, which would end a process without this listener.
  client.on('error', () => {});
  await client.connect();
  await client.query(`set session_replication_role = replica; set lock_timeout = '5s'`);
  const initial = await stateOf(client);
  const seeds = await seedsIn(client);
  const kept: Clone = {
    ...clone,
    async release() {
      neon.faults.clear();
      neon.trips.total = 0;
      const isSame = await stateOf(client).then(
        (state) => state === initial,
        () => false,
      );
      if (isSame && (await empty(client, seeds))) spare.push(kept);
      else await Promise.all([neon.close(), client.end()]);
    },
  };
  return kept;
}

/** Describes the state that emptying keeps: the schema, the statistics, a large size, and other clients. */
async function stateOf(client: Client): Promise<string> {
  const catalogues = [
    "pg_class where relnamespace = 'public'::regnamespace",
    "pg_proc where pronamespace = 'public'::regnamespace",
    ...['pg_trigger', 'pg_constraint', 'pg_attrdef', 'pg_statistic', 'pg_db_role_setting'],
    "pg_namespace where nspname !~ '^pg_'",
    'drizzle.__drizzle_migrations',
  ];
  const parts = catalogues.map(
    (rows) => `(select count(*) || ':' || coalesce(sum(xmin::text::bigint), 0) from ${rows})`,
  );
  const large = 'pg_database_size(current_database()) > 60000000';
  // Clients besides the service use TCP. A remaining one, or a statement whose caller is gone, could write into the
  // next store.
  const others = `(select count(*) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and (client_addr is not null or state <> 'idle'))`;
  const { rows } = await client.query<[string]>({
    text: `select concat_ws(' ', ${parts.join(', ')}, ${large}, ${others})`,
    rowMode: 'array',
  });
  return String(rows[0]);
}

interface Seeds {
  /** The rows of the tables that aren't empty, as JSON. */
  readonly rows: { readonly name: string; readonly rows: string }[];
  readonly sequences: { readonly name: string; readonly next: string; readonly used: boolean }[];
}

async function seedsIn(client: Client): Promise<Seeds> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const rows = [];
  for (const { name } of tables) {
    const {
      rows: [found],
    } = await client.query(`select jsonb_agg(t)::text as rows from ${name} t`);
    if (found.rows !== null) rows.push({ name, rows: found.rows });
  }
  const { rows: sequences } = await client.query(
    `select quote_ident(sequencename) as name, coalesce(last_value, start_value) as next,
            last_value is not null as used from pg_sequences where schemaname = 'public'`,
  );
  return { rows, sequences };
}

/**
 * Empties all tables, except for the rows that migrations insert.
 * @returns false if a table is still locked
 */
async function empty(client: Client, { rows, sequences }: Seeds): Promise<boolean> {
  const statements = [
    ...rows.map(
      ({ name, rows }) =>
        `insert into ${name} select * from jsonb_populate_recordset(null::${name}, ${client.escapeLiteral(rows)})`,
    ),
    ...sequences.map(({ name, next, used }) => `select setval('${name}', ${next}, ${used})`),
  ];
  const clear = `do $$ declare t regclass; filled boolean; begin
    for t in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
                and pg_relation_size(oid) > 0 loop
      execute format('select exists (select from %s)', t) into filled;
      if filled then execute format('delete from %s', t); end if;
    end loop; end $$`;
  return client.query([clear, ...statements].join(';')).then(
    () => true,
    () => false,
  );
}
