import type { Context } from 'hono';
import { SessionPrincipal, authenticateSession } from '../auth/principals.ts';
import type { Answer } from '../command/decision.ts';
import { StaleHint } from '../database/errors.ts';
import { isRefusal, refusalError } from '../errors/errors.ts';
import { type PassedRequest, callOf } from './call.ts';
import { idempotentRequest } from './conditions.ts';
import type { Endpoint, Operations } from './endpoint.ts';
import { revalidated } from './etag.ts';
import type { ExportFormat } from './export-formats.ts';
import { acceptedFormat, cursorOf, itemOf } from './exports.ts';
import type { Page, PageQuery } from './list-file.ts';
import { projectionOf } from './projection.ts';
import { renderOutcome, respond } from './reply.ts';
import { type RequestState, stateOf } from './request-state.ts';
import type { Place } from './routes.ts';
import { fileOf } from './streaming.ts';

/** Runs an endpoint's handler on valid input. The answer has only the fields of the reply schema. */
export async function handle(
  { endpoint, format }: Pick<Place, 'endpoint' | 'format'>,
  c: Context,
  operations: Operations,
): Promise<Response> {
  const state = stateOf(c);
  const request: PassedRequest = {
    ...{ c, state, endpoint, operations },
    input: validInput(endpoint, c),
    idempotent: await idempotentRequest(endpoint, c),
    render: (outcome) => renderOutcome(endpoint, state.services.domain, state.ignored, outcome),
  };
  const isList = itemOf(endpoint) !== undefined;
  const asked = isList ? (format ?? acceptedFormat(c)) : undefined;
  const varies = isList && !format;
  if (asked) return respond(endpoint, state, await fileOfList(request, asked), varies);
  const answer = await answerOf(request);
  const response = respond(endpoint, state, answer, varies);
  return endpoint.etag
    ? revalidated(response, answer.text, c.req.header('if-none-match'))
    : response;
}

async function answerOf(request: PassedRequest): Promise<Answer> {
  const { input, render, state } = request;
  const outcome = await outcomeOf(request, input.query);
  const answer = isAnswer(outcome) ? outcome : render(outcome);
  if (answer.status >= 400)
    state.code = answer.code ?? (JSON.parse(answer.text) as { code: string }).code;
  return answer;
}

/** Makes a file of a list by asking the handler page by page. */
async function fileOfList(request: PassedRequest, format: ExportFormat): Promise<Answer> {
  const { c, endpoint, input, state } = request;
  const item = itemOf(endpoint);
  const cursor = cursorOf(endpoint);
  if (!item || !cursor) throw new Error('The list has no pages.');
  const show = projectionOf(endpoint.reply[1]);
  const { listFile } = await import('./list-file.ts');
  const file = listFile({
    ...{ item, cursor, format },
    query: input.query as PageQuery,
    given: Object.keys(c.req.query()),
    unknown: state.ignored.ignored_parameters,
    path: c.req.path,
    read: async (query) => show(await outcomeOf(request, query)) as Page,
  });
  return fileOf(c, file);
}

/** @throws ApiError for a refusal that isn't stored. It is answered like other errors, with its headers */
async function outcomeOf(request: PassedRequest, query: unknown): Promise<unknown> {
  const { state } = request;
  const outcome = await planned(() => run(request, query), state);
  if (isRefusal(outcome)) throw refusalError(outcome, state.services.domain.errors);
  return outcome;
}

async function run(request: PassedRequest, query: unknown): Promise<unknown> {
  const { endpoint, state } = request;
  const call = callOf(request, query);
  const outcome = await endpoint.handler({ ...call, principal: state.principal });
  if (!state.delegated) await state.unit.authorise();
  return outcome;
}

/** Runs the handler, and repeats it if the token's administrator hint was out of date. */
async function planned<T>(run: () => Promise<T>, state: RequestState) {
  try {
    return await run();
  } catch (error) {
    const { principal, endpoint } = state;
    const access = endpoint?.access;
    if (!(error instanceof StaleHint) || !(principal instanceof SessionPrincipal)) throw error;
    if (access?.kind !== 'session' && access?.kind !== 'admin') throw error;
    const corrected = new SessionPrincipal(principal.claims, !principal.isAdmin);
    state.open(authenticateSession(access, corrected, state.services.authority));
    return run();
  }
}

function validInput(endpoint: Endpoint, c: Context) {
  // The declaration decides which validators ran, so the context's type can't know.
  const valid = (target: 'param' | 'query' | 'json') => c.req.valid(target as never) as unknown;
  return {
    params: endpoint.params && valid('param'),
    query: endpoint.query && valid('query'),
    body: endpoint.body && valid('json'),
  };
}

const isAnswer = (outcome: unknown): outcome is Answer =>
  typeof outcome === 'object' && outcome !== null && 'text' in outcome && 'status' in outcome;
