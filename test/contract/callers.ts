import type { Access } from '../../src/kernel/auth/access.ts';
import type { StaffRole } from '../../src/domain/staff/schemas.ts';
import {
  type Capability,
  capabilitiesOf,
  isInConsole,
} from '../../src/domain/user/capabilities.ts';
import { type Scope, scopes } from '../../src/schema/scopes.ts';
import type { UserRole } from '../../src/schema/lists.ts';
import { type Person, consoleSessionOf, sessionOf, shopManager } from './people.ts';
import { kernelErrors } from '../../src/kernel/errors/errors.ts';
import type { Place } from '../../src/kernel/endpoint/routes.ts';
import type { Headers } from './refusals.ts';
import { type Scene, authorization } from './scene.ts';

/** A caller: nobody, a key, or a user with a session. */
type Identity =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'key'; readonly scopes: readonly Scope[] }
  | { readonly kind: 'console'; readonly role: 'administrator' | 'member' | readonly Scope[] }
  | {
      readonly kind: 'session';
      readonly roles: readonly UserRole[];
      readonly blocked?: true;
      /** True if an administrator acts as the user. */
      readonly switched?: true;
    };

export interface Caller {
  readonly name: string;
  readonly identity: Identity;
  readonly headers: Headers;
}

/** Every caller: each scope alone and all of them, each role, and users whose role or status changed. */
export async function everyCaller(scene: Scene): Promise<Caller[]> {
  const callers: Caller[] = [{ name: 'nobody', identity: { kind: 'nobody' }, headers: {} }];
  const all = scopes.map(({ name }) => name);
  for (const scopes of [...all.map((scope) => [scope]), all]) {
    const { token } = await scene.store.createKey({ scopes });
    const name = `a key for ${scopes.length === 1 ? scopes.join() : 'everything'}`;
    callers.push({ name, identity: { kind: 'key', scopes }, headers: authorization(token) });
  }
  for (const [name, person] of Object.entries(people(scene))) {
    const identity = { kind: 'session', ...person } as const;
    callers.push({ name, identity, headers: await sessionOf(scene, person) });
  }
  for (const role of ['administrator', 'member'] as const) {
    const identity = { kind: 'console', role } as const;
    const headers = await consoleSessionOf(scene, { roles: [role] });
    callers.push({ name: `a console of a ${role}`, identity, headers });
  }
  const { body } = await scene.backend.get('/staff-roles');
  for (const { id, name, scopes } of body.data as StaffRole[]) {
    const identity = { kind: 'console', role: scopes as Scope[] } as const;
    const headers = await consoleSessionOf(scene, { change: `staff_role_id = ${id}` });
    callers.push({ name: `a console of the role ${name}`, identity, headers });
  }
  return callers;
}

type Somebody = Omit<Extract<Identity, { kind: 'session' }>, 'kind'> & Person;

const people = ({ store, administrator }: Scene): Record<string, Somebody> => ({
  'a user without a role': { roles: [] },
  'a member': { roles: ['member'] },
  'an affiliate': { roles: ['affiliate'] },
  'a shop manager': shopManager,
  'an administrator': { roles: ['administrator'] },
  'a blocked member': { roles: ['member'], blocked: true, change: `status = 'blocked'` },
  'a blocked administrator': {
    roles: ['administrator'],
    blocked: true,
    change: `status = 'blocked'`,
  },
  'an administrator as a member': {
    roles: ['member'],
    switched: true,
    claims: store.switchedBy(administrator),
  },
  'a member who was an administrator': { roles: ['member'], claims: { admin: true } },
});

/** The verdict on a caller who is let in, with any answer. */
export const served = 'is served';

const refused = {
  missing: '401 rest_forbidden “Authorization header missing.” after 0 trips',
  invalid:
    '401 rest_forbidden “Invalid API key. A user-session token is for /me alone.” after 0 trips',
  insufficient: '403 rest_forbidden “Insufficient scope.” after 1 trips',
  noToken:
    '401 svc_session_no_token “No user-session token was sent. Send one as Authorization: Bearer <token>.” after 0 trips',
  invalidToken:
    '401 svc_session_invalid_token “This requires a user-session token, not an API key.” after 0 trips',
  blocked: '403 rest_forbidden “This account is blocked.” after 1 trips',
  incapable: '403 rest_forbidden “Your account may not do this.” after 1 trips',
  signedOut: `401 svc_console_signed_out “${kernelErrors.svc_console_signed_out[1]}” after 0 trips`,
  wrongRole: (hint = '') => `403 rest_forbidden “Your role may not do this.${hint}” after 1 trips`,
};

/** Returns the verdict on a caller of an endpoint, by its declaration alone. */
export const verdictOn = ({ endpoint: { access }, ofConsole }: Place, identity: Identity): string =>
  ofConsole ? verdictInConsole(access, identity) : verdictOutside(access, identity);

function verdictInConsole(access: Access, identity: Identity): string {
  if (access.kind === 'open') return served;
  if (identity.kind !== 'console') return refused.signedOut;
  const { role } = identity;
  switch (access.kind) {
    case 'console': {
      const isStaff = role !== 'member' && access.capability !== 'manage_options';
      return role === 'administrator' || isStaff ? served : refused.wrongRole();
    }
    case 'admin':
      return role === 'administrator' ? served : refused.wrongRole();
    case 'session':
      throw new Error('The console has no such endpoint.');
    case 'key': {
      const { scopes } = access;
      const isThere = scopes.some(isInConsole);
      if (role === 'administrator') return isThere ? served : refused.wrongRole();
      const has = role !== 'member' && scopes.some((scope) => role.includes(scope));
      return has
        ? served
        : refused.wrongRole(isThere ? ` It takes the scope ${scopes.join(' or ')}.` : '');
    }
  }
}

function verdictOutside(access: Access, somebody: Identity): string {
  // The cookie is ignored there.
  const identity: Identity = somebody.kind === 'console' ? { kind: 'nobody' } : somebody;
  switch (access.kind) {
    case 'open':
      return served;
    case 'console':
      throw new Error('It is in the console alone.');
    case 'key':
      if (identity.kind === 'nobody') return refused.missing;
      if (identity.kind === 'session') return refused.invalid;
      return access.scopes.some((scope) => identity.scopes.includes(scope))
        ? served
        : refused.insufficient;
    case 'session':
    case 'admin': {
      if (identity.kind === 'nobody') return refused.noToken;
      if (identity.kind === 'key') return refused.invalidToken;
      const needed = neededCapability(access, identity.switched === true);
      if (identity.blocked) return refused.blocked;
      const capable =
        !needed ||
        capabilitiesOf({ roles: [...identity.roles], staff_role_id: null }).includes(needed);
      return capable ? served : refused.incapable;
    }
  }
}

function neededCapability(
  access: Extract<Access, { kind: 'session' | 'admin' }>,
  switched: boolean,
): Capability | undefined {
  if (access.kind === 'session') return access.capability;
  return switched && access.switched ? undefined : 'manage_options';
}
