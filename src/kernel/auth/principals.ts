import * as z from 'zod';
import { once } from '../../lib/once.ts';
import { DatabaseRefusal } from '../database/errors.ts';
import type { Authorising } from '../database/stored-function.ts';
import type { Access } from './access.ts';
import { type Peppers, hashToken, parseToken } from './secret-token.ts';
import type { Capability, Scope } from '../vocabulary/vocabulary.ts';
import type { ConsolePrincipal, ConsoleRights } from './console-session.ts';
import { type SessionClaims, type SessionKeys, verifySession } from './session-token.ts';
import type { Actor } from './actor.ts';

interface KeyRow {
  id: number;
  scopes: string[];
  last_used_at: string | null;
  signs_in_administrators: boolean;
}

/** The caller behind an API key, known after the first trip. */
export class KeyPrincipal {
  readonly kind = 'key';
  #row: KeyRow | undefined;

  accept(answer: unknown): void {
    this.#row = answer as KeyRow;
  }

  get row() {
    if (!this.#row) throw new Error('The key is known only after the first trip.');
    return this.#row;
  }

  get actor(): Actor {
    return { type: 'key', id: this.row.id };
  }

  has(scope: Scope): boolean {
    return this.row.scopes.includes(scope);
  }

  /** Does nothing: a key is checked with every request. */
  requireFresh(_now: Date): void {}

  get signsInAdministrators(): boolean {
    return this.row.signs_in_administrators;
  }
}

/** Callers with the rights of an API key: a key itself, or a user signed in to the console. */
export type ScopedPrincipal = KeyPrincipal | ConsolePrincipal;

/** The user of a session token, and the administrator who switched to that user. */
export class SessionPrincipal {
  readonly kind = 'session';
  readonly claims: SessionClaims;
  /** The user of every `/me` endpoint; always from the token. */
  readonly userId: number;
  readonly actorId: number | null;
  /** Comes from the token and is confirmed by the first trip. */
  readonly isAdmin: boolean;

  constructor(claims: SessionClaims, isAdmin: boolean = claims.admin) {
    this.claims = claims;
    this.userId = Number(claims.sub);
    this.actorId = claims.act ? Number(claims.act.sub) : null;
    this.isAdmin = isAdmin;
  }

  get actor(): Actor {
    return { type: 'user', id: this.actorId ?? this.userId };
  }
}

export class Anyone {
  readonly kind = 'anyone';
  readonly actor: Actor = { type: 'system', id: null };
}

export type Principal = ScopedPrincipal | SessionPrincipal | Anyone;

export type PrincipalOf<A extends Access> = A extends { kind: 'key' }
  ? ScopedPrincipal
  : A extends { kind: 'console' }
    ? ConsolePrincipal
    : A extends { console: true }
      ? ConsolePrincipal | SessionPrincipal
      : A extends { kind: 'open' }
        ? Anyone
        : SessionPrincipal;

/** The secrets and names that credentials are checked with. */
export interface Authority extends ConsoleRights {
  readonly peppers: Peppers;
  readonly sessionKeys: SessionKeys;
  readonly issuer: string;
  readonly audience: string;
}

export interface Credentials {
  readonly authorization: string | undefined;
  /** The `X-Svc-Key` header, for keys whose `Authorization` header a proxy uses. */
  readonly apiKey: string | undefined;
  readonly ip: string | undefined;
}

export interface Authentication {
  readonly principal: Principal;
  /** The check of the caller in the first trip; undefined for open endpoints. */
  readonly authorising: Authorising | undefined;
}

const address = once(() => z.union([z.ipv4(), z.ipv6()]));

export const bearer = (header: string | undefined): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];

/**
 * Checks the credentials as far as possible without a trip, and plans the check in the first trip.
 * @throws DatabaseRefusal, as the trip would, for credentials that cannot be valid
 */
export async function authenticate(
  access: Exclude<Access, { kind: 'console' }>,
  credentials: Credentials,
  authority: Authority,
  now: Date,
): Promise<Authentication> {
  switch (access.kind) {
    case 'open':
      return { principal: new Anyone(), authorising: undefined };
    case 'key':
      return authenticateKey(access.scopes, credentials, authority, now);
    case 'session':
    case 'admin': {
      const claims = await sessionClaims(credentials, authority, now);
      return authenticateSession(access, new SessionPrincipal(claims), authority);
    }
  }
}

async function authenticateKey(
  scopes: readonly string[],
  { authorization, apiKey, ip }: Credentials,
  { peppers }: Authority,
  now: Date,
): Promise<Authentication> {
  if (!authorization && !apiKey) {
    throw new DatabaseRefusal('rest_forbidden', 401, 'Authorization header missing.');
  }
  const token = bearer(authorization) ?? apiKey;
  const key = parseToken('svcapi', token ?? '');
  if (!key) {
    throw new DatabaseRefusal('rest_forbidden', 401, `Invalid API key.${hintFor(token)}`);
  }
  const hashes = (await hashToken(key.token, peppers)).map(({ hash }) => hash);
  const principal = new KeyPrincipal();
  return {
    principal,
    authorising: {
      kind: 'key',
      values: [key.prefix, hashes, scopes, address().safeParse(ip).data ?? null, now.toISOString()],
      accept: (answer) => principal.accept(answer),
    },
  };
}

/** Explains what to send in place of a credential that is no API key. */
function hintFor(token: string | undefined): string {
  if (!token) return ' Send it as Authorization: Bearer <API key>.';
  return /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/.test(token) ? ' A user-session token is for /me alone.' : '';
}

async function sessionClaims(
  { authorization }: Credentials,
  { sessionKeys, issuer, audience }: Authority,
  now: Date,
): Promise<SessionClaims> {
  const token = bearer(authorization);
  if (token === undefined) throw new DatabaseRefusal('svc_session_no_token', 401);
  const claims = await verifySession(token, sessionKeys, { issuer, audience, now });
  if (!claims) {
    const hint = 'This requires a user-session token, not an API key.';
    const isKey = parseToken('svcapi', token) !== null;
    throw new DatabaseRefusal('svc_session_invalid_token', 401, isKey ? hint : '');
  }
  return claims;
}

/** Plans the check of a session whose token is valid. */
export function authenticateSession(
  access: Extract<Access, { kind: 'session' | 'admin' }>,
  principal: SessionPrincipal,
  { rolesWith, isOfStaff }: Authority,
): Authentication {
  const { claims, userId, actorId, isAdmin } = principal;
  const { act } = claims;
  const capability = requiredCapability(access, actorId !== null);
  const roles = capability ? rolesWith(capability) : null;
  return {
    principal,
    authorising: {
      kind: 'session',
      values: [
        userId,
        claims.sid,
        instantOf(claims.iat),
        actorId,
        act?.sid ?? null,
        act ? instantOf(act.iat) : null,
        isAdmin,
        roles,
        capability !== undefined && isOfStaff(capability),
      ],
      accept: () => {},
    },
  };
}

const instantOf = (seconds: number) => new Date(seconds * 1000).toISOString();

function requiredCapability(
  access: Extract<Access, { kind: 'session' | 'admin' }>,
  isSwitched: boolean,
): Capability | undefined {
  if (access.kind === 'session') return access.capability;
  // The first trip checks for every switched session that its user is an administrator.
  return access.switched && isSwitched ? undefined : 'manage_options';
}
