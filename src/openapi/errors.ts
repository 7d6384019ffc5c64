import { type DeclaredError, declaredErrors } from '../http/declared-errors.ts';
import type { Endpoint } from '../http/endpoint.ts';
import {
  ApiError,
  ErrorBody,
  type ErrorCode,
  type ErrorDetail,
  errorTable,
} from '../http/errors.ts';
import type { Shared } from './shared.ts';

/** Details as they occur, for errors whose bodies say more than the table's message. */
const samples: Readonly<Record<string, ErrorDetail>> = {
  rest_forbidden_401: { message: 'Authorization header missing.' },
  rest_missing_callback_param: { params: { user_id: 'is required' } },
  rest_invalid_param: { params: { quantity: 'Too small: expected number to be >=1' } },
  rest_internal_error: { data: { request_id: '8f1c2d7a9b3e4f50' } },
};

/** Codes that come with the seconds to wait. */
const retriable: readonly ErrorCode[] = [
  'rest_too_many_requests',
  'rest_unavailable',
  'rest_idempotency_in_progress',
];

/** The responses of everything that can go wrong with an endpoint, by status. */
export function errorResponses(endpoint: Endpoint, shared: Shared): Record<string, object> {
  const byStatus = Map.groupBy(declaredErrors(endpoint), ({ status }) => status);
  const statuses = [...byStatus].sort(([one], [other]) => one - other);
  return Object.fromEntries(
    statuses.map(([status, errors]) => [status, errorResponse(errors, shared)]),
  );
}

/** The response for errors of one status; operations with the same errors share it. */
function errorResponse(errors: readonly DeclaredError[], shared: Shared): object {
  const name = errors.map(nameOf).sort().join('.');
  shared.responses[name] ??= describe(errors, shared);
  return { $ref: `#/components/responses/${name}` };
}

function describe(errors: readonly DeclaredError[], shared: Shared): object {
  return {
    description: errors.map(({ code, message }) => `- \`${code}\` ${message}`).join('\n'),
    ...(errors.some(({ code }) => retriable.includes(code)) && {
      headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
    }),
    content: {
      'application/json': {
        schema: shared.output(ErrorBody),
        examples: Object.fromEntries(
          errors.map((error) => [nameOf(error), example(error, shared)]),
        ),
      },
    },
  };
}

/** The code, with the status where it has another one than usual. */
const nameOf = ({ code, status }: DeclaredError) =>
  status === errorTable[code][0] ? code : `${code}_${status}`;

function example(error: DeclaredError, shared: Shared): object {
  const { code, status } = error;
  const name = nameOf(error);
  shared.examples[name] ??= {
    summary: code,
    value: new ApiError(code, samples[name], status).body(),
  };
  return { $ref: `#/components/examples/${name}` };
}
