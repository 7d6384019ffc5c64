import type { Headers } from './refusals.ts';
import { fromConsole } from '../harness/client.ts';
import { type Scene, authorization } from './scene.ts';

export interface Person {
  /** `member` by default. */
  readonly roles?: readonly string[];
  /** A later change of the user, as the SET of an UPDATE. */
  readonly change?: string;
  /** Unusual claims of the token. */
  readonly claims?: Record<string, unknown>;
}

export const shopManager = {
  roles: ['shop-manager'],
  change: 'staff_role_id = 5',
} as const satisfies Person;

/**
 * Creates a user with these roles, past the API.
 * @returns the id
 */
export async function newPerson(
  scene: Scene,
  { roles = ['member'], change }: Person,
): Promise<number> {
  const id = await scene.newUser();
  const { database } = scene.store;
  await database.query('update users set roles = $2 where id = $1', [id, roles]);
  if (change) await database.query(`update users set ${change} where id = ${id}`);
  return id;
}

/** The headers of a new user's session, issued before the user changes. */
export async function sessionOf(scene: Scene, person: Person = {}): Promise<Headers> {
  const id = await newPerson(scene, person);
  const admin = person.roles?.includes('administrator') ?? false;
  return authorization(await scene.store.token(id, { admin, ...person.claims }));
}

export async function consoleSessionOf(scene: Scene, person: Person): Promise<Headers> {
  return fromConsole(await scene.store.consoleSession(await newPerson(scene, person)));
}
