import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { emptyDatabase } from '../upgrade/old-store.ts';

/** A new database on the server of the tests, and roles that are no superusers. */
export class RoleDatabase {
  /** The superuser of the server. */
  readonly client: Client;
  readonly #url: string;
  readonly #roles: string[] = [];

  private constructor(client: Client, url: string) {
    this.client = client;
    this.#url = url;
  }

  static async open(): Promise<RoleDatabase> {
    const { client, url } = await emptyDatabase();
    return new RoleDatabase(client, url);
  }

  /** Creates a role that may log in. */
  async role(kind: string): Promise<string> {
    const name = `${kind}_${randomUUID().slice(0, 8)}`;
    await this.client.query(`create role ${name} login`);
    this.#roles.push(name);
    return name;
  }

  /** Creates a role that may migrate the empty database. */
  async owner(): Promise<string> {
    const owner = await this.role('owner');
    await this.client.query(`grant create on schema public to ${owner};
      grant create on database ${this.name} to ${owner}`);
    return owner;
  }

  get name(): string {
    return new URL(this.#url).pathname.slice(1);
  }

  urlOf(role: string): string {
    const url = new URL(this.#url);
    url.username = role;
    return url.href;
  }

  async close(): Promise<void> {
    await this.client.end();
    const server = new Client({ connectionString: inject('postgresUrl') });
    await server.connect();
    await server.query(`drop database ${this.name} with (force)`);
    for (const role of this.#roles) await server.query(`drop role ${role}`);
    await server.end();
  }
}
