import type * as z from 'zod';
import type { Access } from '../auth/access.ts';
import type { Authority, PrincipalOf } from '../auth/principals.ts';
import type { Config, prefixes } from '../../config.ts';
import type { Answer } from '../command/decision.ts';
import type { KernelCode, ReadAccess, WriteAccess } from '../command/store.ts';
import type { ApiError, ErrorCode, Refusal } from '../errors/errors.ts';
import type { Contacts } from '../deployment/contacts.ts';
import type { Files } from '../deployment/files.ts';
import type { Outbound } from '../events/outbound.ts';
import type { Services } from '../deployment/services.ts';
import type { StreamedFile } from '../lists/pages.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** A method and a path; with `?name=value` only for requests with that parameter. */
export type Route = `${Method} /${string}`;

/** The path prefix of a route. */
export type Namespace = keyof ReturnType<typeof prefixes>;

/** The declaration of an endpoint. Everything that the service knows about the endpoint comes from it. */
export interface Declaration<
  A extends Access = Access,
  F extends 'read' | 'write' = 'read' | 'write',
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  C extends ErrorCode = ErrorCode,
> {
  /** `<resource>.<operation>`; also the OpenAPI operation's id. */
  readonly id: string;
  /** Relative to the namespace; several routes lead to the same operation. */
  readonly route: readonly [Route, ...Route[]];
  /** `api` when absent. */
  readonly namespace?: Namespace;
  readonly summary: string;
  readonly description?: string;
  readonly access: A;
  /** Independent of the method: a GET may write. */
  readonly effect: F;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /**
   * The media type of the body; `application/json` when absent. Files of a form are `File`s. An endpoint that takes
   * URL-encoded fields also accepts no body, or a multipart form.
   */
  readonly bodyType?: 'multipart/form-data' | 'application/x-www-form-urlencoded';
  /**
   * The most bytes of a raw body, which replaces `body` and is passed on unread. The endpoint checks the sender. If
   * anybody may send, requests count against their address only if they fail.
   */
  readonly rawBody?: number;
  /**
   * The most bytes of a streamed body, which replaces `body` and is passed on unread. Requests must state its length.
   */
  readonly streamBody?: number;
  /** True if fields, except files, can also be sent as JSON. */
  readonly alsoJson?: true;
  /** The most bytes of the body, if not the usual 1 MiB. */
  readonly bodyLimit?: number;
  /** The status and the body of success. Fields outside the schema are never sent. */
  readonly reply: readonly [status: 200 | 201 | 202 | 302, body: R];
  /** Headers of success, by lower-case name. They replace the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A read that clients poll: its answer has an ETag, and `If-None-Match` is honoured. */
  readonly etag?: F extends 'read' ? true : never;
  /** A GET that writes and also answers HEAD: its handler changes nothing for HEAD. */
  readonly head?: F extends 'write' ? true : never;
  readonly errors?: readonly C[];
  /** The media type that a request must accept. Such routes precede others at the same address. */
  readonly accepts?: 'text/html';
  /** Renders an error as a page for people. */
  readonly errorPage?: (error: ApiError, acceptLanguage: string) => Promise<Answer>;
  /** True if `If-Match` can name the version of the record. Default: every write except one that creates a record. */
  readonly conditional?: boolean;
  /** True for everyday traffic of a store: with an API key it leaves no row in the audit log. */
  readonly everyday?: true;
  /**
   * True if a console session must be fresh: always, if the body has one of these fields, or if the decision calls
   * `requireFresh`. Other callers need none.
   */
  readonly fresh?: true | 'decided' | readonly string[];
  /** True for a reply with a secret. It is never stored for an Idempotency-Key, so a repeat acts again. */
  readonly secretReply?: boolean;
}

/** The input of an operation, as texts. */
export interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for an operation without a body. */
  readonly body: object | undefined;
}

