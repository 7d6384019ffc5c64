import type { ErrorCode } from '../vocabulary/vocabulary.ts';

export type { ErrorCode };

/** An error's HTTP status and its usual message. */
export type ErrorDefinition = readonly [status: number, message: string];
export type ErrorTable = Readonly<Record<string, ErrorDefinition>>;

/** Errors of access, input, effect and trouble, for every endpoint. The domain declares the others. */
export const kernelErrors = {
  rest_missing_callback_param: [400, 'A required parameter is missing.'],
  rest_invalid_param: [400, 'A parameter has an invalid value.'],
  rest_payload_too_large: [413, 'The request body is too large.'],
  rest_unsupported_media_type: [415, 'Send the body as application/json.'],
  rest_forbidden: [403, 'You may not do this.'],
  svc_session_no_token: [
    401,
    'No user-session token was sent. Send one as Authorization: Bearer <token>.',
  ],
  svc_session_invalid_token: [401, 'The user-session token is invalid or has expired.'],
  svc_session_user_gone: [401, 'The user of this session no longer exists.'],
  svc_console_signed_out: [401, 'Sign in to the console first, by a link of `npm run key`.'],
  svc_console_sign_in_again: [
    403,
    'This requires a sign-in within the last ten minutes. Sign in again with a new link.',
  ],
  rest_too_many_requests: [429, 'Too many requests. Try again later.'],
  rest_no_route: [404, 'There is nothing at this address. See /docs.'],
  rest_method_not_allowed: [405, 'This address does not support this method.'],
  rest_not_found: [404, 'Not found.'],
  rest_conflict: [409, 'The record was changed in the meantime. Read it and try again.'],
  rest_idempotency_mismatch: [
    422,
    'This Idempotency-Key was used with another request. A repetition must be identical, byte for byte.',
  ],
  rest_idempotency_in_progress: [
    409,
    'The first request with this Idempotency-Key is still being processed.',
  ],
  svc_session_issue_failed: [500, 'The token could not be issued.'],
  rest_internal_error: [500, 'Something went wrong on our side.'],
  rest_unavailable: [503, 'The database is not available right now. Try again.'],
} as const satisfies ErrorTable;

export type KernelErrorCode = keyof typeof kernelErrors;

export interface ErrorDetail {
  /** Replaces the usual message. */
  message?: string;
  /** Reasons by parameter. */
  params?: Record<string, string>;
  /** Further members of the body's `data`. */
  data?: Record<string, unknown>;
  /** Seconds, for the Retry-After header. */
  retryAfter?: number;
  /** Methods, for the Allow header. */
  allow?: readonly string[];
}

/** The fault of parameters, by the error's code. */
const faults: Partial<Record<string, string>> = {
  rest_missing_callback_param: 'Missing',
  rest_invalid_param: 'Invalid',
};

/** Returns the error's own message, the wrong parameters, or the usual message. */
function messageOf(code: ErrorCode, usual: string, { message, params }: ErrorDetail): string {
  if (message !== undefined) return message;
  const fault = faults[code];
  if (!fault || !params) return usual;
  const names = Object.keys(params);
  const more = names.length > namesLimit ? ' and others' : '';
  return `${fault} parameter(s): ${names.slice(0, namesLimit).join(', ')}${more}.`;
}

/** The most parameters that a message names. */
const namesLimit = 20;

/** An error that ends a request. The kernel throws it; rules return it through `refuse`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly detail: ErrorDetail;

  constructor(code: ErrorCode, [status, message]: ErrorDefinition, detail: ErrorDetail = {}) {
    super(messageOf(code, message, detail));
    this.code = code;
    this.status = status;
    this.detail = detail;
  }

  /** The body of every error: `{code, message, data: {status, …}}`. */
  body(): { code: string; message: string; data: Record<string, unknown> } {
    const { params, data } = this.detail;
    return {
      code: this.code,
      message: this.message,
      data: { status: this.status, ...(params && { params }), ...data },
    };
  }
}

export const kernelError = (code: KernelErrorCode, detail: ErrorDetail = {}): ApiError =>
  new ApiError(code, kernelErrors[code], detail);

/** A rule's refusal. Its type has the code, so an endpoint that doesn't declare the code doesn't compile. */
export interface Refusal<C extends ErrorCode = ErrorCode> {
  readonly refused: C;
  readonly detail: ErrorDetail;
}

export const refuse = <const C extends ErrorCode>(
  code: C,
  detail: ErrorDetail = {},
): Refusal<C> => ({ refused: code, detail });

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'refused' in value;

export const refusalError = ({ refused, detail }: Refusal, errors: ErrorTable): ApiError =>
  new ApiError(refused, errors[refused] ?? kernelErrors.rest_internal_error, detail);

/** Refuses an id in a request body that names no record. */
export const unknownReference = (param: string): Refusal<'rest_not_found'> =>
  refuse('rest_not_found', {
    message: `No record has the id given as ${param}.`,
    params: { [param]: 'unknown id' },
  });

export const methodNotAllowed = (allow: readonly string[]): ApiError =>
  kernelError('rest_method_not_allowed', {
    message: `This address takes ${allow.join(', ')}.`,
    allow,
  });

interface Versioned {
  readonly version: number;
}

type Current<R> = R | Refusal<'rest_not_found' | 'rest_conflict'>;

/**
 * Returns the record that a write changes. Refuses if there is none, or if `If-Match` names another version.
 * @param part the part of the row with the version, if the row itself has none
 */
export function current<R extends Versioned>(
  found: readonly R[],
  ifMatch: number | undefined,
): Current<R>;
export function current<P extends string, R extends Readonly<Record<P, Versioned>>>(
  found: readonly R[],
  ifMatch: number | undefined,
  part: P,
): Current<R>;
export function current(
  [row]: readonly object[],
  ifMatch: number | undefined,
  part?: string,
): Current<object> {
  if (!row) return refuse('rest_not_found');
  const { version } = (part === undefined ? row : row[part as never]) as Versioned;
  return ifMatch === undefined || ifMatch === version ? row : refuse('rest_conflict');
}
