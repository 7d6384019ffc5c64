import { hasProviders } from './config.ts';
import { domain } from './domain/service/domain.ts';
import {
  type Consequences,
  type Environment,
  type Deployment,
  createDeployment,
} from './kernel/deployment/services.ts';
import type { Clock } from './lib/instant.ts';

const loadMessaging = async () => (await import('./processes/messages/messaging.ts')).messaging;

/** Messages follow from events, so their code is loaded with the first event. */
const messaging: Consequences = {
  of: (config) => async (events, now) =>
    hasProviders(config) ? (await loadMessaging()).of(config)(events, now) : undefined,
  follow: async (services) => (await loadMessaging()).follow(services),
};

/**
 * Opens the deployment of this service.
 * @throws Error naming every variable that is missing or malformed, or a setting that a provider lacks
 */
export async function openDeployment(env: Environment, clock: Clock): Promise<Deployment> {
  const deployment = await createDeployment(env, clock, domain, messaging);
  if (hasProviders(deployment.config)) {
    const { checkProviders } = await import('./providers/setup/check.ts');
    checkProviders(deployment.config);
  }
  return deployment;
}
