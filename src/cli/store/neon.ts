import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { Refused } from '../support/command.ts';

const Project = z.object({
  id: z.string(),
  name: z.string(),
  pg_version: z.int(),
  history_retention_seconds: z.int().optional(),
});
type Project = z.output<typeof Project>;

export interface ConnectionStrings {
  readonly pooled: string;
  readonly direct: string;
}

/** A database that connection strings lead to; without a branch, in the default one. */
interface NeonPlace {
  readonly project: string;
  readonly database: string;
  readonly role: string;
  readonly branch?: string;
  readonly endpoint?: string;
}

/** A database in a known branch. */
type FoundPlace = Required<NeonPlace>;

interface NeonDatabase extends ConnectionStrings {
  readonly project: Project;
  readonly isNew: boolean;
}

/** The version of PostgreSQL that new projects get. */
const postgresVersion = 17;

/** States of an operation in progress. */
const goingOn = ['scheduling', 'running', 'cancelling'];

const databaseName = 'neondb';
const role = 'neondb_owner';

export class Neon {
  readonly #key: string;
  readonly #base: string;
  readonly #organisation: string | undefined;

  /** @param environment has NEON_API_KEY, and also NEON_ORG_ID if the key belongs to a person */
  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#key = environment['NEON_API_KEY'] ?? '';
    this.#organisation = environment['NEON_ORG_ID'];
    this.#base = environment['NEON_API_BASE_URL'] ?? 'https://console.neon.tech/api/v2';
  }

  /** Finds the project of this name, or creates it, and waits until it is ready. */
  async openDatabase(name: string, region: string | undefined): Promise<NeonDatabase> {
    const found = await this.#find(name);
    const project = found ?? (await this.#create(name, region));
    await this.#settled(project.id);
    const place = { project: project.id, database: databaseName, role };
    return { project, isNew: !found, ...(await this.connectionStrings(place)) };
  }

  /** Returns the connection strings of a database, with the current password. */
  async connectionStrings(place: NeonPlace): Promise<ConnectionStrings> {
    return {
      direct: await this.#connectionString(place, false),
      pooled: await this.#connectionString(place, true),
    };
  }

  /** Returns the id of the project with this name, or none. */
  async projectOf(name: string): Promise<string | undefined> {
    return (await this.#find(name))?.id;
  }

  /** Finds the branch of a project that a direct connection string leads to. */
  async placeOf(project: string, url: string): Promise<FoundPlace | undefined> {
    const { hostname, pathname, username } = new URL(url);
    const Endpoints = z.object({
      endpoints: z.array(z.object({ id: z.string(), host: z.string(), branch_id: z.string() })),
    });
    const { endpoints } = await this.#ask(Endpoints, `/projects/${project}/endpoints`);
    const endpoint = endpoints.find(({ host }) => host === hostname);
    return (
      endpoint && {
        ...{ project, branch: endpoint.branch_id, endpoint: endpoint.id },
        ...{ database: decodeURIComponent(pathname.slice(1)), role: decodeURIComponent(username) },
      }
    );
  }

  /** Changes the password of a role in its branch; the previous one opens no new connection. */
  async resetPassword({ project, branch, role: name }: FoundPlace): Promise<void> {
    const path = `/projects/${project}/branches/${branch}/roles/${encodeURIComponent(name)}/reset_password`;
    await this.#ask(z.object({}), path, {});
    await this.#settled(project);
  }

  async #find(name: string): Promise<Project | undefined> {
    const query = new URLSearchParams({ search: name, limit: '100' });
    if (this.#organisation) query.set('org_id', this.#organisation);
    const { projects } = await this.#ask(
      z.object({ projects: z.array(Project) }),
      `/projects?${query.toString()}`,
    );
    const named = projects.filter((project) => project.name === name);
    if (named.length > 1)
      throw new Refused(
        `Neon has ${named.length} projects of the name ${name}. Delete all but one.`,
      );
    return named[0];
  }

  async #create(name: string, region: string | undefined): Promise<Project> {
    const project = {
      name,
      pg_version: postgresVersion,
      ...(region && { region_id: region }),
      ...(this.#organisation && { org_id: this.#organisation }),
      branch: { database_name: databaseName, role_name: role },
    };
    const made = await this.#ask(z.object({ project: Project }), '/projects', { project });
    return made.project;
  }

  /** Waits for the operations of a project. */
  async #settled(id: string): Promise<void> {
    const Operations = z.object({ operations: z.array(z.object({ status: z.string() })) });
    for (let tries = 0; tries < 120; tries++) {
      const { operations } = await this.#ask(Operations, `/projects/${id}/operations?limit=100`);
      if (!operations.some(({ status }) => goingOn.includes(status))) return;
      await pause(1000);
    }
    throw new Error('Neon did not finish creating the database within two minutes.');
  }

  async #connectionString(place: NeonPlace, pooled: boolean): Promise<string> {
    const { project, branch, endpoint } = place;
    const query = new URLSearchParams({
      database_name: place.database,
      role_name: place.role,
      pooled: String(pooled),
      ...(branch && { branch_id: branch }),
      ...(endpoint && { endpoint_id: endpoint }),
    });
    const { uri } = await this.#ask(
      z.object({ uri: z.string() }),
      `/projects/${project}/connection_uri?${query.toString()}`,
    );
    return uri;
  }

  async #ask<T>(schema: z.ZodType<T>, path: string, body?: object): Promise<T> {
    const response = await fetch(this.#base + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${this.#key}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      signal: AbortSignal.timeout(30_000),
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.ok) return schema.parse(answer);
    const said = z.object({ message: z.string() }).safeParse(answer).data?.message;
    const text = `Neon answered ${response.status}${said ? `: ${said}` : ''}`;
    throw [400, 401, 403, 422].includes(response.status) ? new Refused(text) : new Error(text);
  }
}
