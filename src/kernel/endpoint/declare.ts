/** Everything that files of operations need for a declaration. */
export {
  admin,
  adminOrSwitched,
  anyScope,
  apiKey,
  capable,
  consoleSession,
  open,
  session,
} from '../auth/access.ts';
export { PathId, queryBoolean, queryId, querySize, IdParams } from '../schemas/parameters.ts';
export * from '../schemas/replies.ts';
export { type Endpoint, endpoint } from './endpoint.ts';
