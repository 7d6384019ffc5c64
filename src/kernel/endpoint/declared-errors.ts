import { type ErrorTable, kernelErrors, type KernelErrorCode } from '../errors/errors.ts';
import type { ErrorCode } from '../vocabulary/vocabulary.ts';
import { type Endpoint, keepsAnswers } from './endpoint.ts';

export interface DeclaredError {
  readonly code: ErrorCode;
  readonly status: number;
  readonly message: string;
}

const error = (code: KernelErrorCode): DeclaredError => {
  const [status, message] = kernelErrors[code];
  return { code, status, message };
};

/**
 * Returns every error of an endpoint: its own, and those of its access, input and effect.
 * @param table the definitions of its own errors
 * @param ofConsole true for the console's address of the endpoint
 */
export function declaredErrors(
  endpoint: Endpoint,
  table: ErrorTable,
  ofConsole = false,
): DeclaredError[] {
  const { access, effect, fresh, errors = [] } = endpoint;
  const own = errors.flatMap((code) => {
    const definition = table[code];
    return definition ? [{ code, status: definition[0], message: definition[1] }] : [];
  });
  const list = [
    ...inputErrors(endpoint),
    ...accessErrors(ofConsole && access.kind !== 'open' ? 'console' : access.kind),
    ...(ofConsole && fresh ? [error('svc_console_sign_in_again')] : []),
    ...(ofConsole ? [error('rest_forbidden')] : []),
    ...(effect === 'write' ? [error('rest_conflict')] : []),
    ...(keepsAnswers(endpoint)
      ? [error('rest_idempotency_mismatch'), error('rest_idempotency_in_progress')]
      : []),
    ...own,
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
          ...error('rest_forbidden'),
          status: 401,
          message: 'Authorization header missing. Or: Invalid API key.',
        },
        error('rest_forbidden'),
      ];
    case 'console':
      return [error('svc_console_signed_out'), error('rest_forbidden')];
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
