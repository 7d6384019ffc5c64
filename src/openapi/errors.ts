import { type DeclaredError, declaredErrors } from '../kernel/endpoint/declared-errors.ts';
import type { Endpoint } from '../kernel/endpoint/endpoint.ts';
import { errorTable } from '../domain/service/errors.ts';
import { ErrorBody } from '../kernel/errors/error-body.ts';
import { ApiError, type ErrorCode, type ErrorDetail } from '../kernel/errors/errors.ts';
import type { Shared } from './shared.ts';

/** Sample details of errors that have any. */
const samples: Readonly<Record<string, ErrorDetail>> = {
  rest_forbidden_401: { message: 'Authorization header missing.' },
  rest_missing_callback_param: { params: { user_id: 'is required' } },
  rest_invalid_param: { params: { quantity: 'Too small: expected number to be >=1' } },
  rest_internal_error: { data: { request_id: '8f1c2d7a9b3e4f50' } },
};

/** Codes whose body has the seconds to wait. */
const retriable: readonly ErrorCode[] = [
  'rest_too_many_requests',
  'rest_unavailable',
  'rest_idempotency_in_progress',
];

/** Errors of a kind of endpoint, and the names of their responses. */
const shared: Readonly<Record<string, string>> = {
  'rest_invalid_param rest_missing_callback_param': 'InvalidInput',
  rest_invalid_param: 'InvalidParameter',
  rest_missing_callback_param: 'MissingParameter',
  rest_forbidden_401: 'InvalidKey',
  'svc_session_invalid_token svc_session_no_token svc_session_user_gone': 'InvalidSession',
  rest_forbidden: 'Forbidden',
  rest_not_found: 'NotFound',
  rest_conflict: 'Conflict',
  'rest_conflict rest_idempotency_in_progress': 'ConflictOrInProgress',
  rest_payload_too_large: 'PayloadTooLarge',
  rest_unsupported_media_type: 'UnsupportedMediaType',
  rest_idempotency_mismatch: 'IdempotencyMismatch',
  rest_too_many_requests: 'TooManyRequests',
  rest_internal_error: 'InternalError',
  rest_unavailable: 'Unavailable',
};

export function errorResponses(endpoint: Endpoint, document: Shared): Record<string, object> {
  const byStatus = Map.groupBy(declaredErrors(endpoint, errorTable), ({ status }) => status);
  const statuses = [...byStatus].sort(([one], [other]) => one - other);
  return Object.fromEntries(
    statuses.map(([status, errors]) => {
      const name = shared[errors.map(nameOf).sort().join(' ')];
      if (name === undefined) return [status, describe(errors, document)];
      document.responses[name] ??= describe(errors, document);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/**
 * One body for all errors, so that programs have one type. The examples are named after the codes; others may be added.
 */
function describe(errors: readonly DeclaredError[], document: Shared): object {
  return {
    description: errors.map(({ code, message }) => `- \`${code}\` ${message}`).join('\n'),
    headers: {
      'x-request-id': { $ref: '#/components/headers/RequestId' },
      ...(errors.some(({ status }) => status === 401) && {
        'WWW-Authenticate': { $ref: '#/components/headers/WWWAuthenticate' },
      }),
      ...(errors.some(({ code }) => retriable.includes(code)) && {
        'Retry-After': { $ref: '#/components/headers/RetryAfter' },
      }),
    },
    content: {
      'application/json': {
        schema: document.output(ErrorBody),
        examples: Object.fromEntries(
          errors.map((error) => [nameOf(error), example(error, document)]),
        ),
      },
    },
  };
}

/** Adds the status if it differs from the code's usual one. */
const nameOf = ({ code, status }: DeclaredError) =>
  status === 401 && code === 'rest_forbidden' ? `${code}_${status}` : code;

function example(error: DeclaredError, document: Shared): object {
  const { code, status } = error;
  const name = nameOf(error);
  document.examples[name] ??= {
    summary: code,
    value: new ApiError(code, [status, error.message], samples[name]).body(),
  };
  return { $ref: `#/components/examples/${name}` };
}
