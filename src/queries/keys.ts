import { type SQL, and, desc, eq, isNull, sql } from 'drizzle-orm';
import { build, guard, raw } from '../kernel/database/statements.ts';
import { type Json, fromJson } from '../kernel/database/records.ts';
import { type Instant, addSeconds } from '../lib/instant.ts';
import type { KeyRow } from '../domain/key/rules.ts';
import type { StoredSecret } from '../domain/key/secret.ts';
import { apiKeyRefusals, apiKeyUse } from '../schema/key-use.ts';
import { apiKeySecrets, apiKeys } from '../schema/platform.ts';
import { users } from '../schema/users.ts';

type Secrets = KeyRow['secrets'];

/** The secrets of a key that have not ended, oldest first. */
const secretsAt = (now: Date): SQL.Aliased<Secrets> =>
  sql`(select coalesce(jsonb_agg(jsonb_build_object('prefix', s.prefix, 'expires_at', s.expires_at)
      order by s.created_at), '[]') from api_key_secrets s
    where s.api_key_id = ${apiKeys.id} and (s.expires_at is null or s.expires_at > ${now.toISOString()}))`
    .mapWith((json: Json<Secrets>) =>
      fromJson(json).map(({ prefix, expires_at }) => ({ prefix, expires_at: utc(expires_at) })),
    )
    .as('secrets');

const utc = (moment: Instant | null) => moment && new Date(moment).toISOString();

const ranges = sql`to_jsonb(${apiKeys.ip_allow}::text[])`
  .mapWith((json: Json<string[]>) => fromJson(json))
  .as('ip_allow') as SQL.Aliased<string[] | null>;

const selectKeys = (now: Date) =>
  build
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      scopes: apiKeys.scopes,
      ip_allow: ranges,
      signs_in_administrators: apiKeys.signs_in_administrators,
      created_by: { id: users.id, display_name: users.display_name },
      created_at: apiKeys.created_at,
      expires_at: apiKeys.expires_at,
      revoked_at: apiKeys.revoked_at,
      last_used_at: apiKeys.last_used_at,
      secrets: secretsAt(now),
    })
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.created_by));

export const findKey = (id: number, now: Date) => selectKeys(now).where(eq(apiKeys.id, id));

/** Lists keys: revoked ones last, newest first. The limit is above any real number of keys. */
export const listKeys = (now: Date) =>
  selectKeys(now)
    .orderBy(sql`${apiKeys.revoked_at} is not null`, desc(apiKeys.id))
    .limit(500);

/** Address ranges in the database's spelling. */
export const writtenRanges = (given: readonly string[] | null = null) =>
  raw<{ ranges: string[] | null }>(sql`select jsonb_agg(network(r::inet)::text order by n) as ranges
    from unnest(${sql.param(given)}::text[]) with ordinality u(r, n)`);

const written = ({ name, scopes, ip_allow, signs_in_administrators, expires_at }: KeyRow) => ({
  name,
  scopes: [...scopes],
  ip_allow: ip_allow && [...ip_allow],
  signs_in_administrators,
  expires_at,
});

export const insertKey = (key: KeyRow, secret: StoredSecret) => [
  build.insert(apiKeys).values({
    ...written(key),
    id: key.id,
    created_by: key.created_by?.id,
    created_at: key.created_at,
  }),
  insertSecret(key.id, secret, key.created_at),
];

const insertSecret = (id: number, secret: StoredSecret, at: Instant) =>
  build.insert(apiKeySecrets).values({ ...secret, api_key_id: id, created_at: at });

export const saveKey = (before: KeyRow, after: KeyRow) =>
  guard(
    build
      .update(apiKeys)
      .set(written(after))
      .where(
        and(
          eq(apiKeys.id, before.id),
          isNull(apiKeys.revoked_at),
          eq(apiKeys.name, before.name),
          eq(apiKeys.scopes, [...before.scopes]),
          eq(apiKeys.signs_in_administrators, before.signs_in_administrators),
          sql`${apiKeys.expires_at} is not distinct from ${before.expires_at}::timestamptz`,
          sql`${apiKeys.ip_allow}::text[] is not distinct from ${sql.param(before.ip_allow)}::text[]`,
        ),
      )
      .returning({ id: apiKeys.id }),
    'rest_conflict',
  );

/** Refuses a key that is revoked already. */
export const revokeKey = (id: number, now: Date) =>
  guard(
    build
      .update(apiKeys)
      .set({ revoked_at: now.toISOString() })
      .where(and(eq(apiKeys.id, id), isNull(apiKeys.revoked_at)))
      .returning({ id: apiKeys.id }),
    'rest_conflict',
  );

/**
 * Adds a secret to a key, and ends its old secrets after some seconds. Rotations are serialised, because a secret of a
 * parallel rotation would never end.
 */
export const rotateKey = (id: number, secret: StoredSecret, overlap: number, now: Date) => [
  guard(
    build
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(
        and(
          eq(apiKeys.id, id),
          isNull(apiKeys.revoked_at),
          sql`coalesce(${apiKeys.expires_at} > ${now.toISOString()}, true)`,
        ),
      )
      .for('no key update'),
    'svc_key_ended',
  ),
  build
    .update(apiKeySecrets)
    .set({
      expires_at: sql`least(expires_at, ${addSeconds(now.toISOString(), overlap)}::timestamptz)`,
    })
    .where(eq(apiKeySecrets.api_key_id, id)),
  insertSecret(id, secret, now.toISOString()),
];

/** The first of the last 30 days, in the store's time zone. */
const firstDay = (now: Date) =>
  sql`((${now.toISOString()}::timestamptz at time zone (select timezone from settings))::date - 29)`;

/** Counts the uses of a key by outcome, on each of the last 30 days. */
export const keyDays = (id: number, now: Date) =>
  raw<{ day: string; calls: Record<string, number> }>(sql`
    select d.day::text, (
      select coalesce(jsonb_object_agg(outcome, n), '{}') from (
        select outcome, sum(n) as n from ${apiKeyUse}
         where api_key_id = ${id} and ${apiKeyUse}.day = d.day group by outcome) o) as calls
      from (select ${firstDay(now)} + i as day from generate_series(0, 29) i) d order by 1`);

export const keyOperations = (id: number, now: Date) =>
  build
    .selectDistinct({ operation: apiKeyUse.operation })
    .from(apiKeyUse)
    .where(and(eq(apiKeyUse.api_key_id, id), sql`${apiKeyUse.day} >= ${firstDay(now)}`));

export const keyRefusals = (id: number) =>
  build
    .select()
    .from(apiKeyRefusals)
    .where(eq(apiKeyRefusals.api_key_id, id))
    .orderBy(desc(apiKeyRefusals.at), desc(apiKeyRefusals.id))
    .limit(50);
