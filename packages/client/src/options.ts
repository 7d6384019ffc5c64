/** The options of both kinds of clients. */
export interface Connection {
  /** The service's address, `https://shop.example`, or its `api_base`. */
  readonly url: string;
  /** Milliseconds after which a try times out; 20,000 by default. */
  readonly timeout?: number | undefined;
  /** The most tries of a request: 1 to 12, 6 by default. */
  readonly tries?: number | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export interface ClientOptions extends Connection {
  /** `svcapi_…`: keep it on the server. */
  readonly apiKey: string;
}

export interface SessionClientOptions extends Connection {
  /** A user's session token, from `client.sessions.create` on the backend. */
  readonly token: string;
  /**
   * Called when the token has expired or was revoked, once for all requests that fail at the same time. They are
   * retried with the returned token; without one they fail.
   */
  readonly onExpired?: (() => Promise<string | undefined> | string | undefined) | undefined;
}

/** The last argument of every call. */
export interface RequestOptions {
  /** Aborts the call, including its further tries; it then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Identifies a write: a repeat with the same key gets the first answer and isn't carried out again. The client makes
   * one for each call; set your own if the repeat may come from another process.
   */
  readonly idempotencyKey?: string | undefined;
  /** The expected `version` of the record. If a record is passed instead of its id, its own version is used. */
  readonly ifMatch?: number | undefined;
}

/** A record, or its id. If a record is passed to a write, its `version` must still be current. */
export type Id = number | { readonly id: number; readonly version?: number | undefined };
