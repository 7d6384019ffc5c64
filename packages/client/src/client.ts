import { ApiError } from './errors.ts';
import { unlessEnded } from './exchange.ts';
import { type Feed, type Followed, feedOf } from './feed.ts';
import {
  type FeedEntry,
  type Operations,
  type SessionOperations,
  operations,
} from './generated.ts';
import type { ClientOptions, SessionClientOptions } from './options.ts';
import { type Send, sender } from './transport.ts';
import { treeOf } from './tree.ts';

/** All operations for API keys, by their ids, and the feed as one sequence. */
export interface Client extends Operations {
  /** The delivery log of a webhook, as an endless sequence. */
  feed(
    followed: Followed,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Feed<FeedEntry>;
}

/**
 * A client for backends, which call with an API key.
 * @throws RangeError for an invalid number of tries or an invalid timeout
 * @throws TypeError for an address with a query or a user name
 */
export function createClient({ apiKey, ...connection }: ClientOptions): Client {
  const send = sender(connection, () => bearer(apiKey));
  const client = treeOf(operations, send, (id) =>
    id.startsWith('me.') ? undefined : id,
  ) as unknown as Operations;
  return { ...client, feed: (followed, options) => feedOf(client.notify.feed, followed, options) };
}

/**
 * A client for apps, which call `/me` with a user's session token. Its operations are named by their ids without `me.`:
 * `client.orders.list()` is `me.orders.list`.
 * @throws RangeError for an invalid number of tries or an invalid timeout
 * @throws TypeError for an address with a query or a user name
 */
export function createSessionClient({
  token: first,
  onExpired,
  ...connection
}: SessionClientOptions): SessionOperations {
  let token = first;
  let renewal: Promise<void> | undefined;
  const send = sender(connection, () => bearer(token));

  async function renew(): Promise<void> {
    token = (await onExpired?.()) ?? token;
  }

  const sendRenewed: Send = async (call) => {
    const used = token;
    try {
      return await send(call);
    } catch (error) {
      const isOver = error instanceof ApiError && error.code === 'svc_session_invalid_token';
      if (!isOver) throw error;
      if (used === token) {
        renewal ??= renew().finally(() => {
          renewal = undefined;
        });
        await unlessEnded(renewal, call.options.signal);
      }
      if (used === token) throw error;
      return send(call);
    }
  };
  return treeOf(operations, sendRenewed, (id) =>
    id.startsWith('me.') ? id.slice('me.'.length) : undefined,
  ) as unknown as SessionOperations;
}

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}`.trim() });
