import type * as z from 'zod';
import type { Answer } from '../command/decision.ts';
import type { Domain } from '../command/domain.ts';
import { type Refusal, isRefusal, refusalError } from '../errors/errors.ts';
import { html } from '../schemas/replies.ts';
import type { Endpoint } from './endpoint.ts';
import { commonHeaders } from './finish.ts';
import { projectionOf } from './projection.ts';
import type { RequestState } from './request-state.ts';

/** Renders an error's body, or a reply reduced to its schema. */
export function renderOutcome(
  endpoint: Endpoint,
  { errors }: Domain,
  ignored: RequestState['ignored'],
  outcome: unknown,
): Answer {
  if (isRefusal(outcome)) return renderRefusal(outcome, errors);
  const [status, schema] = endpoint.reply;
  if (schema === html) return { status, text: html.parse(outcome) };
  const reply = projectionOf(schema)(outcome) as { meta?: object };
  const hasMeta = 'meta' in ((schema as Partial<z.ZodObject>).shape ?? {});
  if (!hasMeta || Object.keys(ignored).length === 0) return { status, text: JSON.stringify(reply) };
  return { status, text: JSON.stringify({ ...reply, meta: { ...reply.meta, ...ignored } }) };
}

function renderRefusal(refusal: Refusal, errors: Domain['errors']): Answer {
  const error = refusalError(refusal, errors);
  return { status: error.status, text: JSON.stringify(error.body()) };
}

/** @param varies true if other accepted types get another answer */
export function respond(
  endpoint: Endpoint,
  state: RequestState,
  { status, text, stream, headers, replayed }: Answer,
  varies = false,
): Response {
  const [success, schema] = endpoint.reply;
  const type = status === success && schema === html ? 'text/html' : 'application/json';
  return new Response(stream ?? (text || null), {
    status,
    headers: {
      ...commonHeaders(state),
      'content-type': `${type}; charset=UTF-8`,
      ...(varies && { vary: 'Accept' }),
      // A range of a file has the headers of the whole file.
      ...((status === success || status === 206) && endpoint.headers),
      ...headers,
      ...(replayed && { 'idempotency-replayed': 'true' }),
    },
  });
}
