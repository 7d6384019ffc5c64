import type { Endpoint } from '../http/endpoint.ts';
import * as me from './me/endpoints.ts';
import * as orders from './orders/endpoints.ts';
import * as platform from './platform/endpoints.ts';
import * as products from './products/endpoints.ts';
import * as sessions from './sessions/endpoints.ts';
import * as settings from './settings/endpoints.ts';
import * as users from './users/endpoints.ts';

const isEndpoint = (item: unknown): item is Endpoint =>
  typeof item === 'object' && item !== null && 'handler' in item;

/**
 * The endpoint table: everything the resource folders declare. A new endpoint in a folder is in it
 * by being exported; a new folder takes a line here.
 */
export const endpoints: readonly Endpoint[] = [
  platform,
  sessions,
  settings,
  me,
  users,
  products,
  orders,
].flatMap((resource) => Object.values(resource).filter((item) => isEndpoint(item)));
