export { type Client, createClient, createSessionClient } from './client.ts';
export { ApiError, ConnectionError, UnexpectedAnswerError, isApiError } from './errors.ts';
export type { Feed, Followed } from './feed.ts';
export type * from './generated.ts';
export type {
  ClientOptions,
  Connection,
  Id,
  RequestOptions,
  SessionClientOptions,
} from './options.ts';
export {
  type KnownEvent,
  type UnknownEvent,
  type VerificationFailure,
  type WebhookEvent,
  WebhookVerificationError,
  isEvent,
  verifyWebhook,
} from './webhooks.ts';
