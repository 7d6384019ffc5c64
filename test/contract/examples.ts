import { access } from './examples/access.ts';
import { affiliates } from './examples/affiliates.ts';
import { checkout } from './examples/checkout.ts';
import { commissions } from './examples/commissions.ts';
import { consoleSessions } from './examples/console.ts';
import { files } from './examples/files.ts';
import { staffRoles } from './examples/staff.ts';
import { groups } from './examples/groups.ts';
import { keys } from './examples/keys.ts';
import { licenses } from './examples/licenses.ts';
import { me } from './examples/me.ts';
import { messages } from './examples/messages.ts';
import { modules } from './examples/modules.ts';
import { orders } from './examples/orders.ts';
import { payments } from './examples/payments.ts';
import { platform } from './examples/platform.ts';
import { products } from './examples/products.ts';
import { reminders } from './examples/reminders.ts';
import { risks } from './examples/risks.ts';
import { subscriptions } from './examples/subscriptions.ts';
import { users } from './examples/users.ts';
import { webhooks } from './examples/webhooks.ts';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import type { Scene } from './scene.ts';

export interface Example {
  params?: Record<string, string | number>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Headers besides credentials, made from the text of the body. */
  headers?: (body: string) => Record<string, string>;
  /** The user of the session, if it isn't the scene's buyer or, for admin(), its administrator. */
  user?: number;
  /** Unusual claims of that session. */
  claims?: Record<string, unknown>;
  /** The number of trips, if it isn't 1 for a read or 2 for a write. */
  trips?: number;
}

export const tripsOf = ({ effect }: Endpoint, { trips }: Example): number =>
  trips ?? (effect === 'write' ? 2 : 1);

/** Examples by the endpoint's id; each call makes new records, so that a write has a record of its own. */
export type Examples = Readonly<Record<string, (scene: Scene) => Example | Promise<Example>>>;

/** A minimal working request for each endpoint. The suite fails for an endpoint without one. */
export const examples: Examples = {
  ...access,
  ...affiliates,
  ...checkout,
  ...commissions,
  ...consoleSessions,
  ...files,
  ...staffRoles,
  ...groups,
  ...keys,
  ...licenses,
  ...me,
  ...messages,
  ...modules,
  ...orders,
  ...payments,
  ...platform,
  ...products,
  ...reminders,
  ...risks,
  ...subscriptions,
  ...users,
  ...webhooks,
};
