import type { Context } from 'hono';
import type * as z from 'zod';
import { BudgetSpent, type Need } from '../budget.ts';
import { SessionPrincipal, authenticateSession } from '../auth/principals.ts';
import { StaleHint } from '../database/errors.ts';
import type { Outbound } from '../events/outbound.ts';
import type { AuditedRequest } from '../command/audit.ts';
import type { runChange } from '../command/change.ts';
import type { Answer } from '../command/decision.ts';
import { idempotentRequest, versionOf } from './conditions.ts';
import { type Call, type Endpoint, isConditional } from './endpoint.ts';
import type { WriteAccess } from '../command/store.ts';
import { html } from '../schemas/replies.ts';
import { revalidated } from './etag.ts';
import { acceptedFormat, cursorOf, itemOf } from './exports.ts';
import type { Page, PageQuery } from './list-file.ts';
import { commonHeaders } from './finish.ts';
import { filesIn } from '../deployment/files.ts';
import { type Refusal, isRefusal, kernelError, refusalError } from '../errors/errors.ts';
import type { Shop } from '../command/shop.ts';
import type { Operations } from './endpoint.ts';
import { projectionOf } from './projection.ts';
import { type RequestState, stateOf } from './request-state.ts';
import type { Place } from './routes.ts';
import type { Services } from '../deployment/services.ts';
import { fileOf } from './streaming.ts';

/** Runs an endpoint's handler on input that passed, and answers with what its schema lets out. */
export async function handle(
  { endpoint, format }: Pick<Place, 'endpoint' | 'format'>,
  c: Context,
  operations: Operations,
): Promise<Response> {
  const state = stateOf(c);
  const { services } = state;
  const input = validInput(endpoint, c);
  const idempotent = await idempotentRequest(endpoint, c);
  const render = (outcome: unknown) =>
    renderOutcome(endpoint, services.shop, state.ignored, outcome);
  const after = afterAnswer(services, c);
  const run = async (query: unknown) => {
    const db: WriteAccess<unknown> = {
      query: (statements) => state.unit.query(statements),
      change: (async (command: Parameters<typeof runChange>[0]) => {
        const { runChange } = await import('../command/change.ts');
        return runChange(command, {
          unit: state.unit,
          shop: services.shop,
          now: state.now,
          request: auditedRequest(endpoint, services.shop, state),
          idempotent,
          render,
          wake: () =>
            services.wake().catch((error: unknown) => {
              state.unscheduled = error as Error;
            }),
          following: services.following,
          deliver: () =>
            after(async (services) => {
              const { deliverNow } = await import('../events/delivery.ts');
              await deliverNow(services);
            }),
          follow: () => after(services.follow),
        });
      }) as WriteAccess<unknown>['change'],
    };
    const { config, authority } = services;
    const call: Omit<Call<never, 'write', unknown, unknown, unknown, unknown>, 'principal'> = {
      ...input,
      query,
      db,
      now: state.now,
      ifMatch: isConditional(endpoint) ? versionOf(c.req.header('if-match')) : undefined,
      config,
      authority,
      userAgent: c.req.header('user-agent') ?? '',
      after,
      outbound: outboundOnceAuthorised(services, c),
      files: filesIn(services.media, () => stateOf(c).unit.authorised),
      operations,
      file: (file) => fileOf(c, file),
      asset: (path) => fetchAsset(services, path),
      request: {
        method: c.req.raw.method,
        url: c.req.url,
        text: () => c.req.text(),
        header: (name) => c.req.header(name),
      },
    };
    const outcome = await endpoint.handler({ ...call, principal: state.principal });
    if (!state.delegated) await state.unit.authorise();
    return outcome;
  };
  const ask = async (query: unknown) => {
    const outcome = await planned(() => run(query), state);
    // An error that isn't stored is answered where all errors are, with the headers it may carry.
    if (isRefusal(outcome)) throw refusalError(outcome, services.shop.errors);
    return outcome;
  };
  const item = itemOf(endpoint);
  const cursor = cursorOf(endpoint);
  const asked = item && cursor && (format ?? acceptedFormat(c));
  const varies = item !== undefined && !format;
  if (asked) {
    const show = projectionOf(endpoint.reply[1]);
    const read = async (query: PageQuery) => show(await ask(query)) as Page;
    const { listFile } = await import('./list-file.ts');
    const list = {
      item,
      cursor,
      format: asked,
      query: input.query as PageQuery,
      path: c.req.path,
      read,
    };
    const names = { given: Object.keys(c.req.query()), unknown: state.ignored.ignored_parameters };
    return respond(endpoint, state, await fileOf(c, listFile({ ...list, ...names })), varies);
  }
  const outcome = await ask(input.query);
  const answer = isAnswer(outcome) ? outcome : render(outcome);
  if (answer.status >= 400) state.code = (JSON.parse(answer.text) as { code: string }).code;
  const response = respond(endpoint, state, answer, varies);
  if (!endpoint.etag) return response;
  return revalidated(response, answer.text, c.req.header('if-none-match'));
}

