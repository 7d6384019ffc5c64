import type { Client } from 'pg';
import { generateToken, hashToken, parseToken, readPeppers } from '../kernel/auth/secret-token.ts';
import type { Scope } from '../schema/scopes.ts';

/** A key's record, as the key command lists it. */
export interface KeyRecord {
  id: number;
  name: string;
  prefixes: string[];
  /** The versions of the peppers that its secrets were made with. */
  peppers: number[];
  scopes: string[];
  /** Whether it may issue sessions for administrators. */
  signs_in_administrators: boolean;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Whether it may issue sessions for administrators, which makes it as good as one. */
  readonly signs_in_administrators: boolean;
  readonly expires_at?: Date | undefined;
  /** Addresses and ranges the key may be used from, as CIDR; everywhere when absent. */
  readonly ip_allow?: readonly string[] | undefined;
}

/** The API keys of the store in a database, for the command line: no endpoint makes keys. */
export class Keys {
  readonly #client: Client;
  readonly #peppers: string;

  constructor(client: Client, peppers: string) {
    this.#client = client;
    this.#peppers = peppers;
  }

  /** Makes a key. @returns the whole key: this is the only time it can be seen */
  async create({ name, scopes, signs_in_administrators, ...limits }: NewKey): Promise<string> {
    const { token, prefix } = generateToken('svcapi');
    const [hash] = await hashToken(token, await readPeppers(this.#peppers));
    await this.#client.query(
      `with k as (
         insert into api_keys (name, scopes, signs_in_administrators, expires_at, ip_allow,
                               created_by, created_at)
         values ($1, $2, $3, $4, $5, 'command line', now()) returning id
       )
       insert into api_key_secrets (prefix, api_key_id, hash, pepper_version, created_at)
       select $6, id, $7, $8, now() from k`,
      [
        name,
        scopes,
        signs_in_administrators,
        limits.expires_at,
        limits.ip_allow,
        prefix,
        hash?.hash,
        hash?.version,
      ],
    );
    return token;
  }

  /** Whether the service takes this key: it is there, live, and made with these peppers. */
  async accepts(token: string): Promise<boolean> {
    const { rows } = await this.#client.query<{ hash: string }>(
      `select hash from api_key_secrets s join api_keys k on k.id = s.api_key_id
        where prefix = $1 and revoked_at is null
          and least(s.expires_at, k.expires_at, 'infinity') > now()`,
      [parseToken('svcapi', token)?.prefix],
    );
    const hashes = await hashToken(token, await readPeppers(this.#peppers));
    return hashes.some(({ hash }) => hash === rows[0]?.hash);
  }

  /** Every key, with the secrets that are not past their end. */
  async list(): Promise<KeyRecord[]> {
    const { rows } = await this.#client.query<Omit<KeyRecord, 'id'> & { id: string }>(
      `select k.id, name, scopes, signs_in_administrators, k.created_at, k.expires_at, revoked_at, last_used_at, s.*
         from api_keys k cross join lateral (
           select coalesce(array_agg(prefix order by created_at), '{}') as prefixes,
                  coalesce(array_agg(distinct pepper_version), '{}') as peppers
             from api_key_secrets
            where api_key_id = k.id and (expires_at is null or expires_at > now())
         ) s
        order by k.id`,
    );
    return rows.map((row) => ({ ...row, id: Number(row.id) }));
  }

  /** Revokes a key: it is refused on its next request. @returns whether there is such a live key */
  async revoke(id: number): Promise<boolean> {
    const { rowCount } = await this.#client.query(
      'update api_keys set revoked_at = now() where id = $1 and revoked_at is null',
      [id],
    );
    return rowCount === 1;
  }

  /**
   * Makes a user an administrator, which no API key can.
   * @returns whether there is a user of this e-mail address who isn't blocked
   */
  async makeAdministrator(email: string): Promise<boolean> {
    const { rowCount } = await this.#client.query(
      `update users set roles = array(select distinct unnest(roles || '{administrator}')),
              updated_at = now(), version = version + 1
        where email = lower($1) and status = 'active'`,
      [email],
    );
    return rowCount === 1;
  }

  /**
   * Takes the role of an administrator, whose sessions lose it at once.
   * @returns whether there is an administrator of this e-mail address
   * @throws Error for the last one who isn't blocked
   */
  async unmakeAdministrator(email: string): Promise<boolean> {
    await this.#client.query('begin');
    try {
      await this.#client.query(
        `select svc_keep_administrator(id) from users
          where email = lower($1) and status = 'active' and roles @> '{administrator}'`,
        [email],
      );
      const { rowCount } = await this.#client.query(
        `update users set roles = coalesce(nullif(array_remove(roles, 'administrator'), '{}'), '{member}'),
                updated_at = now(), version = version + 1
          where email = lower($1) and roles @> '{administrator}'`,
        [email],
      );
      await this.#client.query('commit');
      return rowCount === 1;
    } catch (error) {
      await this.#client.query('rollback');
      if ((error as Error).message !== 'last_administrator') throw error;
      throw new Error('This is the only administrator. Appoint another one first.', {
        cause: error,
      });
    }
  }

  /**
   * Gives a key a new secret; the old one works on for `overlapHours`.
   * @returns the whole new key, or undefined when there is no such live key
   */
  async rotate(id: number, overlapHours: number): Promise<string | undefined> {
    const { token, prefix } = generateToken('svcapi');
    const [hash] = await hashToken(token, await readPeppers(this.#peppers));
    const { rowCount } = await this.#client.query(
      `with k as (
         select id from api_keys
          where id = $1 and revoked_at is null and (expires_at is null or expires_at > now())
       ),
       ending as (
         update api_key_secrets set expires_at = least(expires_at, now() + make_interval(hours => $2))
          where api_key_id = (select id from k)
       )
       insert into api_key_secrets (prefix, api_key_id, hash, pepper_version, created_at)
       select $3, id, $4, $5, now() from k`,
      [id, overlapHours, prefix, hash?.hash, hash?.version],
    );
    return rowCount === 1 ? token : undefined;
  }
}
