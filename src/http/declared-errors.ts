import { type ErrorCode, errorTable } from './errors.ts';
import { type Endpoint, keepsAnswers } from './endpoint.ts';

export interface DeclaredError {
  readonly code: ErrorCode;
  readonly status: number;
  readonly message: string;
}

const error = (code: ErrorCode, status: number = errorTable[code][0]): DeclaredError => ({
  code,
  status,
  message: errorTable[code][1],
});

/** Every error an endpoint can answer with: its own, and what comes with its access, input, effect. */
export function declaredErrors(endpoint: Endpoint): DeclaredError[] {
  const { access, effect, errors = [] } = endpoint;
  const list = [
    ...inputErrors(endpoint),
    ...accessErrors(access.kind),
    ...(effect === 'write' ? [error('rest_conflict')] : []),
    ...(keepsAnswers(endpoint)
      ? [error('rest_idempotency_mismatch'), error('rest_idempotency_in_progress')]
      : []),
    ...errors.map((code) => error(code)),
    error('rest_too_many_requests'),
    error('rest_internal_error'),
    error('rest_unavailable'),
  ];
  return [...new Map(list.map((item) => [`${item.status} ${item.code}`, item])).values()];
}

function inputErrors({ params, query, body, effect }: Endpoint): DeclaredError[] {
  const any = params ?? query ?? body;
  return [
    ...(query || body ? [error('rest_missing_callback_param')] : []),
    ...(any || effect === 'write' ? [error('rest_invalid_param')] : []),
    ...(body ? [error('rest_payload_too_large'), error('rest_unsupported_media_type')] : []),
  ];
}

function accessErrors(kind: Endpoint['access']['kind']): DeclaredError[] {
  switch (kind) {
    case 'open':
      return [];
    case 'key':
      return [
        {
          ...error('rest_forbidden', 401),
          message: 'Authorization header missing. Or: Invalid API key.',
        },
        error('rest_forbidden'),
      ];
    case 'session':
    case 'admin':
      return [
        error('svc_session_no_token'),
        error('svc_session_invalid_token'),
        error('svc_session_user_gone'),
        error('rest_forbidden'),
      ];
  }
}
