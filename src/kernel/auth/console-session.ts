import { DatabaseRefusal } from '../database/errors.ts';
import { kernelError } from '../errors/errors.ts';
import type { Authorising } from '../database/stored-function.ts';
import type { Capability, Scope } from '../vocabulary/vocabulary.ts';
import type { Access } from './access.ts';
import type { Actor } from './actor.ts';
import { type Peppers, type SecretToken, hashToken, parseToken } from './secret-token.ts';

/** Milliseconds without a request after which a session ends. */
export const idleTime = 8 * 3_600_000;

/** Milliseconds after signing in during which a session counts as fresh. */
export const freshTime = 10 * 60_000;

interface ConsoleRow {
  id: number;
  user_id: number;
  roles: string[];
  /** Scopes of the person's role in the console; null without a role. */
  scopes: string[] | null;
  seen_at: string;
  authenticated_at: string;
}

/** The person behind a console session, known after the first trip. */
export class ConsolePrincipal {
  readonly kind = 'console';
  /** Only backends issue sessions for administrators, never a browser. */
  readonly signsInAdministrators = false;
  /** The public part of the session's cookie. */
  readonly prefix: string;
  readonly #isInConsole: ConsoleRights['isInConsole'];
  #row: ConsoleRow | undefined;

  constructor(prefix: string, isInConsole: ConsoleRights['isInConsole']) {
    this.prefix = prefix;
    this.#isInConsole = isInConsole;
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

  get isAdministrator(): boolean {
    return this.row.roles.includes('administrator');
  }

  has(scope: Scope): boolean {
    return this.isAdministrator
      ? this.#isInConsole(scope)
      : this.row.scopes?.includes(scope) === true;
  }
}

export interface ConsoleRights {
  /** Tells if a scope exists in the console: administrators have all of them, and roles can have them. */
  readonly isInConsole: (scope: Scope) => boolean;
  readonly rolesWith: (capability: Capability) => readonly string[];
  /** Tells if a capability comes with every role in the console. */
  readonly isOfStaff: (capability: Capability) => boolean;
}

/**
 * Checks the cookie of a console session as far as possible without a trip.
 * @param fresh tells if the session must be fresh; called when the trip is made
 * @throws DatabaseRefusal, as the trip would, for a cookie that cannot be valid
 */
export async function authenticateConsole(
  access: Extract<Access, { kind: 'key' | 'console' | 'admin' }>,
  cookie: string | undefined,
  { peppers, isInConsole, isOfStaff }: ConsoleRights & { readonly peppers: Peppers },
  { now, fresh }: { readonly now: Date; readonly fresh: () => boolean },
) {
  const token = consoleToken(cookie);
  if (!token) throw new DatabaseRefusal('svc_console_signed_out', 401);
  const principal = new ConsolePrincipal(token.prefix, isInConsole);
  const [scopes, ofAdministrators] =
    access.kind === 'key'
      ? [access.scopes, access.scopes.some((scope) => isInConsole(scope))]
      : [access.kind === 'console' && isOfStaff(access.capability) ? null : [], true];
  const hashes = (await hashToken(token.token, peppers)).map(({ hash }) => hash);
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString();
  const authorising: Authorising = {
    kind: 'console',
    get values() {
      const since = fresh() ? before(freshTime) : null;
      return [
        ...[token.prefix, hashes, scopes, ofAdministrators],
        ...[since, before(idleTime), now.toISOString()],
      ];
    },
    accept: (answer) => principal.accept(answer),
  };
  return { principal, authorising };
}

export const consoleToken = (cookie: string | undefined): SecretToken | null =>
  parseToken('svcses', cookie ?? '');
