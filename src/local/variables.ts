import { variableNames } from '../config.ts';

/** What the store itself decides on this machine. */
const OWN = new Set([
  'DATABASE_URL',
  'API_KEY_PEPPERS',
  'SESSION_KEYS',
  'BASE_URL',
  'CALLER_LIMIT',
  'FAILURE_LIMIT',
  'ENVIRONMENT',
  'DEV_OUTBOUND',
]);

/** What a deployment would do that a demo need not ask again for. */
const SHARED = ['REST_ROOT', 'MODULES'];

/**
 * The worker's variables on this machine: those of `environment`, and wrangler.toml's about how it is
 * called. The rest of wrangler.toml is the deployment's: where it posts to is not for a demo.
 */
export function localVariables(
  environment: Readonly<Record<string, string | undefined>>,
  deployed: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const name of variableNames.filter((name) => !OWN.has(name))) {
    const value = environment[name] ?? (SHARED.includes(name) ? deployed[name] : undefined);
    if (typeof value === 'string') variables[name] = value;
  }
  return variables;
}
