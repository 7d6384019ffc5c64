import type { Client } from 'pg';
import { hashToken, parseToken, readPeppers } from '../kernel/auth/secret-token.ts';
import { drawId, nextId } from '../kernel/database/statements.ts';
import { isRefusal } from '../kernel/errors/errors.ts';
import { newKey } from '../domain/key/rules.ts';
import type { KeyCreate } from '../domain/key/schemas.ts';
import { newSecret } from '../domain/key/secret.ts';
import { shopManagerId } from '../schema/staff.ts';
import { insertKey, revokeKey, rotateKey, writtenRanges } from '../queries/keys.ts';
import { commandLineRow } from './support/audit.ts';
import { Refused } from './support/refusals.ts';
import { inTransaction, send, sendTogether } from './support/statements.ts';

type Fields = Record<string, unknown>;

export interface KeyRecord {
  id: number;
  name: string;
  prefixes: string[];
  /** The versions of its secrets' peppers. */
  peppers: number[];
  scopes: string[];
  /** True if the key may issue sessions for administrators. */
  signs_in_administrators: boolean;
  /** The addresses and ranges that may use the key; null means any. */
  ip_allow: string[] | null;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

export class Keys {
  readonly #client: Client;
  readonly #peppers: string;

  constructor(client: Client, peppers: string) {
    this.#client = client;
    this.#peppers = peppers;
  }

