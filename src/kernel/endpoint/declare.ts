/** Names what an operation is declared with, for the files of operations alone. */
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
export { PathId, queryBoolean, queryId, queryInteger, IdParams } from '../schemas/parameters.ts';
export * from '../schemas/replies.ts';
export { type Endpoint, endpoint } from './endpoint.ts';
