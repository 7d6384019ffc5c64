import * as z from 'zod';

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
  svc_session_no_token: [
    401,
    'No user-session token was sent. Send one as Authorization: Bearer <token>.',
  ],
  svc_session_invalid_token: [401, 'The user-session token is invalid or has expired.'],
  svc_session_user_gone: [401, 'The user of this session no longer exists.'],
  rest_too_many_requests: [429, 'Too many requests. Try again later.'],
  svc_session_switched: [409, 'You act as another user already. Switch back first.'],
  svc_session_not_switched: [400, 'This session does not act as another user.'],
  // State
  rest_no_route: [404, 'Nothing is at this address. What there is stands at /docs.'],
  rest_method_not_allowed: [405, 'This address does not take this method.'],
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
  last_administrator: [409, 'This is the only administrator left. Make another one first.'],
  // User groups
  group_name_exists: [409, 'Another group has this name.'],
  group_has_users: [409, 'Users are in this group.'],
  group_below: [409, 'This is downwards. Send force to do it all the same.'],
  // Commissions
  commission_paid: [409, 'A commission that was paid is not changed any more.'],
  commission_adjustment: [409, 'An adjustment follows its sale: change that commission.'],
  commission_not_payable: [409, 'The commission is not payable yet.'],
  // Products
  product_slug_exists: [409, 'Another product has this slug.'],
  product_has_open_orders: [409, 'Orders of this product are still open.'],
  product_closed: [409, 'This product is not on sale.'],
  out_of_stock: [409, 'Not enough units are left.'],
  variant_required: [400, 'A required variant is missing.'],
  // Coupons
  coupon_not_found: [404, 'No coupon has this code.'],
  coupon_inactive: [409, 'This coupon is not active.'],
  coupon_not_started: [409, 'This coupon is not valid yet.'],
  coupon_expired: [409, 'This coupon has expired.'],
  coupon_limit_reached: [409, 'This coupon has been used as often as it may be.'],
  coupon_user_limit: [409, 'This buyer has used the coupon as often as they may.'],
  coupon_product_excluded: [409, 'This coupon does not apply to the product.'],
  coupon_min_amount: [409, 'The purchase is too small for this coupon.'],
  coupon_renewal_only: [409, 'This coupon is for renewals only.'],
  coupon_own: [409, 'An affiliate may not use their own coupon.'],
  coupon_group: [409, 'This coupon is not for this buyer.'],
  coupon_first_order_only: [409, 'This coupon is for a first order only.'],
  coupon_code_exists: [409, 'Another coupon has this code.'],
  coupon_quota: [409, 'You have as many copies of this template as you may.'],
  // Checkout
  quote_expired: [409, 'The quote is older than 15 minutes. Ask for another.'],
  quote_changed: [409, 'The price is no longer the quoted one. Ask for another quote.'],
  // Orders
  rest_invalid_transition: [409, 'The order may not change to this status.'],
  purchase_too_soon: [409, 'This user bought this product a moment ago.'],
  order_not_erasable: [409, 'Only a cancelled order on which no money moved can be erased.'],
  nothing_payable: [409, 'Nothing was paid that could be given back.'],
  refund_exceeds_paid: [409, 'This is more than is left of what was paid.'],
  order_not_payable: [409, 'The order does not wait for a payment.'],
  gateway_unavailable: [503, 'The payment provider does not answer right now. Try again.'],
  unique_code_exhausted: [
    409,
    'Too many orders of this amount wait for a transfer, or did lately.',
  ],
  transfer_figure_taken: [
    409,
    'Another order waits for a transfer of exactly this amount, or did lately. Give this one another total.',
  ],
  order_not_unpaid: [409, 'This can only change while the order is unpaid.'],
  order_closed: [
    409,
    'The order is refunded or cancelled: its total, quantity, gateway and affiliate stay as they are.',
  ],
  // Webhooks
  webhook_not_active: [409, 'This webhook is not active: nothing is sent to it.'],
  // Confirmations
  confirmation_not_pending: [409, 'This confirmation has been reviewed or superseded.'],
  // Licences
  license_quantity: [409, 'One order can issue 1,000 licences at most.'],
  license_limit_reached: [409, 'The licence is registered as often as it may be.'],
  license_reset_limit_reached: [409, 'The licence was reset as often as it may be for now.'],
  // Subscriptions
  tryout_used: [409, 'A trial is for the first order of this product.'],
  subscription_not_renewable: [409, 'There is no subscription left that this order could renew.'],
  // Reminders
  reminder_not_pending: [409, 'This reminder is on its way or was sent.'],
  reminder_no_recipient: [409, 'There is nobody left whom this reminder could be sent to.'],
  reminder_sending: [409, 'This reminder is on its way.'],
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
  /** In place of the usual message. */
  message?: string;
  /** Reason by parameter. */
  params?: Record<string, string>;
  /** Anything else the body's `data` carries. */
  data?: Record<string, unknown>;
  /** Seconds, for the Retry-After header. */
  retryAfter?: number;
  /** Methods, for the Allow header. */
  allow?: readonly string[];
}

/** What is wrong with the parameters an error names, by its code. */
const faults: Partial<Record<ErrorCode, string>> = {
  rest_missing_callback_param: 'Missing',
  rest_invalid_param: 'Invalid',
};

/** An error's message: its own, the parameters at fault, or the table's. */
function messageOf(code: ErrorCode, { message, params }: ErrorDetail): string {
  if (message !== undefined) return message;
  const fault = faults[code];
  if (!fault || !params) return errorTable[code][1];
  const names = Object.keys(params);
  const more = names.length > namesLimit ? ' and others' : '';
  return `${fault} parameter(s): ${names.slice(0, namesLimit).join(', ')}${more}.`;
}

/** The most parameters a message names. */
const namesLimit = 20;

/** The body of every error. */
export const ErrorBody = z
  .object({
    success: z
      .literal(false)
      .optional()
      .describe('Said by the feed alone, where `webhook_id` is missing.'),
    code: z.string().describe('What went wrong, for programs; a code never changes its meaning.'),
    message: z.string().describe('What went wrong, for people; the wording may change.'),
    data: z.looseObject({
      status: z.int().describe('The HTTP status.'),
      params: z
        .record(z.string(), z.string())
        .optional()
        .describe('The reason by parameter, where parameters are at fault.'),
      request_id: z.string().optional().describe('Of a 500: the reference to name to support.'),
    }),
  })
  .meta({ id: 'ApiError' });

/** A request that ends in an error; thrown by the kernel, returned by rules through `refuse`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly detail: ErrorDetail;

  constructor(code: ErrorCode, detail: ErrorDetail = {}, status: number = errorTable[code][0]) {
    super(messageOf(code, detail));
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

/** The error of an address that takes other methods. */
export const methodNotAllowed = (allow: readonly string[]): ApiError =>
  new ApiError('rest_method_not_allowed', {
    message: `This address takes ${allow.join(', ')}.`,
    allow,
  });

/** Whether a record moved on from the version that `If-Match` asks for. */
export const isStale = (ifMatch: number | undefined, { version }: { version: number }): boolean =>
  ifMatch !== undefined && ifMatch !== version;