/** A line of the endpoint table: routes, and the function that loads the endpoint for its first request. */
export interface Entry extends Pick<Endpoint, 'id' | 'route' | 'namespace' | 'access' | 'accepts'> {
  /** True if its GET also answers HEAD. */
  readonly head?: true;
  /** Names of the path parameters that are ids. */
  readonly ids?: readonly string[];
  /** True for a list in pages, which can also be a file. */
  readonly pages?: true;
  /** The key of the endpoint's module; undefined without a module. */
  readonly module?: string;
  readonly load: () => Promise<Endpoint>;
}

/** Operations that another operation carries out for its caller. */
export interface Operations {
  readonly endpoints: readonly Entry[];
  /**
   * Carries out an operation as if the caller had sent it: routed, authorised and checked like any request, with the
   * same answer. Of the headers, only the caller's credentials are passed on.
   * @throws ApiError for input that leads elsewhere, before anything is done; Error for an operation that does not take
   * the API key
   */
  readonly perform: (endpoint: Endpoint, input: Input) => Promise<Response>;
}

export interface Call<A extends Access, F extends 'read' | 'write', P, Q, B, Body> {
  readonly principal: PrincipalOf<A>;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly db: F extends 'read' ? ReadAccess : WriteAccess<Body>;
  /** The time of the request. SQL compares with this time, never with the server's clock. */
  readonly now: Date;
  /** The version in `If-Match`, for a conditional endpoint. */
  readonly ifMatch: number | undefined;
  readonly config: Config;
  readonly contacts: Contacts;
  /** Keys and issuer of signed tokens. */
  readonly authority: Authority;
  /**
   * Sends requests to other servers.
   * @throws Error before the request's first trip has authorised it
   */
  readonly outbound: Outbound;
  readonly files: Files;
  /** Carries out other operations for this caller. */
  readonly operations: Operations;
  /** Answers with a file that is made while it is sent. */
  readonly file: (file: StreamedFile) => Promise<Answer>;
  /**
   * Answers with a static file of this deployment.
   * @throws ApiError `rest_unavailable` if it isn't there
   */
  readonly asset: (path: string) => Promise<Response>;
  /** The raw request, for endpoints that check a signature over it. */
  readonly request: {
    readonly method: string;
    readonly url: string;
    text(): Promise<string>;
    /** The body as a stream, for an endpoint that takes one. */
    stream(): ReadableStream | null;
    header(name: string): string | undefined;
  };
  readonly userAgent: string;
  /**
   * Does work after the answer, with its own access to the database.
   * @throws Error before the request's first trip has authorised it
   */
  readonly after: (work: (services: Services) => Promise<void>) => void;
}

export interface Endpoint extends Declaration {
  readonly handler: (
    call: Call<Access, 'write', unknown, unknown, unknown, unknown>,
  ) => Promise<unknown>;
}

/**
 * Tells if answers are stored under the Idempotency-Key: those of writes by a known caller, unless the reply has a
 * secret.
 */
export const keepsAnswers = ({ effect, access, secretReply }: Endpoint): boolean =>
  effect === 'write' && access.kind !== 'open' && !secretReply;

export const answersHead = ({ effect, head, route: [main] }: Endpoint): boolean =>
  main.startsWith('GET ') && (effect === 'read' || head === true);

export const isConditional = ({ effect, reply, conditional }: Endpoint): boolean =>
  conditional ?? (effect === 'write' && reply[0] === 200);

/**
 * Declares an endpoint; `.handle()` completes it. There is no other way to add a route. Access and effect are
 * mandatory, and an undeclared error code or reply does not compile.
 */
export function endpoint<
  const A extends Access,
  const F extends 'read' | 'write',
  R extends z.ZodType,
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  const C extends ErrorCode = never,
>(declaration: Declaration<A, F, P, Q, B, R, C>) {
  type ThisCall = Call<A, F, z.output<P>, z.output<Q>, z.output<B>, z.input<R>>;
  return {
    handle: (
      handler: (call: ThisCall) => Promise<z.input<R> | Answer | Refusal<C | KernelCode>>,
      // Endpoints of every shape share a type: `handle.ts` calls each with its declared input.
    ): Endpoint => ({ ...declaration, handler: handler as unknown as Endpoint['handler'] }),
  };
}