/** What the audit log is told of a request. */
function auditedRequest(
  { id: operation, access, everyday, secretReply, reply: [, schema] }: Endpoint,
  { personalFields }: Shop,
  { principal, id, now, params }: RequestState,
): AuditedRequest {
  const show = projectionOf(schema);
  return {
    ...{ principal, operation, id, now, personalFields },
    everyday: everyday === true,
    ofAdministrators: access.kind === 'admin',
    record: Object.values(params).join('/') || undefined,
    shown: secretReply
      ? undefined
      : (data) => (show({ success: true, data }) as { data: unknown }).data,
  };
}

async function fetchAsset({ assets, config }: Services, path: string): Promise<Response> {
  const response = await assets?.fetch(config.BASE_URL + path);
  if (response?.ok) return response;
  throw kernelError('rest_unavailable', {
    message: `${path} was not deployed, or the binding ASSETS is missing.`,
    retryAfter: 3600,
  });
}

/** Calls for a request to another server, and to load and write what comes of it. */
const requestNeed: Need = { calls: 3, kept: 0 };

/** The way to other servers; it opens with the request's authorisation. */
const outboundOnceAuthorised =
  ({ outbound, budget }: Services, c: Context): Outbound =>
  async (url, init) => {
    if (!stateOf(c).unit.authorised) throw new Error('The request is not authorised yet.');
    if (budget.fits(requestNeed) === 0) throw new BudgetSpent('Its outcome could not be written.');
    return outbound(url, init);
  };

/** What goes on after the answer; it opens with the request's authorisation. */
const afterAnswer =
  (
    services: Services,
    c: Context,
  ): Call<never, 'write', unknown, unknown, unknown, unknown>['after'] =>
  (work) => {
    if (!stateOf(c).unit.authorised) throw new Error('The request is not authorised yet.');
    if (services.config.DEV_JOBS !== 'on') return;
    const done = async () => {
      try {
        await work(services);
      } finally {
        if (services.budget.isShort) await services.goOn();
      }
    };
    c.executionCtx.waitUntil(done());
  };

/** Runs the handler, and once more when the token's administrator hint proved out of date. */
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
  // Which validators ran is known by the declaration, not by the context's type.
  const valid = (target: 'param' | 'query' | 'json') => c.req.valid(target as never) as unknown;
  return {
    params: endpoint.params && valid('param'),
    query: endpoint.query && valid('query'),
    body: endpoint.body && valid('json'),
  };
}

const isAnswer = (outcome: unknown): outcome is Answer =>
  typeof outcome === 'object' && outcome !== null && 'text' in outcome && 'status' in outcome;

/** A handler's outcome as status and text: an error's body, or the reply through its schema. */
function renderOutcome(
  endpoint: Endpoint,
  { errors }: Shop,
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

function renderRefusal(refusal: Refusal, errors: Shop['errors']): Answer {
  const error = refusalError(refusal, errors);
  return { status: error.status, text: JSON.stringify(error.body()) };
}

function respond(
  endpoint: Endpoint,
  state: RequestState,
  { status, text, stream, headers, replayed }: Answer,
  varies = false,
): Response {
  const [success, schema] = endpoint.reply;
  const type = status === success && schema === html ? 'text/html' : 'application/json';
  return new Response(stream ?? text, {
    status,
    headers: {
      ...commonHeaders(state),
      'content-type': `${type}; charset=UTF-8`,
      ...(varies && { vary: 'Accept' }),
      ...(status === success && endpoint.headers),
      ...headers,
      ...(replayed && { 'idempotency-replayed': 'true' }),
    },
  });
}
