import type { Endpoint } from './endpoint.ts';
import type { Resource } from './resource.ts';

/**
 * An optional part of the service. Its endpoints are declared like all others, with routes relative to the service's
 * namespace. Their `access` says who may call them; all other callers are refused before any code of the module runs:
 * - `session()`: every user with a session of the service,
 * - `capable('read_admin')`: users with that capability,
 * - `admin()`: administrators, in a session of their own.
 *
 * `principal.userId` is the user of the session, also while an administrator acts as this user.
 */
export interface Module extends Resource {
  /** The word in MODULES that switches the module on. */
  readonly key: string;
  /** Pages for people, which no API document shows. */
  readonly pages?: readonly Endpoint[];
}

/** @throws Error naming the words in MODULES that are no module's key */
export function refuseUnknown(
  words: readonly string[],
  keys: readonly (string | undefined)[],
): void {
  const unknown = words.filter((word) => !keys.includes(word));
  if (unknown.length > 0)
    throw new Error(
      `MODULES names modules that do not exist or were not deployed: ${unknown.join(', ')}.`,
    );
}
