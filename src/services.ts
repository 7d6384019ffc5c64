import { shop } from './domain/service/shop.ts';
import { type Environment, type Services, createServices } from './kernel/endpoint/services.ts';
import type { Clock } from './lib/instant.ts';
import { messaging } from './operations/messages/messaging.ts';

/**
 * What the requests of a deployment share, with the shop that this service is.
 * @throws Error naming every variable that is missing or malformed
 */
export const openServices = (env: Environment, clock: Clock): Promise<Services> =>
  createServices(env, clock, shop, messaging);
