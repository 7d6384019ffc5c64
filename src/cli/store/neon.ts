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
    return { project, isNew: !found, ...(await this.connectionStrings(project.id)) };
  }

  /** Returns the connection strings of a project, with the current password. */
  async connectionStrings(id: string): Promise<ConnectionStrings> {
    return {
      direct: await this.#connectionString(id, false),
      pooled: await this.#connectionString(id, true),
    };
  }

  /** @throws Refused if there is no such project */
  async projectOf(name: string): Promise<string> {
    const project = await this.#find(name);
    if (!project) throw new Refused(`Neon has no project of the name ${name}.`);
    return project.id;
  }

  /** Changes the password of a project; the previous one opens no new connection. */
  async resetPassword(id: string): Promise<void> {
    const Branches = z.object({
      branches: z.array(z.object({ id: z.string(), default: z.boolean() })),
    });
    const { branches } = await this.#ask(Branches, `/projects/${id}/branches`);
    const branch = branches.find((one) => one.default);
    if (!branch) throw new Error(`The project ${id} at Neon has no default branch.`);
    const path = `/projects/${id}/branches/${branch.id}/roles/${role}/reset_password`;
    await this.#ask(z.object({}), path, {});
    await this.#settled(id);
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

  async #connectionString(id: string, pooled: boolean): Promise<string> {
    const query = new URLSearchParams({
      database_name: databaseName,
      role_name: role,
      pooled: String(pooled),
    });
    const { uri } = await this.#ask(
      z.object({ uri: z.string() }),
      `/projects/${id}/connection_uri?${query.toString()}`,
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
