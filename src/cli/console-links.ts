import type { Client } from 'pg';
import { generateToken, hashToken, readPeppers } from '../kernel/auth/secret-token.ts';
import { linkLifetime } from '../domain/console/rules.ts';
import { commandLineRow } from './support/audit.ts';
import { inTransaction, send } from './support/statements.ts';

/** Makes sign-in links for the console. Whoever has the database may do so. */
export class ConsoleLinks {
  readonly #client: Client;
  readonly #peppers: string;

  constructor(client: Client, peppers: string) {
    this.#client = client;
    this.#peppers = peppers;
  }

  /**
   * The e-mail address of an administrator who isn't blocked, if there is one.
   * @param preferred an address that is taken rather than that of the first administrator
   */
  async administrator(preferred = ''): Promise<string | undefined> {
    const { rows } = await this.#client.query<{ email: string }>(
      `select email from users
        where status = 'active' and email is not null and roles @> '{administrator}'
        order by email = lower($1) desc, id limit 1`,
      [preferred],
    );
    return rows[0]?.email;
  }

  /**
   * Makes a link that is valid once, for ten minutes.
   * @param baseUrl the address of the deployment, without a path
   * @returns undefined if nobody with a role in the console has this e-mail address
   */
  async create(email: string, baseUrl: string, now = new Date()): Promise<string | undefined> {
    const { token, prefix } = generateToken('svclink');
    const [hash] = await hashToken(token, await readPeppers(this.#peppers));
    const made = await inTransaction(this.#client, async () => {
      const { rows } = await this.#client.query<{ user_id: string }>(
        `insert into console_links (prefix, hash, pepper_version, user_id, created_at, expires_at)
         select $1, $2, $3, id, $4::timestamptz, $4::timestamptz + make_interval(secs => $5) from users
          where email = lower($6) and status = 'active'
            and (roles @> '{administrator}' or staff_role_id is not null)
         returning user_id`,
        [prefix, hash?.hash, hash?.version, now, linkLifetime, email],
      );
      for (const { user_id } of rows) {
        const entry = { operation: 'console.links.create', subject: 'users', record: user_id };
        for (const row of commandLineRow(entry, now)) await send(this.#client, row);
      }
      return rows.length === 1;
    });
    return made ? `${baseUrl}/console/#link=${token}` : undefined;
  }
}
