import { type Config, readConfig, variableNames } from '../config.ts';
import { checkProviders } from '../providers/setup/check.ts';
import { modulesOf } from '../modules/index.ts';

/** Variables that the store itself sets on this machine. */
const OWN = new Set([
  'DATABASE_URL',
  'API_KEY_PEPPERS',
  'SESSION_KEYS',
  'BASE_URL',
  'CALLER_LIMIT',
  'FAILURE_LIMIT',
  'STORE_ID',
  'ENVIRONMENT',
  'DEV_OUTBOUND',
  'DEV_JOBS',
]);

/** Variables taken from wrangler.toml too. */
const SHARED = ['REST_ROOT', 'MODULES'];

/**
 * Returns the worker's variables on this machine. Other variables of wrangler.toml belong to the deployment: a demo
 * must not post to its receivers.
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

/**
 * @param databaseUrl a database that isn't the store's own; the worker gets another address
 * @throws Error naming the wrong variables
 */
export function checkedConfig(
  bindings: Readonly<Record<string, unknown>>,
  databaseUrl: string | undefined,
): Config {
  const config = readConfig({ ...bindings, ...(databaseUrl && { DATABASE_URL: databaseUrl }) });
  modulesOf(config);
  checkProviders(config);
  return config;
}
