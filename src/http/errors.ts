/**
 * Every error the service answers with: its code, HTTP status and default message. An endpoint
 * declares the codes of its domain; the ones that come with its access, its input and its effect
 * are added for it.
 */
export const errorTable = {
  // Input
  rest_missing_callback_param: [400, 'A required parameter is missing.'],
  rest_invalid_param: [400, 'A parameter has an invalid value.'],
  rest_payload_too_large: [413, 'The request body is too large.'],
  rest_unsupported_media_type: [415, 'Send the body as application/json.'],
  // Access
  rest_forbidden: [403, 'You may not do this.'],
  svc_session_no_token: [401, 'Send a user-session token as Authorization: Bearer <token>.'],
  svc_session_invalid_token: [401, 'The user-session token is invalid or has expired.'],
  svc_session_user_gone: [401, 'The user of this session no longer exists.'],
  rest_too_many_requests: [429, 'Too many requests. Try again later.'],
  // State
  rest_no_route: [404, 'No route matches this address and method.'],
  rest_not_found: [404, 'Not found.'],
  rest_user_not_found: [404, 'No user has this id.'],
  rest_conflict: [409, 'The record was changed in the meantime. Read it and try again.'],
  rest_idempotency_mismatch: [422, 'This Idempotency-Key was used with another request.'],
  rest_idempotency_in_progress: [409, 'The first request with this Idempotency-Key is at work.'],
  // Users
  rest_ambiguous: [409, 'More than one user matches. Look up by id or e-mail.'],
  rest_upline_cycle: [409, 'The sponsor may not be below the user in the tree.'],
  user_email_exists: [409, 'Another user has this e-mail address.'],
  user_external_id_exists: [409, 'Another user has this external id.'],
  // Products
  product_slug_exists: [409, 'Another product has this slug.'],
  product_has_open_orders: [409, 'Orders of this product are still open.'],
  product_closed: [409, 'This product is not on sale.'],
  out_of_stock: [409, 'Not enough units are left.'],
  variant_required: [400, 'A required variant is missing.'],
  // Coupons
  coupon_not_found: [404, 'No coupon has this code.'],
  // Orders
  rest_invalid_transition: [409, 'The order may not change to this status.'],
  purchase_too_soon: [409, 'This user bought this product a moment ago.'],
  order_not_erasable: [409, 'Only a cancelled order on which no money moved can be erased.'],
  order_not_unpaid: [409, 'This can only change while the order is unpaid.'],
  // Settings
  setting_locked: [409, 'This setting is fixed once there is an order.'],
  // Trouble
  svc_session_issue_failed: [500, 'The token could not be issued.'],
  rest_internal_error: [500, 'Something went wrong on our side.'],
  rest_unavailable: [503, 'The database is not available right now. Try again.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof errorTable;

/** What an error says beyond its code. */
export interface ErrorDetail {
  /** In place of the table's message. */
  message?: string;
  /** Reason by parameter. */
  params?: Record<string, string>;
  /** Anything else the body's `data` carries. */
  data?: Record<string, unknown>;
  /** Seconds, for the Retry-After header. */
  retryAfter?: number;
}

/** A request that ends in an error; thrown by the kernel, returned by rules through `refuse`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly detail: ErrorDetail;

  constructor(code: ErrorCode, detail: ErrorDetail = {}, status: number = errorTable[code][0]) {
    super(detail.message ?? errorTable[code][1]);
    this.code = code;
    this.status = status;
    this.detail = detail;
  }

  /** The body every error has: `{code, message, data: {status, …}}`. */
  body(): { code: string; message: string; data: Record<string, unknown> } {
    const { params, data } = this.detail;
    return {
      code: this.code,
      message: this.message,
      data: { status: this.status, ...(params && { params }), ...data },
    };
  }
}

/** A rule's no. Its code is part of the type, so an endpoint that didn't declare it doesn't compile. */
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

/** The refusal for a reference in a request body that leads nowhere, naming the parameter. */
export const unknownReference = (param: string): Refusal<'rest_not_found'> =>
  refuse('rest_not_found', {
    message: `No record has the id given as ${param}.`,
    params: { [param]: 'unknown id' },
  });

/** Whether a record moved on from the version that `If-Match` asks for. */
export const isStale = (ifMatch: number | undefined, { version }: { version: number }): boolean =>
  ifMatch !== undefined && ifMatch !== version;
