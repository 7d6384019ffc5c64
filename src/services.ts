import { shop } from './domain/service/shop.ts';
import {
  type Environment,
  type Deployment,
  createDeployment,
} from './kernel/deployment/services.ts';
import type { Clock } from './lib/instant.ts';
import { messaging } from './processes/messages/messaging.ts';

/**
 * What the invocations of a deployment share, with the shop that this service is.
 * @throws Error naming every variable that is missing or malformed
 */
export const openDeployment = (env: Environment, clock: Clock): Promise<Deployment> =>
  createDeployment(env, clock, shop, messaging);
