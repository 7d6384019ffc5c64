import type { ErrorCode, ErrorCodes } from './generated.ts';

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface AnswerOf {
  /** The id of the operation that was called. */
  readonly operation: string;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
}

/**
 * An error that the service answered. `isApiError(error, 'orders.create')` also narrows its code to those of the
 * operation.
 */
export class ApiError<Code extends string = ErrorCode> extends Error {
  override readonly name = 'ApiError';
  /** The code of the error. A newer service may have codes that this list lacks. */
  readonly code: Code;
  readonly status: number;
  /** The reasons by parameter, if parameters are wrong. */
  readonly params: Readonly<Record<string, string>>;
  /** Further details of the error, such as `missing_scopes`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Identifies the request; quote it to support. */
  readonly requestId: string | undefined;
  /** Seconds after which the service asks to try again. */
  readonly retryAfter: number | undefined;
  /** The id of the operation that was called, such as `orders.create`. */
  readonly operation: string;

  constructor({ code, message, data }: ErrorBody, answer: AnswerOf) {
    super(message);
    this.code = code as Code;
    this.status = answer.status;
    this.params = (data['params'] ?? {}) as Record<string, string>;
    this.data = data;
    this.requestId = answer.requestId;
    this.retryAfter = answer.retryAfter;
    this.operation = answer.operation;
  }
}

/** No answer came: there was no connection, or no answer in time. The cause says more. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** The id of the operation that was called. */
  readonly operation: string;
  /** The key of the write: a repeat with it returns the outcome of this call. */
  readonly idempotencyKey: string | undefined;

  constructor(operation: string, cause: unknown, idempotencyKey: string | undefined) {
    super(`${operation}: there was no answer (${reasonOf(cause)}).`, { cause });
    this.operation = operation;
    this.idempotencyKey = idempotencyKey;
  }
}

/** The engine's reason for the missing answer; the innermost cause says most. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.cause ? reasonOf(error.cause) : error.message) : String(error);

/** An answer that isn't the service's, such as a proxy's HTML or another site's. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';
  /** The id of the operation that was called. */
  readonly operation: string;
  readonly status: number;
  /** The first part of the body; empty if it may be an interrupted answer of the service. */
  readonly body: string;
  /** Seconds after which the server asks to try again. */
  readonly retryAfter: number | undefined;

  constructor({ operation, status, retryAfter }: AnswerOf, type: string, body: string) {
    const kind = type.split(';')[0] || 'no content type';
    super(
      `${operation}: the response (${status}, ${kind}) is not from the service. Check the address, and any proxy in between.`,
    );
    this.operation = operation;
    this.status = status;
    this.body = body.slice(0, 500);
    this.retryAfter = retryAfter;
  }
}

/** Recognises errors of the service. If an operation is named, the code's type is one of that operation's codes. */
export const isApiError = <Id extends keyof ErrorCodes>(
  error: unknown,
  operation?: Id,
): error is ApiError<ErrorCodes[Id]> =>
  error instanceof ApiError && (operation === undefined || error.operation === operation);

export function errorOf(body: string, type: string, answer: AnswerOf): Error {
  const { code, message, data = {} } = jsonOf(body) ?? {};
  return typeof code === 'string' && typeof message === 'string' && typeof data === 'object'
    ? new ApiError({ code, message, data: { ...data } }, answer)
    : new UnexpectedAnswerError(answer, type, body);
}

/** Parses a JSON object; undefined for any other text. */
export function jsonOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
