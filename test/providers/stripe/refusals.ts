import type { Answered } from '../server.ts';

interface Details {
  readonly code?: string;
  readonly param?: string;
  readonly type?: 'invalid_request_error' | 'idempotency_error' | 'api_error';
}

/** An error in Stripe's form: docs.stripe.com/api/errors. */
export const refusal = (
  status: number,
  message: string,
  { type = 'invalid_request_error', ...details }: Details = {},
): Answered => ({ status, body: { error: { ...details, message, type } } });

/** Thrown by checks of a request. */
export class Refused extends Error {
  readonly answer: Answered;

  constructor(message: string, details: Details = {}, status = 400) {
    super(message);
    this.answer = refusal(status, message, details);
  }
}
