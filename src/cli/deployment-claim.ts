import type { DeploymentClaim } from './support/store-mark.ts';

/** Describes a deployment. Its secrets are known only if they are in the environment. */
export function claimOf(vars: Readonly<Record<string, unknown>>): DeploymentClaim {
  const { API_KEY_PEPPERS: peppers, SESSION_KEYS: sessionKeys } = process.env;
  const { BASE_URL: address, ENVIRONMENT: environment = 'production' } = vars;
  return { address: String(address), environment: String(environment), peppers, sessionKeys };
}
