import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type Answer, type Asked, type VendorServer, serve } from './http.ts';

/** The database of a branch, which in truth has the name of its parent's at a host of its own. */
interface Branch {
  readonly database: string;
  password: string;
}

interface Project extends Branch {
  readonly id: string;
  readonly name: string;
  /** Further branches, by the host of their endpoint. */
  readonly branches: Record<string, Branch>;
  readonly region_id: string;
  readonly org_id: string;
  readonly pg_version: number;
  /** The number of further requests until its operations are done. */
  left: number;
}

/** Neon's API for projects, written from its documents; each project is a database of a real PostgreSQL. */
export class FakeNeon {
  readonly projects: Project[] = [];
  /** Runs after a project is made and before the answer. */
  onCreated: () => Promise<void> = async () => undefined;
  readonly #server: string;
  #http: VendorServer | undefined;

  /** @param server the address of a PostgreSQL, with its database `postgres` */
  constructor(server: string) {
    this.#server = server;
  }

  async open(): Promise<void> {
    this.#http = await serve((asked) => this.#answer(asked));
  }

  get url(): string {
    return `${this.#http?.url}/api/v2`;
  }

  close = async () => this.#http?.close();

  /** The address of the database behind a connection string. */
  resolve = (connectionString: string): string =>
    this.#addressOf(new URL(connectionString).pathname.slice(1));

  #addressOf = (database: string) => this.#server.replace(/\/postgres$/, `/${database}`);

  async #answer({ method, path, query, headers, body }: Asked): Promise<Answer> {
    if (headers.authorization !== 'Bearer neon-key')
      return { status: 401, body: { code: '', message: 'authorization failed' } };
    if (method === 'GET' && path === '/api/v2/projects')
      return {
        body: {
          projects: this.projects
            .filter(({ name }) => name.includes(query.get('search') ?? ''))
            .filter(({ org_id }) => org_id === (query.get('org_id') ?? 'org-own'))
            .map(shown),
        },
      };
    if (method === 'POST' && path === '/api/v2/projects')
      return { status: 201, body: await this.#create(JSON.parse(body.toString())) };
    const [, id, part] = /^\/api\/v2\/projects\/([^/]+)\/(.+)$/.exec(path) ?? [];
    const project = this.projects.find((one) => one.id === id);
    if (!project) return { status: 404, body: { code: '', message: 'project not found' } };
    if (part === 'endpoints') return { body: { endpoints: this.#endpointsOf(project) } };
    const [, branch, role] =
      /^branches\/([^/]+)\/roles\/(\w+)\/reset_password$/.exec(part ?? '') ?? [];
    if (branch) {
      const one = project.branches[branch] ?? project;
      one.password = randomUUID();
      project.left = 1;
      return { body: { role: { name: role }, operations: [] } };
    }
    if (part === 'connection_uri') return { body: { uri: this.#uriOf(project, query) } };
    const status = project.left-- > 0 ? 'running' : 'finished';
    return {
      body: {
        operations: [{ id: randomUUID(), project_id: id, action: 'create_timeline', status }],
      },
    };
  }

  async #create({
    project,
  }: {
    project: { name: string; region_id?: string; org_id?: string; pg_version: number };
  }) {
    const made = {
      id: `quiet-river-${10_000_000 + this.projects.length}`,
      name: project.name,
      database: `neon_${randomUUID().replaceAll('-', '')}`,
      region_id: project.region_id ?? 'aws-us-east-2',
      org_id: project.org_id ?? 'org-own',
      pg_version: project.pg_version,
      left: 1,
      password: 'secret',
      branches: {},
    };
    const client = new Client({ connectionString: this.#server });
    await client.connect();
    await client.query(`create database ${made.database}`);
    await client.end();
    this.projects.push(made);
    await this.onCreated();
    return { project: shown(made), operations: [], connection_uris: [] };
  }

  #endpointsOf = ({ branches }: Project) =>
    [new URL(this.#server).hostname, ...Object.keys(branches)].map((host) => ({
      ...{ id: host, host, branch_id: host, type: 'read_write' },
    }));

  /** Only the worker uses the pooled string, through the endpoint. */
  #uriOf(project: Project, query: URLSearchParams): string {
    const host = query.get('endpoint_id') ?? '';
    const { database, password } = project.branches[host] ?? project;
    const { username } = new URL(this.#server);
    if (query.get('pooled') === 'true')
      return `postgresql://${username}:${password}@ep-quiet-pooler.aws.neon.example/${database}`;
    if (host in project.branches) return `postgresql://${username}:${password}@${host}/${database}`;
    return `${this.#addressOf(database)}?application_name=${password}`;
  }
}

const shown = ({ id, name, region_id, pg_version }: Project) => ({
  ...{ id, name, region_id, pg_version, history_retention_seconds: 21_600 },
});
