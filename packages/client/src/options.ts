/** The options of both kinds of clients. */
export interface Connection {
  /** The service's address, `https://shop.example`, or its `api_base`. */
  readonly url: string;
  /** Milliseconds after which a try is given up; 20,000 by default. */
  readonly timeout?: number | undefined;
  /** The most tries of a request: 1 to 12, 6 by default. */
  readonly tries?: number | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export interface ClientOptions extends Connection {
  /** `svcapi_…`: it stays on the server. */
  readonly apiKey: string;
}

export interface SessionClientOptions extends Connection {
  /** A user's session token, from `client.sessions.create` on the backend. */
  readonly token: string;
  /**
   * Called when the token has expired or was revoked, once for all requests that find out at the same time. With
   * the new token that it answers they are tried again; without one they fail.
   */
  readonly onExpired?: (() => Promise<string | undefined> | string | undefined) | undefined;
}

/** The last argument of every call. */
export interface RequestOptions {
  /** Ends the call, its further tries included; it then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Identifies a write, so that a repetition with the same key gets the first answer and isn't carried out again. The
   * client makes one for each call; set your own if the repetition may come from another process.
   */
  readonly idempotencyKey?: string | undefined;
  /** The `version` that a record must still have; where a record was given in place of its id, it is that one's. */
  readonly ifMatch?: number | undefined;
}

/** A record, or its id. Of a record that a write was given, the `version` must still be current. */
export type Id = number | { readonly id: number; readonly version?: number | undefined };
