import { DatabaseRefusal } from '../database/errors.ts';
import { kernelError } from '../errors/errors.ts';
import type { Authorising } from '../database/stored-function.ts';
import type { Scope } from '../vocabulary/vocabulary.ts';
import type { Access } from './access.ts';
import type { Actor } from './actor.ts';
import { type Peppers, type SecretToken, hashToken, parseToken } from './secret-token.ts';

/** A session ends after so many milliseconds without a request. */
export const idleTime = 8 * 3_600_000;

/** Milliseconds after signing in for which a session may do what needs a fresh one. */
export const freshTime = 10 * 60_000;

interface ConsoleRow {
  id: number;
  user_id: number;
  roles: string[];
  seen_at: string;
  authenticated_at: string;
}

/** The person behind a session of the console. Who it is becomes known with the first trip. */
export class ConsolePrincipal {
  readonly kind = 'console';
  /** Sessions for administrators are issued by backends, never in a browser. */
  readonly signsInAdministrators = false;
  /** The public part of the session's cookie. */
  readonly prefix: string;
  readonly #rolesWithScope: (scope: Scope) => readonly string[];
  #row: ConsoleRow | undefined;

  constructor(prefix: string, rolesWithScope: (scope: Scope) => readonly string[]) {
    this.prefix = prefix;
    this.#rolesWithScope = rolesWithScope;
  }

  accept(answer: unknown): void {
    this.#row = answer as ConsoleRow;
  }

  get row() {
    if (!this.#row) throw new Error('The session is known only after the first trip.');
    return this.#row;
  }

  get actor(): Actor {
    return { type: 'user', id: this.row.user_id };
  }

  /** @throws ApiError for a session that was not signed in within the last ten minutes */
  requireFresh(now: Date): void {
    const since = now.getTime() - freshTime;
    if (Date.parse(this.row.authenticated_at) < since)
      throw kernelError('svc_console_sign_in_again');
  }

  has(scope: Scope): boolean {
    return this.#rolesWithScope(scope).some((role) => this.row.roles.includes(role));
  }
}

/** The capabilities that each role of a console user gives. */
export interface ConsoleRoles {
  /** The roles that may do what an API key of this scope may. */
  readonly rolesWithScope: (scope: Scope) => readonly string[];
  readonly rolesWith: (
    capability: Extract<Access, { kind: 'console' }>['capability'],
  ) => readonly string[];
}

/**
 * Checks the cookie of a console's session as far as that goes without a trip.
 * @param fresh whether the session has to be one of the last ten minutes; asked when the trip is made
 * @throws DatabaseRefusal, the same class the trip would throw, when it can't be good
 */
export async function authenticateConsole(
  access: Extract<Access, { kind: 'key' | 'console' }>,
  cookie: string | undefined,
  { peppers, ...roles }: ConsoleRoles & { readonly peppers: Peppers },
  { now, fresh }: { readonly now: Date; readonly fresh: () => boolean },
) {
  const token = consoleToken(cookie);
  if (!token) throw new DatabaseRefusal('svc_console_signed_out', 401);
  const principal = new ConsolePrincipal(token.prefix, roles.rolesWithScope);
  const allowed =
    access.kind === 'key'
      ? [...new Set(access.scopes.flatMap((scope) => roles.rolesWithScope(scope)))]
      : roles.rolesWith(access.capability);
  const hashes = (await hashToken(token.token, peppers)).map(({ hash }) => hash);
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString();
  const authorising: Authorising = {
    kind: 'console',
    get values() {
      const since = fresh() ? before(freshTime) : null;
      return [token.prefix, hashes, allowed, since, before(idleTime), now.toISOString()];
    },
    accept: (answer) => principal.accept(answer),
  };
  return { principal, authorising };
}

/** The session that a cookie's value is, where it is one. */
export const consoleToken = (cookie: string | undefined): SecretToken | null =>
  parseToken('svcses', cookie ?? '');
