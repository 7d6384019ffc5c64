import type { Answered } from '../server.ts';

interface Details {
  readonly code?: string;
  readonly param?: string;
  readonly type?: 'invalid_request_error' | 'idempotency_error' | 'api_error';
}

/** An error as Stripe words it: docs.stripe.com/api/errors. */
export const refusal = (
  status: number,
  message: string,
  { type = 'invalid_request_error', ...details }: Details = {},
): Answered => ({ status, body: { error: { ...details, message, type } } });

/** Thrown by what checks a request, to be answered. */
export class Refused extends Error {
  readonly answer: Answered;

  constructor(message: string, details: Details = {}, status = 400) {
    super(message);
    this.answer = refusal(status, message, details);
  }
}