  /**
   * @returns the whole key, which is shown only now
   * @throws Refused if it would have ended already
   */
  async create(key: KeyCreate, now = new Date()): Promise<string> {
    const { token, kept } = await newSecret(await readPeppers(this.#peppers));
    const allowed = await send(this.#client, writtenRanges(key.ip_allow));
    const made = newKey(key, {
      id: nextId(await send(this.#client, drawId('api_keys'))),
      ip_allow: allowed.rows[0]?.ranges ?? null,
      created_by: null,
      prefix: kept.prefix,
      now,
    });
    if (isRefusal(made)) throw new Refused('The end of a key must be in the future.');
    const row = commandLineRow({ operation: 'keys.create', record: made.id }, now);
    await sendTogether(this.#client, [...insertKey(made, kept), ...row]);
    return token;
  }

  /** Tells if the key exists, is live, and was made with these peppers. */
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

  /** Gives the key of a token the scopes that it lacks. */
  async addScopes(token: string, wanted: readonly string[]): Promise<void> {
    await inTransaction(this.#client, async () => {
      const { rows } = await this.#client.query<{ id: string; before: Fields; after: Fields }>(
        `with found as (
           select k.id, scopes from api_keys k join api_key_secrets s on s.api_key_id = k.id
            where prefix = $1 and not scopes @> $2 for update of k
         )
         update api_keys k
            set scopes = found.scopes || array(
                  select one from unnest($2::text[]) one where one <> all (found.scopes))
           from found where k.id = found.id
         returning k.id, jsonb_build_object('scopes', found.scopes) as before,
                   jsonb_build_object('scopes', k.scopes) as after`,
        [parseToken('svcapi', token)?.prefix, wanted],
      );
      for (const { id, before, after } of rows) {
        const entry = { operation: 'keys.update', record: id, change: { before, after } };
        for (const row of commandLineRow(entry, new Date())) await send(this.#client, row);
      }
    });
  }

  async list(): Promise<KeyRecord[]> {
    const { rows } = await this.#client.query<Omit<KeyRecord, 'id'> & { id: string }>(
      `select k.id, name, scopes, signs_in_administrators, ip_allow::text[], k.created_at, k.expires_at, revoked_at, last_used_at, s.*
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

  /** @returns false if there is no such live key */
  revoke(id: number): Promise<boolean> {
    const now = new Date();
    const row = commandLineRow({ operation: 'keys.revoke', record: id }, now);
    return sendTogether(this.#client, [revokeKey(id, now), ...row]);
  }

  /** @returns false if no active user has this e-mail address */
  makeAdministrator(email: string): Promise<boolean> {
    return inTransaction(this.#client, () =>
      this.#changeRoles(
        email,
        "status = 'active'",
        "roles = case when u.roles @> '{administrator}' then u.roles else u.roles || '{administrator}' end",
      ),
    );
  }

  /**
   * Removes the role, with immediate effect on sessions.
   * @returns false if no administrator has this e-mail address
   * @throws Refused for the last active administrator
   */
  async unmakeAdministrator(email: string): Promise<boolean> {
    try {
      return await inTransaction(this.#client, async () => {
        await this.#client.query(
          `select svc_keep_administrator(id) from users
            where email = lower($1) and status = 'active' and roles @> '{administrator}'`,
          [email],
        );
        return this.#changeRoles(
          email,
          "roles @> '{administrator}'",
          "roles = coalesce(nullif(array_remove(u.roles, 'administrator'), '{}'), '{member}')",
        );
      });
    } catch (error) {
      if ((error as Error).message !== 'last_administrator') throw error;
      throw new Refused('This is the only administrator. Appoint another one first.', {
        cause: error,
      });
    }
  }

  async roles(): Promise<{ name: string; people: number; scopes: string[] }[]> {
    const { rows } = await this.#client.query<{ name: string; people: number; scopes: string[] }>(
      `select name, (select count(*)::int from users u where u.staff_role_id = r.id) as people, scopes
         from staff_roles r order by id`,
    );
    return rows;
  }

  /**
   * Gives a user a role in the console, or removes it. Only a removal is possible for blocked users.
   * @returns false if no such user has this e-mail address
   * @throws Error for an unknown role
   */
  giveRole(email: string, role: string | null): Promise<boolean> {
    return inTransaction(this.#client, async () => {
      const { rows } = await this.#client.query<{ id: string }>(
        'select id from staff_roles where lower(name) = lower($1) for key share',
        [role],
      );
      const id = rows[0]?.id ?? null;
      if (role !== null && id === null)
        throw new Refused(`There is no role ${role}. \`roles\` lists them.`);
      const others = "array_remove(u.roles, 'shop-manager')";
      return this.#changeRoles(
        email,
        role === null ? "status <> 'anonymised'" : "status = 'active'",
        Number(id) === shopManagerId
          ? `staff_role_id = ${id}, roles = ${others} || '{shop-manager}'`
          : `staff_role_id = ${id}, roles = coalesce(nullif(${others}, '{}'), '{member}')`,
      );
    });
  }

  /**
   * Changes roles within the open transaction.
   * @returns false if no such user has this address
   */
  async #changeRoles(email: string, condition: string, changed: string): Promise<boolean> {
    const roles = (row: string) =>
      `jsonb_build_object('roles', ${row}.roles, 'staff_role_id', ${row}.staff_role_id)`;
    const { rows } = await this.#client.query<{ id: string; before: Fields; after: Fields }>(
      `with found as (
         select * from users where email = lower($1) and ${condition} for update
       )
       update users u set ${changed}, updated_at = now(), version = u.version + 1,
              -- As with the API, a first role ends earlier sessions.
              sessions_valid_after = case when u.staff_role_id is null and not u.roles @> '{administrator}'
                then date_trunc('milliseconds', now()) else u.sessions_valid_after end
         from found where u.id = found.id
       returning u.id, ${roles('found')} as before, ${roles('u')} as after`,
      [email],
    );
    for (const { id, before, after } of rows) {
      const entry = { operation: 'users.update', record: id, change: { before, after } };
      for (const row of commandLineRow(entry, new Date())) await send(this.#client, row);
    }
    return rows.length === 1;
  }

  /**
   * Gives a key a new secret; the old one stays valid for `overlapHours`.
   * @returns the whole new key; undefined if there is no such live key
   */
  async rotate(id: number, overlapHours: number): Promise<string | undefined> {
    const { token, kept } = await newSecret(await readPeppers(this.#peppers));
    const now = new Date();
    const row = commandLineRow({ operation: 'keys.rotate', record: id }, now);
    const statements = [...rotateKey(id, kept, overlapHours * 3600, now), ...row];
    return (await sendTogether(this.#client, statements)) ? token : undefined;
  }
}
